// SPDX-License-Identifier: Apache-2.0
// A count that remembers whether it left 64 bits, so that formulas can be written as mathematics
// and the overflow is reported once, with the node's name.
#pragma once

#include <headroom/cost.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace headroom::cost {

class Amount {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a number is an amount.
  constexpr Amount(std::uint64_t value = 0) : value_(value) {}

  constexpr std::uint64_t value() const { return value_; }
  constexpr bool has_overflowed() const { return has_overflowed_; }

  /// Zero times anything is zero, also where the other factor does not fit.
  friend constexpr Amount operator*(Amount a, Amount b) {
    Amount product;
    if (a.is_zero() || b.is_zero()) return product;
    product.has_overflowed_ = __builtin_mul_overflow(a.value_, b.value_, &product.value_) ||
                              a.has_overflowed_ || b.has_overflowed_;
    return product;
  }
  friend constexpr Amount operator+(Amount a, Amount b) {
    Amount sum;
    sum.has_overflowed_ = __builtin_add_overflow(a.value_, b.value_, &sum.value_) ||
                          a.has_overflowed_ || b.has_overflowed_;
    return sum;
  }
  Amount& operator+=(Amount other) { return *this = *this + other; }
  Amount& operator*=(Amount other) { return *this = *this * other; }
  /// Rounded down; a quotient by zero is zero.
  friend constexpr Amount operator/(Amount a, Amount b) {
    Amount quotient(b.value_ == 0 ? 0 : a.value_ / b.value_);
    quotient.has_overflowed_ = a.has_overflowed_ || b.has_overflowed_;
    return quotient;
  }
  /// The difference, at least zero.
  friend constexpr Amount operator-(Amount a, Amount b) {
    Amount difference(a.value_ > b.value_ ? a.value_ - b.value_ : 0);
    difference.has_overflowed_ = a.has_overflowed_ || b.has_overflowed_;
    return difference;
  }
  friend constexpr Amount smaller(Amount a, Amount b) {
    if (a.has_overflowed_) return b;
    if (b.has_overflowed_) return a;
    return std::min(a.value_, b.value_);
  }

 private:
  constexpr bool is_zero() const { return value_ == 0 && !has_overflowed_; }

  std::uint64_t value_ = 0;
  bool has_overflowed_ = false;
};

/// What a formula counts for one execution of a node.
struct Tally {
  Amount macs{};
  std::size_t mac_operand = 0;  ///< Input in whose type the products are taken.
  std::array<Amount, kArithmeticKinds> other{};
  Amount attribute_parameters{};  ///< Weights that the operator keeps in attributes (ai.onnx.ml).

  void add(Arithmetic kind, Amount count) { other[static_cast<std::size_t>(kind)] += count; }
};

}  // namespace headroom::cost
