// SPDX-License-Identifier: Apache-2.0
// Types and tensors of an ONNX file as literals for tests: each holds the bytes of its message.
#pragma once

#include <headroom/model/element_type.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headroom::test {

/// A declared dimension: a size, a symbol, or open.
struct DimSpec {
  DimSpec(int value) : size(value) {}                     // NOLINT(google-explicit-constructor)
  DimSpec(std::int64_t value) : size(value) {}            // NOLINT(google-explicit-constructor)
  DimSpec(const char* name) : symbol(name) {}             // NOLINT(google-explicit-constructor)
  DimSpec(std::string name) : symbol(std::move(name)) {}  // NOLINT(google-explicit-constructor)
  DimSpec(std::nullopt_t) {}                              // NOLINT(google-explicit-constructor)
  std::optional<std::int64_t> size{};
  std::string symbol{};
};
/// `std::nullopt`: the rank is not declared; `{}`: a scalar.
using DimsSpec = std::optional<std::vector<DimSpec>>;

/// The bytes of a TypeProto.
struct TypeSpec {
  std::string bytes{};
};
TypeSpec tensor_type(ElementType element, const DimsSpec& dims = std::nullopt);
TypeSpec sparse_tensor_type(ElementType element, const DimsSpec& dims = std::nullopt);
TypeSpec sequence_type(const TypeSpec& element);
TypeSpec optional_type(const TypeSpec& element);
TypeSpec map_type(ElementType key, const TypeSpec& value);
TypeSpec opaque_type(std::string_view domain, std::string_view name);

/// The bytes of a TensorProto.
struct TensorSpec {
  std::string bytes{};
};
TensorSpec float_tensor(std::string_view name, const std::vector<std::int64_t>& dims,
                        const std::vector<float>& values);
TensorSpec int64_tensor(std::string_view name, const std::vector<std::int64_t>& dims,
                        const std::vector<std::int64_t>& values);
/// In int32_data: bool, 8- and 16-bit types, int32, float16, packed 4- and 2-bit types.
TensorSpec int32_data_tensor(std::string_view name, ElementType type,
                             const std::vector<std::int64_t>& dims,
                             const std::vector<std::int32_t>& values);
TensorSpec double_tensor(std::string_view name, const std::vector<std::int64_t>& dims,
                         const std::vector<double>& values);
/// In uint64_data: uint32 and uint64.
TensorSpec uint64_data_tensor(std::string_view name, ElementType type,
                              const std::vector<std::int64_t>& dims,
                              const std::vector<std::uint64_t>& values);
TensorSpec string_tensor(std::string_view name, const std::vector<std::int64_t>& dims,
                         const std::vector<std::string>& values);
TensorSpec raw_tensor(std::string_view name, ElementType type,
                      const std::vector<std::int64_t>& dims, std::string_view bytes);
/// Zeros in raw_data.
TensorSpec zero_tensor(std::string_view name, ElementType type,
                       const std::vector<std::int64_t>& dims);
TensorSpec external_tensor(std::string_view name, ElementType type,
                           const std::vector<std::int64_t>& dims, std::string_view location,
                           std::optional<std::uint64_t> offset = std::nullopt,
                           std::optional<std::uint64_t> length = std::nullopt);
/// The general form: entries of external_data as text, in any combination.
TensorSpec external_tensor_entries(std::string_view name, ElementType type,
                                   const std::vector<std::int64_t>& dims,
                                   const std::vector<std::pair<std::string, std::string>>& entries);

/// The bytes of a SparseTensorProto.
struct SparseTensorSpec {
  std::string bytes{};
};
SparseTensorSpec sparse_tensor(const TensorSpec& values, const TensorSpec& indices,
                               const std::vector<std::int64_t>& dims);

}  // namespace headroom::test
