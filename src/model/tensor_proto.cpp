// SPDX-License-Identifier: Apache-2.0
// Field numbers are those of onnx.proto.
#include "model/tensor_proto.h"

#include <headroom/base/error.h>
#include <headroom/model/tensor.h>

#include <charconv>

#include <fmt/format.h>

#include "model/type_proto.h"

namespace headroom {
namespace {

using wire::ByteSpan;
using wire::Fields;
using wire::Place;

void read_external_entry(const Place& place, TensorFields& tensor, ByteSpan bytes) {
  std::string_view key;
  std::string_view value;
  Fields fields(place, "StringStringEntryProto", bytes);
  while (fields.next()) {
    if (fields.number() == 1) key = fields.text();
    if (fields.number() == 2) value = fields.text();
  }
  if (key == "location") tensor.location = value;
  if (key == "offset") tensor.offset = value;
  if (key == "length") tensor.length = value;
}

/// Elements of a list of fixed-size numbers, packed or not, without touching them.
std::uint64_t skip_list(Fields& fields, std::size_t size, bool is_packed) {
  return is_packed ? fields.bytes().size() / size : 1;
}

std::uint64_t parse_count(const Place& place, std::string_view text, std::string_view key) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    wire::fail(place,
               fmt::format("the {} of its external data is '{}'; a number of bytes is wanted", key,
                           wire::shown(text)));
  }
  return value;
}

std::uint64_t checked_elements(const Place& place, std::span<const std::int64_t> dims) {
  try {
    return element_count(dims);
  } catch (const Error& error) {
    wire::fail(place, error.what());
  }
}

std::uint64_t checked_size(const Place& place, const StoredTensor& tensor, std::uint64_t elements) {
  const std::optional<Bytes> size = packed_size(tensor.type, elements);
  // 63 bits, so that offsets and differences of sizes fit a signed number.
  if (!size || size->value > static_cast<std::uint64_t>(INT64_MAX)) {
    wire::fail(place,
               fmt::format("{} elements of type {} (shape {}) have more bytes than 63 bits can "
                           "count",
                           elements, to_string(tensor.type), shape_text(tensor.dims)));
  }
  return size->value;
}

void check_external(ReadState& state, const Place& place, StoredTensor& tensor,
                    const TensorFields& fields, std::uint64_t elements) {
  if (tensor.type == ElementType::String) {
    wire::fail(place, "strings cannot be external data");
  }
  const std::uint64_t size = checked_size(place, tensor, elements);
  // Not emplace(): clang 14 takes a nested class with initialisers for one that has no default.
  tensor.external = StoredTensor::External{};
  StoredTensor::External& external = *tensor.external;
  external.location = fields.location.value_or("");
  if (fields.offset) external.offset = parse_count(place, *fields.offset, "offset");
  if (fields.length) external.length = parse_count(place, *fields.length, "length");
  if (external.length && *external.length != size) {
    wire::fail(place, fmt::format(
                          "shape {} of {} needs {} bytes, but the length of its external data "
                          "is {}",
                          shape_text(tensor.dims), to_string(tensor.type), size, *external.length));
  }
  const std::optional<std::uint64_t> available = state.external.size_of(place, external.location);
  if (available) {
    ExternalData::check_range(place, external, size, *available);
    return;
  }
  if (!state.missing_files.insert(external.location).second) return;  // Said once.
  state.findings.add(
      Severity::Warning, "external_data_missing", place,
      fmt::format("external data '{}' is not there, and this tensor is the first that lies in it; "
                  "the model can be inspected, not run",
                  wire::shown(external.location)));
}

void check_inside(const Place& place, const StoredTensor& tensor, const TensorFields& fields,
                  std::uint64_t elements) {
  if (fields.raw) {
    if (tensor.type == ElementType::String) wire::fail(place, "strings cannot be in raw_data");
    const std::uint64_t size = checked_size(place, tensor, elements);
    if (fields.raw->size() == size) return;
    wire::fail(place, fmt::format("shape {} of {} needs {} bytes, raw_data has {}",
                                  shape_text(tensor.dims), to_string(tensor.type), size,
                                  fields.raw->size()));
  }
  if (tensor.type != ElementType::String) checked_size(place, tensor, elements);
  const std::uint32_t field = data_field_of(tensor.type);
  const std::uint64_t wanted = data_entries_of(tensor.type, elements);
  if (elements > 0 && !fields.has_field[field]) {
    wire::fail(place, fmt::format("shape {} of {} needs {} entries in {}, which is not there",
                                  shape_text(tensor.dims), to_string(tensor.type), wanted,
                                  data_field_name(field)));
  }
  const bool is_counted = field == 4 || field == 10;
  if (is_counted && fields.reals != wanted) {
    wire::fail(place, fmt::format("shape {} of {} needs {} entries in {}, which has {}",
                                  shape_text(tensor.dims), to_string(tensor.type), wanted,
                                  data_field_name(field), fields.reals));
  }
}

Shape shape_of(std::span<const std::int64_t> dims) {
  Shape shape;
  shape.reserve(dims.size());
  for (const std::int64_t dim : dims) shape.push_back({dim, {}});
  return shape;
}

}  // namespace

