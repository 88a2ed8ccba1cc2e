// SPDX-License-Identifier: Apache-2.0
// A value at run time, of whatever kind an ONNX model may take or give: a tensor, a sequence, an
// optional that holds nothing.
#pragma once

#include <headroom/model/graph.h>
#include <headroom/model/tensor.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

enum class DatumKind : std::uint8_t {
  Tensor,
  Sequence,
  None,   ///< An optional that holds nothing.
  Other,  ///< A map, a sparse tensor or what an engine cannot give out: named, not held.
};
std::string_view to_string(DatumKind kind) noexcept;

/// Owned, move-only. An optional that holds something is what it holds.
struct Datum {
  std::string name{};
  DatumKind kind = DatumKind::None;
  Tensor tensor{};                ///< Of a Tensor; it has the same name.
  std::vector<Datum> elements{};  ///< Of a Sequence; their names mean nothing.
};

/// The tensor as a value of the same name.
Datum datum_of(Tensor tensor);

/// `float32 2x3`, `sequence of 2`, `empty optional`, `value of another kind`.
std::string description_of(const Datum& datum);

/// Reads a file in the layout of ONNX's test data sets: a TensorProto, SequenceProto or
/// OptionalProto, by the declared kind. The name is the file's. Errors: NotFound; BadInput for
/// bytes that are not such a message, with the place; Unsupported for maps and sparse tensors.
/// Source: onnx-data.proto.
Datum read_datum_file(const std::filesystem::path& path, TypeKind declared);

/// The same from bytes; `folder` is where external data is looked for.
Datum parse_datum(std::span<const std::byte> bytes, const std::filesystem::path& folder,
                  TypeKind declared);

/// The bytes of a model without inputs whose one output, `empty`, is an empty sequence of tensors
/// of this type: what an engine's interface cannot make, its operators can.
std::string empty_sequence_model(ElementType element);

}  // namespace headroom
