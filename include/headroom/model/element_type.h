// SPDX-License-Identifier: Apache-2.0
// The element types of ONNX tensors and what is fixed about each: name, width, class.
#pragma once

#include <headroom/base/units.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace headroom {

/// Source: onnx.proto, TensorProto.DataType (IR version 13); the numbers are those of the file
/// format.
enum class ElementType : std::uint8_t {
  Undefined = 0,
  Float32 = 1,
  Uint8 = 2,
  Int8 = 3,
  Uint16 = 4,
  Int16 = 5,
  Int32 = 6,
  Int64 = 7,
  String = 8,
  Bool = 9,
  Float16 = 10,
  Float64 = 11,
  Uint32 = 12,
  Uint64 = 13,
  Complex64 = 14,
  Complex128 = 15,
  Bfloat16 = 16,
  Float8E4M3FN = 17,
  Float8E4M3FNUZ = 18,
  Float8E5M2 = 19,
  Float8E5M2FNUZ = 20,
  Uint4 = 21,
  Int4 = 22,
  Float4E2M1 = 23,
  Float8E8M0 = 24,
  Uint2 = 25,
  Int2 = 26,
};

/// `float32`, `bfloat16`, `int4`, …; `undefined` for a number that ONNX does not define.
std::string_view to_string(ElementType type) noexcept;
/// The inverse; nothing for an unknown name.
std::optional<ElementType> element_type_from(std::string_view name) noexcept;

/// Whether ONNX defines this number (Undefined itself is not a type of data).
bool is_defined(ElementType type) noexcept;
bool is_float(ElementType type) noexcept;  ///< Any floating-point type, 4 to 64 bits, not complex.
bool is_integer(ElementType type) noexcept;  ///< Any signed or unsigned integer, not Bool.

/// Width of one element in bits; nothing for String and Undefined.
std::optional<unsigned> bits_of(ElementType type) noexcept;

/// Bytes of `elements` elements, sub-byte types packed as ONNX packs them (the last byte filled
/// up). Nothing for String and Undefined, or when the size does not fit 64 bits.
std::optional<Bytes> packed_size(ElementType type, std::uint64_t elements) noexcept;

}  // namespace headroom
