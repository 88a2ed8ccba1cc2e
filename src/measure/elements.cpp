// SPDX-License-Identifier: Apache-2.0
// Decoding of every ONNX element type.
#include "measure/elements.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace headroom::measure {
namespace {

unsigned width_of(ElementType type) {
  if (type == ElementType::Complex64) return 32;
  if (type == ElementType::Complex128) return 64;
  return bits_of(type).value_or(0);
}

bool is_complex(ElementType type) {
  return type == ElementType::Complex64 || type == ElementType::Complex128;
}

bool is_signed(ElementType type) {
  switch (type) {
    case ElementType::Int2:
    case ElementType::Int4:
    case ElementType::Int8:
    case ElementType::Int16:
    case ElementType::Int32:
    case ElementType::Int64:
      return true;
    default:
      return false;
  }
}

double integer_from(std::uint64_t bits, ElementType type) {
  if (!is_signed(type)) return static_cast<double>(bits);
  const unsigned unused = 64 - width_of(type);
  const auto shifted = static_cast<std::int64_t>(bits << unused);
  return static_cast<double>(shifted >> unused);
}

bool is_not_a_number(unsigned exponent, unsigned mantissa, bool is_negative,
                     const SmallFloat& layout) {
  const unsigned top_exponent = (1U << layout.exponent_bits) - 1;
  const unsigned top_mantissa = (1U << layout.mantissa_bits) - 1;
  switch (layout.specials) {
    case SmallFloat::Specials::Ieee:
      return exponent == top_exponent && mantissa != 0;
    case SmallFloat::Specials::AllOnesNan:
      return exponent == top_exponent && mantissa == top_mantissa;
    case SmallFloat::Specials::MinusZeroNan:
      return is_negative && exponent == 0 && mantissa == 0;
    case SmallFloat::Specials::None:
      return false;
  }
  return false;
}

// A power of two without sign or zero: exponent 255 is the NaN.
// Source: OCP Microscaling Formats specification 1.0, E8M0.
double decode_e8m0(std::uint64_t bits) {
  if (bits == 0xFF) return std::numeric_limits<double>::quiet_NaN();
  return std::ldexp(1.0, static_cast<int>(bits) - 127);
}

}  // namespace

SmallFloat layout_of(ElementType type) {
  using Specials = SmallFloat::Specials;
  switch (type) {
    case ElementType::Float16:
      return {.exponent_bits = 5, .mantissa_bits = 10, .bias = 15};
    case ElementType::Bfloat16:
      return {.exponent_bits = 8, .mantissa_bits = 7, .bias = 127};
    case ElementType::Float8E4M3FN:
      return {.exponent_bits = 4, .mantissa_bits = 3, .bias = 7, .specials = Specials::AllOnesNan};
    case ElementType::Float8E4M3FNUZ:
      return {
          .exponent_bits = 4, .mantissa_bits = 3, .bias = 8, .specials = Specials::MinusZeroNan};
    case ElementType::Float8E5M2:
      return {.exponent_bits = 5, .mantissa_bits = 2, .bias = 15};
    case ElementType::Float8E5M2FNUZ:
      return {
          .exponent_bits = 5, .mantissa_bits = 2, .bias = 16, .specials = Specials::MinusZeroNan};
    case ElementType::Float4E2M1:
      return {.exponent_bits = 2, .mantissa_bits = 1, .bias = 1, .specials = Specials::None};
    default:
      throw Error(ErrorKind::Internal,
                  fmt::format("{} is not a small floating-point type", to_string(type)));
  }
}

double decode(unsigned bits, const SmallFloat& layout) {
  const unsigned mantissa = bits & ((1U << layout.mantissa_bits) - 1);
  const unsigned exponent = (bits >> layout.mantissa_bits) & ((1U << layout.exponent_bits) - 1);
  const bool is_negative = ((bits >> (layout.mantissa_bits + layout.exponent_bits)) & 1U) != 0;
  if (is_not_a_number(exponent, mantissa, is_negative, layout))
    return std::numeric_limits<double>::quiet_NaN();
  const double sign = is_negative ? -1.0 : 1.0;
  const bool is_top = exponent == (1U << layout.exponent_bits) - 1;
  if (layout.specials == SmallFloat::Specials::Ieee && is_top)
    return sign * std::numeric_limits<double>::infinity();
  const int fraction_bits = static_cast<int>(layout.mantissa_bits);
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - layout.bias - fraction_bits);
  return sign * std::ldexp(mantissa + (1U << layout.mantissa_bits),
                           static_cast<int>(exponent) - layout.bias - fraction_bits);
}

std::size_t number_count(const Tensor& tensor) {
  if (tensor.type == ElementType::String || tensor.type == ElementType::Undefined) return 0;
  const auto elements = static_cast<std::size_t>(element_count(tensor.shape));
  return is_complex(tensor.type) ? 2 * elements : elements;
}

std::uint64_t bits_at(const Tensor& tensor, std::size_t index) {
  const unsigned width = width_of(tensor.type);
  const std::byte* data = tensor.data.bytes().data();
  if (width < 8) {  // packed from the low end of each byte
    const std::size_t bit = index * width;
    const auto byte = std::to_integer<std::uint64_t>(data[bit / 8]);
    return (byte >> (bit % 8)) & ((1U << width) - 1);
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, data + index * (width / 8), width / 8);  // little-endian machines only
  return bits;
}

static_assert(std::endian::native == std::endian::little);

double number_at(const Tensor& tensor, std::size_t index) {
  const std::uint64_t bits = bits_at(tensor, index);
  switch (tensor.type) {
    case ElementType::Float32:
    case ElementType::Complex64:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case ElementType::Float64:
    case ElementType::Complex128:
      return std::bit_cast<double>(bits);
    case ElementType::Float8E8M0:
      return decode_e8m0(bits);
    default:
      if (is_float(tensor.type)) return decode(static_cast<unsigned>(bits), layout_of(tensor.type));
      return integer_from(bits, tensor.type);
  }
}

std::string place_of(const Tensor& tensor, std::size_t index) {
  if (tensor.shape.empty()) return "scalar";
  auto rest = static_cast<std::int64_t>(is_complex(tensor.type) ? index / 2 : index);
  std::vector<std::int64_t> place(tensor.shape.size());
  for (std::size_t axis = tensor.shape.size(); axis-- > 0;) {
    place[axis] = rest % tensor.shape[axis];
    rest /= tensor.shape[axis];
  }
  return fmt::format("[{}]", fmt::join(place, ", "));
}

std::string value_text(const Tensor& tensor, std::size_t index) {
  if (tensor.type == ElementType::String) return "'" + printable(tensor.strings[index]) + "'";
  if (is_integer(tensor.type)) {
    const std::uint64_t bits = bits_at(tensor, index);
    if (tensor.type == ElementType::Int64)
      return fmt::format("{}", static_cast<std::int64_t>(bits));
    if (tensor.type == ElementType::Uint64) return fmt::format("{}", bits);
  }
  return fmt::format("{:.6g}", number_at(tensor, index));
}

}  // namespace headroom::measure
