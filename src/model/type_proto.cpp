// SPDX-License-Identifier: Apache-2.0
// Field numbers are those of onnx.proto.
#include "model/type_proto.h"

#include <fmt/format.h>

namespace headroom {
namespace {

using wire::ByteSpan;
using wire::Fields;
using wire::Place;

Dim read_dim(const Place& place, ByteSpan bytes) {
  Dim dim;
  Fields fields(place, "TensorShapeProto.Dimension", bytes);
  while (fields.next()) {
    if (fields.number() == 1) {
      dim = {fields.integer(), {}};
    } else if (fields.number() == 2) {
      dim = {std::nullopt, std::string(fields.text())};
    }
  }
  return dim;
}

Shape read_shape(const Place& place, ByteSpan bytes) {
  std::size_t rank = 0;
  for (Fields fields(place, "TensorShapeProto", bytes); fields.next();) {
    if (fields.number() == 1) ++rank;
  }
  Shape shape;
  shape.reserve(rank);
  for (Fields fields(place, "TensorShapeProto", bytes); fields.next();) {
    if (fields.number() == 1) shape.push_back(read_dim(place, fields.bytes()));
  }
  return shape;
}

ElementType read_element(ReadState& state, const Place& place, std::int64_t number) {
  const std::optional<ElementType> type = element_type_of(number);
  if (type || number == 0) return type.value_or(ElementType::Undefined);
  state.findings.add(
      Severity::Warning, "undefined_element_type", place,
      fmt::format("element type {} is not one that ONNX defines up to IR version 13", number));
  return ElementType::Undefined;
}

/// TypeProto.Tensor and TypeProto.SparseTensor have the same fields.
ValueType read_tensor_type(ReadState& state, const Place& place, TypeKind kind, ByteSpan bytes) {
  ValueType type;
  type.kind = kind;
  Fields fields(place, "TypeProto.Tensor", bytes);
  while (fields.next()) {
    if (fields.number() == 1) {
      type.element = read_element(state, place, fields.integer());
    } else if (fields.number() == 2) {
      type.shape = read_shape(place, fields.bytes());
    }
  }
  return type;
}

ValueType read_nested(ReadState& state, const Place& place, ByteSpan bytes, std::size_t depth);

/// TypeProto.Sequence, TypeProto.Optional (the element in field 1), TypeProto.Map (the key in field
/// 1, the value in field 2).
ValueType read_container(ReadState& state, const Place& place, TypeKind kind, ByteSpan bytes,
                         std::size_t depth) {
  ValueType type;
  type.kind = kind;
  const std::uint32_t inner_field = kind == TypeKind::Map ? 2 : 1;
  ByteSpan inner;
  Fields fields(place, "TypeProto", bytes);
  while (fields.next()) {
    if (fields.number() == inner_field) {
      inner = fields.bytes();
    } else if (fields.number() == 1) {
      type.element = read_element(state, place, fields.integer());
    }
  }
  type.inner.push_back(read_nested(state, place, inner, depth + 1));
  return type;
}

ValueType read_nested(ReadState& state, const Place& place, ByteSpan bytes, std::size_t depth) {
  if (depth > wire::kDeepest) {
    wire::fail(place, fmt::format("types are nested deeper than {} levels", wire::kDeepest));
  }
  // A oneof: of several, the last counts. Read once it is known which that is, so that the time
  // stays linear in the depth.
  std::uint32_t number = 0;
  ByteSpan chosen;
  Fields fields(place, "TypeProto", bytes);
  while (fields.next()) {
    const std::uint32_t found = fields.number();
    if (found != 1 && found != 4 && found != 5 && found != 7 && found != 8 && found != 9) continue;
    number = found;
    chosen = fields.bytes();
  }
  switch (number) {
    case 1:
      return read_tensor_type(state, place, TypeKind::Tensor, chosen);
    case 4:
      return read_container(state, place, TypeKind::Sequence, chosen, depth);
    case 5:
      return read_container(state, place, TypeKind::Map, chosen, depth);
    case 8:
      return read_tensor_type(state, place, TypeKind::SparseTensor, chosen);
    case 9:
      return read_container(state, place, TypeKind::Optional, chosen, depth);
    default:  // None, or Opaque.
      return {};
  }
}

}  // namespace

ValueType read_type(ReadState& state, const Place& place, ByteSpan bytes) {
  return read_nested(state, place, bytes, 0);
}

ValueInfo read_value_info(const Place& place, ByteSpan bytes) {
  ValueInfo info;
  Fields fields(place, "ValueInfoProto", bytes);
  while (fields.next()) {
    if (fields.number() == 1) {
      info.name = fields.text();
    } else if (fields.number() == 2) {
      info.type = fields.bytes();
    }
  }
  return info;
}

std::optional<ElementType> element_type_of(std::int64_t number) noexcept {
  if (number <= 0 || number > UINT8_MAX) return std::nullopt;
  const auto type = static_cast<ElementType>(number);
  if (!is_defined(type)) return std::nullopt;
  return type;
}

}  // namespace headroom
