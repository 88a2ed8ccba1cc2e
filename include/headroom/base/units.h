// SPDX-License-Identifier: Apache-2.0
// Quantities that cross module boundaries: time, counts of bytes and operations, and their rates. A
// count over a time is a rate, a count over a rate is a time, and nothing else compiles.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>

namespace headroom {

using Nanoseconds = std::chrono::nanoseconds;   ///< A raw reading or sample.
using Seconds = std::chrono::duration<double>;  ///< A derived time.

/// A tagged count of things; arithmetic between different tags does not compile.
template <class Tag>
struct Count {
  std::uint64_t value = 0;

  auto operator<=>(const Count&) const = default;
  constexpr Count& operator+=(Count other) {
    value += other.value;
    return *this;
  }
};

template <class Tag>
constexpr Count<Tag> operator+(Count<Tag> a, Count<Tag> b) {
  return {a.value + b.value};
}

template <class Tag>
constexpr Count<Tag> operator*(std::uint64_t factor, Count<Tag> count) {
  return {factor * count.value};
}

/// A tagged rate per second.
template <class Tag>
struct Rate {
  double per_second = 0;

  auto operator<=>(const Rate&) const = default;
};

template <class Tag>
constexpr Rate<Tag> operator/(Count<Tag> count, Seconds time) {
  return {static_cast<double>(count.value) / time.count()};
}

template <class Tag>
constexpr Seconds operator/(Count<Tag> count, Rate<Tag> rate) {
  return Seconds{static_cast<double>(count.value) / rate.per_second};
}

/// Dimensionless quotient of two rates of the same kind.
template <class Tag>
constexpr double operator/(Rate<Tag> a, Rate<Tag> b) {
  return a.per_second / b.per_second;
}

struct ByteTag {};
struct FlopTag {};
struct MacTag {};

using Bytes = Count<ByteTag>;
using FlopCount = Count<FlopTag>;
using MacCount = Count<MacTag>;
using Bandwidth = Rate<ByteTag>;
using FlopRate = Rate<FlopTag>;

/// One multiply-add is two floating-point operations (docs/method/counting.md).
constexpr FlopCount flops(MacCount macs) {
  return {2 * macs.value};
}

}  // namespace headroom
