// SPDX-License-Identifier: Apache-2.0
// One rounding routine for every format of at most 16 bits.
#include "data/float_format.h"

#include <headroom/base/error.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace headroom {
namespace {

/// A format with a sign bit on top, then exponent, then mantissa.
struct Format {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  std::uint32_t largest;   // Code of the largest finite number.
  std::uint32_t overflow;  // Code for what is larger.
  std::uint32_t nan;
  bool has_negative_zero;
};

Format format_of(ElementType type) {
  switch (type) {
    case ElementType::Float16:
      return {5, 10, 15, 0x7BFF, 0x7C00, 0x7E00, true};
    case ElementType::Bfloat16:
      return {8, 7, 127, 0x7F7F, 0x7F80, 0x7FC0, true};
    case ElementType::Float8E4M3FN:
      return {4, 3, 7, 0x7E, 0x7E, 0x7F, true};
    case ElementType::Float8E4M3FNUZ:
      return {4, 3, 8, 0x7F, 0x7F, 0x80, false};
    case ElementType::Float8E5M2:
      return {5, 2, 15, 0x7B, 0x7B, 0x7F, true};
    case ElementType::Float8E5M2FNUZ:
      return {5, 2, 16, 0x7F, 0x7F, 0x80, false};
    case ElementType::Float4E2M1:
      return {2, 1, 1, 0x7, 0x7, 0x0, true};
    default:
      break;
  }
  throw Error(ErrorKind::Internal,
              fmt::format("{} is not a floating-point format of at most 16 bits", to_string(type)));
}

// Independent of the rounding mode of the processor.
double round_to_even(double value) {
  const double below = std::floor(value);
  const double rest = value - below;
  const bool is_odd = std::fmod(below, 2.0) != 0;
  return rest > 0.5 || (rest == 0.5 && is_odd) ? below + 1 : below;
}

std::uint32_t encode_magnitude(double magnitude, const Format& format) {
  if (magnitude == 0) return 0;
  if (std::isinf(magnitude)) return format.overflow;
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  exponent = std::max(exponent - 1, 1 - format.bias);  // Below it the numbers are subnormal.
  const double steps = round_to_even(std::ldexp(magnitude, format.mantissa_bits - exponent));
  // Codes of consecutive numbers are consecutive, so a carry out of the mantissa needs no care.
  const int field = exponent + format.bias - 1;
  const double code = std::ldexp(field, format.mantissa_bits) + steps;
  return code > format.largest ? format.overflow : static_cast<std::uint32_t>(code);
}

std::uint32_t encode_scale(double value) {
  constexpr int kBias = 127;
  constexpr int kLargest = 254;
  constexpr std::uint32_t kNan = 255;
  if (std::isnan(value)) return kNan;
  if (value == 0) return 0;
  if (std::isinf(value)) return kLargest;
  int exponent = 0;
  const double mantissa = 2 * std::frexp(std::fabs(value), &exponent);  // In [1, 2).
  const int code = exponent - 1 + kBias + (mantissa >= 1.5 ? 1 : 0);
  return static_cast<std::uint32_t>(std::clamp(code, 0, kLargest));
}

}  // namespace

std::uint32_t encode_float(double value, ElementType type) {
  if (type == ElementType::Float8E8M0) return encode_scale(value);
  const Format format = format_of(type);
  if (std::isnan(value)) return format.nan;
  const std::uint32_t code = encode_magnitude(std::fabs(value), format);
  const bool is_negative = std::signbit(value) && (code != 0 || format.has_negative_zero);
  const int sign_bit = format.exponent_bits + format.mantissa_bits;
  return code | (is_negative ? 1U << static_cast<unsigned>(sign_bit) : 0U);
}

}  // namespace headroom
