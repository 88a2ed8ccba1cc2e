// SPDX-License-Identifier: Apache-2.0
// Elements of a tensor as numbers, whatever their type.
#pragma once

#include <headroom/engine.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace headroom::measure {

/// Fields of a floating-point type of at most 16 bits.
struct SmallFloat {
  unsigned exponent_bits = 0;
  unsigned mantissa_bits = 0;
  int bias = 0;
  bool has_sign = true;
  enum class Specials : std::uint8_t {
    Ieee,          ///< All-ones exponent: infinity or NaN.
    AllOnesNan,    ///< Only exponent and mantissa all ones is a NaN, no infinity (E4M3FN).
    MinusZeroNan,  ///< The pattern of -0 is the only NaN, no infinity (the UZ types).
    None,          ///< Every pattern is a number (4-bit).
  } specials = Specials::Ieee;
};

/// The layout of Float16, Bfloat16, the 8-bit and the 4-bit types. Errors: Internal for another
/// type. Source: ONNX documentation, "Float stored in 8 bits" and "4 bit types"; IEEE 754-2019.
SmallFloat layout_of(ElementType type);
double decode(unsigned bits, const SmallFloat& layout);

/// Elements of the tensor; parts of complex numbers count one by one. Strings have none.
std::size_t number_count(const Tensor& tensor);
/// Element `index` of number_count as a double; integers beyond 2^53 are rounded.
double number_at(const Tensor& tensor, std::size_t index);
/// The element's bits in the low end, as stored: for exact comparison of integers and booleans.
std::uint64_t bits_at(const Tensor& tensor, std::size_t index);

/// `[0, 3, 5]`: where element `index` (of number_count) stands; `scalar` for rank 0.
std::string place_of(const Tensor& tensor, std::size_t index);

/// Element `index` for people: `1.25`, `-3`, `'text'` (of a string tensor, element `index`).
std::string value_text(const Tensor& tensor, std::size_t index);

}  // namespace headroom::measure
