// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic that says when a result does not fit 64 bits, and divisions that round as the
// ONNX specification writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace headroom::infer {

using Integer = std::optional<std::int64_t>;

inline Integer plus(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  return result;
}

inline Integer minus(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_sub_overflow(a, b, &result)) return std::nullopt;
  return result;
}

inline Integer times(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}

inline Integer plus(Integer a, Integer b) {
  return a && b ? plus(*a, *b) : std::nullopt;
}
inline Integer minus(Integer a, Integer b) {
  return a && b ? minus(*a, *b) : std::nullopt;
}
inline Integer times(Integer a, Integer b) {
  return a && b ? times(*a, *b) : std::nullopt;
}

/// Rounded towards zero, as ONNX divides integers. Nothing for a divisor of 0 and for overflow.
inline Integer quotient(std::int64_t a, std::int64_t b) {
  if (b == 0 || (a == INT64_MIN && b == -1)) return std::nullopt;
  return a / b;
}

/// Rounded down; `b` must be positive.
inline std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

/// Rounded up; `b` must be positive.
inline std::int64_t ceil_divide(std::int64_t a, std::int64_t b) {
  return a / b + (a % b > 0 ? 1 : 0);
}

/// Product of all; 1 for none.
inline Integer product(std::span<const std::int64_t> factors) {
  Integer result = 1;
  for (const std::int64_t factor : factors) result = times(result, factor);
  return result;
}

}  // namespace headroom::infer
