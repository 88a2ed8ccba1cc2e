// SPDX-License-Identifier: Apache-2.0
// Field numbers are those of onnx.proto.
#include "support/onnx_spec.h"

#include <protozero/pbf_writer.hpp>

namespace headroom::test {
namespace {

using protozero::pbf_writer;

void add_dims(pbf_writer& writer, std::uint32_t field, const std::vector<std::int64_t>& dims) {
  for (const std::int64_t dim : dims) writer.add_int64(field, dim);
}

void add_entry(pbf_writer& writer, std::uint32_t field, std::string_view key,
               std::string_view value) {
  std::string entry;
  pbf_writer entry_writer(entry);
  entry_writer.add_string(1, key.data(), key.size());
  entry_writer.add_string(2, value.data(), value.size());
  writer.add_message(field, entry);
}

void add_text(pbf_writer& writer, std::uint32_t field, std::string_view text) {
  writer.add_string(field, text.data(), text.size());
}

std::string shape_bytes(const std::vector<DimSpec>& dims) {
  std::string shape;
  pbf_writer writer(shape);
  for (const DimSpec& dim : dims) {
    std::string bytes;
    pbf_writer dim_writer(bytes);
    if (dim.size) dim_writer.add_int64(1, *dim.size);
    if (!dim.symbol.empty()) dim_writer.add_string(2, dim.symbol);
    writer.add_message(1, bytes);
  }
  return shape;
}

TypeSpec type_with(std::uint32_t field, const std::string& inner) {
  TypeSpec type;
  pbf_writer(type.bytes).add_message(field, inner);
  return type;
}

std::string element_and_shape(ElementType element, const DimsSpec& dims) {
  std::string inner;
  pbf_writer writer(inner);
  writer.add_int32(1, static_cast<std::int32_t>(element));
  if (dims) writer.add_message(2, shape_bytes(*dims));
  return inner;
}

/// Name, type and dims; the caller adds the data.
TensorSpec tensor_head(std::string_view name, ElementType type,
                       const std::vector<std::int64_t>& dims) {
  TensorSpec tensor;
  pbf_writer writer(tensor.bytes);
  add_dims(writer, 1, dims);
  writer.add_int32(2, static_cast<std::int32_t>(type));
  if (!name.empty()) add_text(writer, 8, name);
  return tensor;
}

}  // namespace

TypeSpec tensor_type(ElementType element, const DimsSpec& dims) {
  return type_with(1, element_and_shape(element, dims));
}

TypeSpec sparse_tensor_type(ElementType element, const DimsSpec& dims) {
  return type_with(8, element_and_shape(element, dims));
}

TypeSpec sequence_type(const TypeSpec& element) {
  return type_with(4, type_with(1, element.bytes).bytes);
}

TypeSpec optional_type(const TypeSpec& element) {
  return type_with(9, type_with(1, element.bytes).bytes);
}

TypeSpec map_type(ElementType key, const TypeSpec& value) {
  std::string inner;
  pbf_writer writer(inner);
  writer.add_int32(1, static_cast<std::int32_t>(key));
  writer.add_message(2, value.bytes);
  return type_with(5, inner);
}

TypeSpec opaque_type(std::string_view domain, std::string_view name) {
  std::string inner;
  pbf_writer writer(inner);
  add_text(writer, 1, domain);
  add_text(writer, 2, name);
  return type_with(7, inner);
}

TensorSpec float_tensor(std::string_view name, const std::vector<std::int64_t>& dims,
                        const std::vector<float>& values) {
  TensorSpec tensor = tensor_head(name, ElementType::Float32, dims);
  pbf_writer(tensor.bytes).add_packed_float(4, values.begin(), values.end());
  return tensor;
}

TensorSpec int64_tensor(std::string_view name, const std::vector<std::int64_t>& dims,
                        const std::vector<std::int64_t>& values) {
  TensorSpec tensor = tensor_head(name, ElementType::Int64, dims);
  pbf_writer(tensor.bytes).add_packed_int64(7, values.begin(), values.end());
  return tensor;
}

TensorSpec int32_data_tensor(std::string_view name, ElementType type,
                             const std::vector<std::int64_t>& dims,
                             const std::vector<std::int32_t>& values) {
  TensorSpec tensor = tensor_head(name, type, dims);
  pbf_writer(tensor.bytes).add_packed_int32(5, values.begin(), values.end());
  return tensor;
}

TensorSpec double_tensor(std::string_view name, const std::vector<std::int64_t>& dims,
                         const std::vector<double>& values) {
  TensorSpec tensor = tensor_head(name, ElementType::Float64, dims);
  pbf_writer(tensor.bytes).add_packed_double(10, values.begin(), values.end());
  return tensor;
}

TensorSpec uint64_data_tensor(std::string_view name, ElementType type,
                              const std::vector<std::int64_t>& dims,
                              const std::vector<std::uint64_t>& values) {
  TensorSpec tensor = tensor_head(name, type, dims);
  pbf_writer(tensor.bytes).add_packed_uint64(11, values.begin(), values.end());
  return tensor;
}

TensorSpec string_tensor(std::string_view name, const std::vector<std::int64_t>& dims,
                         const std::vector<std::string>& values) {
  TensorSpec tensor = tensor_head(name, ElementType::String, dims);
  pbf_writer writer(tensor.bytes);
  for (const std::string& value : values) writer.add_string(6, value);
  return tensor;
}

TensorSpec raw_tensor(std::string_view name, ElementType type,
                      const std::vector<std::int64_t>& dims, std::string_view bytes) {
  TensorSpec tensor = tensor_head(name, type, dims);
  pbf_writer(tensor.bytes).add_bytes(9, bytes.data(), bytes.size());
  return tensor;
}

TensorSpec zero_tensor(std::string_view name, ElementType type,
                       const std::vector<std::int64_t>& dims) {
  std::uint64_t elements = 1;
  for (const std::int64_t dim : dims) elements *= static_cast<std::uint64_t>(dim);
  const std::string zeros(packed_size(type, elements).value().value, '\0');
  return raw_tensor(name, type, dims, zeros);
}

TensorSpec external_tensor_entries(
    std::string_view name, ElementType type, const std::vector<std::int64_t>& dims,
    const std::vector<std::pair<std::string, std::string>>& entries) {
  TensorSpec tensor = tensor_head(name, type, dims);
  pbf_writer writer(tensor.bytes);
  for (const auto& [key, value] : entries) add_entry(writer, 13, key, value);
  writer.add_int32(14, 1);
  return tensor;
}

TensorSpec external_tensor(std::string_view name, ElementType type,
                           const std::vector<std::int64_t>& dims, std::string_view location,
                           std::optional<std::uint64_t> offset,
                           std::optional<std::uint64_t> length) {
  std::vector<std::pair<std::string, std::string>> entries{{"location", std::string(location)}};
  if (offset) entries.emplace_back("offset", std::to_string(*offset));
  if (length) entries.emplace_back("length", std::to_string(*length));
  return external_tensor_entries(name, type, dims, entries);
}

SparseTensorSpec sparse_tensor(const TensorSpec& values, const TensorSpec& indices,
                               const std::vector<std::int64_t>& dims) {
  SparseTensorSpec sparse;
  pbf_writer writer(sparse.bytes);
  writer.add_message(1, values.bytes);
  writer.add_message(2, indices.bytes);
  add_dims(writer, 3, dims);
  return sparse;
}

}  // namespace headroom::test
