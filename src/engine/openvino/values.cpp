// SPDX-License-Identifier: Apache-2.0
// Conversion of types and tensors at the edge to OpenVINO.
#include "engine/openvino/values.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>

#include <fmt/format.h>

namespace headroom::openvino {
namespace {

struct TypePair {
  ov::element::Type_t theirs;
  ElementType ours;
};

// Complex numbers and the 8-bit types without a negative zero have no counterpart. OpenVINO has
// unsigned 2-bit integers, but refuses every model that names ONNX's.
constexpr std::array kTypes = {
    TypePair{ov::element::Type_t::f32, ElementType::Float32},
    TypePair{ov::element::Type_t::u8, ElementType::Uint8},
    TypePair{ov::element::Type_t::i8, ElementType::Int8},
    TypePair{ov::element::Type_t::u16, ElementType::Uint16},
    TypePair{ov::element::Type_t::i16, ElementType::Int16},
    TypePair{ov::element::Type_t::i32, ElementType::Int32},
    TypePair{ov::element::Type_t::i64, ElementType::Int64},
    TypePair{ov::element::Type_t::string, ElementType::String},
    TypePair{ov::element::Type_t::boolean, ElementType::Bool},
    TypePair{ov::element::Type_t::f16, ElementType::Float16},
    TypePair{ov::element::Type_t::f64, ElementType::Float64},
    TypePair{ov::element::Type_t::u32, ElementType::Uint32},
    TypePair{ov::element::Type_t::u64, ElementType::Uint64},
    TypePair{ov::element::Type_t::bf16, ElementType::Bfloat16},
    TypePair{ov::element::Type_t::f8e4m3, ElementType::Float8E4M3FN},
    TypePair{ov::element::Type_t::f8e5m2, ElementType::Float8E5M2},
    TypePair{ov::element::Type_t::u4, ElementType::Uint4},
    TypePair{ov::element::Type_t::i4, ElementType::Int4},
    TypePair{ov::element::Type_t::f4e2m1, ElementType::Float4E2M1},
    TypePair{ov::element::Type_t::f8e8m0, ElementType::Float8E8M0},
};

ov::element::Type their_type(const Tensor& tensor) {
  for (const TypePair& pair : kTypes) {
    if (pair.ours == tensor.type) return pair.theirs;
  }
  throw Error(
      ErrorKind::Unsupported,
      fmt::format("engine 'openvino' cannot be given input '{}': it has no values of type {}",
                  tensor.name, to_string(tensor.type)));
}

// ONNX fills the last byte of a packed tensor with zeros, the engine with what was there.
void clear_padding(std::size_t elements, std::size_t bits_each, std::span<std::byte> bytes) {
  const std::size_t used = elements * bits_each % 8;
  if (used != 0) bytes.back() &= static_cast<std::byte>((1U << used) - 1U);
}

}  // namespace

ElementType element_type_of(const ov::element::Type& type) {
  for (const TypePair& pair : kTypes) {
    if (type == pair.theirs) return pair.ours;
  }
  return ElementType::Undefined;
}

ValueType value_type_of(const ov::Output<const ov::Node>& port) {
  ValueType type{.kind = TypeKind::Tensor,
                 .element = element_type_of(port.get_element_type()),
                 .shape = std::nullopt,
                 .inner = {}};
  const ov::PartialShape& sizes = port.get_partial_shape();
  if (sizes.rank().is_dynamic()) return type;
  type.shape.emplace();
  for (const ov::Dimension& size : sizes) {
    Dim dim;
    if (size.is_static()) dim.size = size.get_length();
    type.shape->push_back(std::move(dim));
  }
  return type;
}

ov::Tensor view_of(Datum& value) {
  if (value.kind != DatumKind::Tensor) {
    throw Error(ErrorKind::Unsupported,
                fmt::format("engine 'openvino' takes tensors; input '{}' is given as {}",
                            printable(value.name), description_of(value)));
  }
  Tensor& tensor = value.tensor;
  const ov::element::Type type = their_type(tensor);
  const ov::Shape shape(tensor.shape.begin(), tensor.shape.end());
  void* const memory = tensor.type == ElementType::String
                           ? static_cast<void*>(tensor.strings.data())
                           : static_cast<void*>(tensor.data.bytes().data());
  if (ov::shape_size(shape) == 0) return {type, shape};
  return {type, shape, memory};
}

Tensor copy_tensor(const ov::Tensor& tensor, const std::string& name) {
  const ElementType type = element_type_of(tensor.get_element_type());
  if (type == ElementType::Undefined) return {.name = name};
  const ov::Shape& shape = tensor.get_shape();
  Tensor copy = make_tensor(name, type, {shape.begin(), shape.end()});
  if (type == ElementType::String) {
    const auto* const first = tensor.data<std::string>();
    std::copy_n(first, copy.strings.size(), copy.strings.begin());
  } else if (!copy.data.bytes().empty()) {
    std::memcpy(copy.data.bytes().data(), tensor.data(), copy.data.bytes().size());
    clear_padding(tensor.get_size(), tensor.get_element_type().bitwidth(), copy.data.bytes());
  }
  return copy;
}

}  // namespace headroom::openvino