TensorFields read_tensor_fields(const Place& place, ByteSpan bytes) {
  TensorFields tensor;
  Fields fields(place, "TensorProto", bytes);
  while (fields.next()) {
    const std::uint32_t number = fields.number();
    if (number < tensor.has_field.size()) tensor.has_field[number] = true;
    switch (number) {
      case 1:
        fields.append_to(tensor.dims);
        break;
      case 2:
        tensor.type = fields.integer();
        break;
      case 3:
        tensor.has_segment = true;
        break;
      case 4:
        tensor.reals += skip_list(fields, sizeof(float), fields.is_delimited());
        break;
      case 10:
        tensor.reals += skip_list(fields, sizeof(double), fields.is_delimited());
        break;
      case 8:
        tensor.name = fields.text();
        break;
      case 9:
        tensor.raw = fields.bytes();
        break;
      case 13:
        read_external_entry(place, tensor, fields.bytes());
        break;
      case 14:
        tensor.is_external = fields.integer() == 1;
        break;
      default:
        break;
    }
  }
  return tensor;
}

std::string_view tensor_name(const Place& place, ByteSpan bytes) {
  std::string_view name;
  Fields fields(place, "TensorProto", bytes);
  while (fields.next()) {
    if (fields.number() == 8) name = fields.text();
  }
  return name;
}

std::uint32_t data_field_of(ElementType type) noexcept {
  switch (type) {
    case ElementType::Float32:
    case ElementType::Complex64:
      return 4;
    case ElementType::Float64:
    case ElementType::Complex128:
      return 10;
    case ElementType::Int64:
      return 7;
    case ElementType::Uint32:
    case ElementType::Uint64:
      return 11;
    case ElementType::String:
      return 6;
    default:
      return 5;
  }
}

std::uint64_t data_entries_of(ElementType type, std::uint64_t elements) noexcept {
  if (type == ElementType::Complex64 || type == ElementType::Complex128) return 2 * elements;
  const unsigned bits = bits_of(type).value_or(8);
  if (bits >= 8) return elements;
  const std::uint64_t per_entry = 8 / bits;
  return elements / per_entry + (elements % per_entry != 0 ? 1 : 0);
}

std::string_view data_field_name(std::uint32_t number) noexcept {
  switch (number) {
    case 4:
      return "float_data";
    case 6:
      return "string_data";
    case 7:
      return "int64_data";
    case 10:
      return "double_data";
    case 11:
      return "uint64_data";
    default:
      return "int32_data";
  }
}

StoredTensor read_stored_tensor(ReadState& state, const Place& outer, ByteSpan bytes) {
  TensorFields fields = read_tensor_fields(outer, bytes);
  const Place place = fields.name.empty() ? outer : outer.inside("tensor", fields.name);
  StoredTensor tensor;
  tensor.name = fields.name;
  tensor.message = bytes;
  tensor.dims = std::move(fields.dims);
  const std::optional<ElementType> type = element_type_of(fields.type);
  if (!type) {
    wire::fail(place,
               fmt::format("its element type is {}, which ONNX does not define up to IR version "
                           "13",
                           fields.type));
  }
  tensor.type = *type;
  if (fields.has_segment) {
    wire::fail(place,
               "its data is split into segments, which no known exporter writes; save the model "
               "anew");
  }
  const std::uint64_t elements = checked_elements(place, tensor.dims);
  if (fields.is_external) {
    check_external(state, place, tensor, fields, elements);
  } else {
    check_inside(place, tensor, fields, elements);
  }
  return tensor;
}

StoredSparseTensor read_stored_sparse_tensor(ReadState& state, const Place& place, ByteSpan bytes) {
  StoredSparseTensor sparse;
  sparse.message = bytes;
  ByteSpan values;
  ByteSpan indices;
  Fields fields(place, "SparseTensorProto", bytes);
  while (fields.next()) {
    if (fields.number() == 1) values = fields.bytes();
    if (fields.number() == 2) indices = fields.bytes();
    if (fields.number() == 3) fields.append_to(sparse.dims);
  }
  sparse.values = read_stored_tensor(state, place.inside("values", {}), values);
  sparse.indices = read_stored_tensor(state, place.inside("indices", {}), indices);
  checked_elements(place, sparse.dims);
  const std::vector<std::int64_t>& found = sparse.indices.dims;
  const std::vector<std::int64_t>& count = sparse.values.dims;
  const bool is_linear = found.size() == 1 && count.size() == 1 && found[0] == count[0];
  const bool is_by_dimension = found.size() == 2 && count.size() == 1 && found[0] == count[0] &&
                               found[1] == static_cast<std::int64_t>(sparse.dims.size());
  if (sparse.indices.type != ElementType::Int64 || (!is_linear && !is_by_dimension)) {
    wire::fail(place,
               fmt::format("a sparse tensor of shape {} has values of shape {} and indices of "
                           "shape {} and type {}; N values and int64 indices of shape N or Nx{} "
                           "are wanted",
                           shape_text(sparse.dims), shape_text(count), shape_text(found),
                           to_string(sparse.indices.type), sparse.dims.size()));
  }
  return sparse;
}

ValueType type_of(const StoredTensor& tensor) {
  ValueType type;
  type.kind = TypeKind::Tensor;
  type.element = tensor.type;
  type.shape = shape_of(tensor.dims);
  return type;
}

ValueType type_of(const StoredSparseTensor& tensor) {
  ValueType type;
  type.kind = TypeKind::Tensor;
  type.element = tensor.values.type;
  type.shape = shape_of(tensor.dims);
  return type;
}

}  // namespace headroom
