// SPDX-License-Identifier: Apache-2.0
// Quantities divide into rates and times, and other combinations do not compile.
#include <headroom/base/units.h>

#include <gtest/gtest.h>

namespace headroom {
namespace {

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept Divisible = requires(A a, B b) {
  a / b;
};

static_assert(Addable<Bytes, Bytes>);
static_assert(!Addable<Bytes, FlopCount>);
static_assert(!Addable<MacCount, FlopCount>);
static_assert(!Divisible<Bytes, FlopRate>);
static_assert(!Divisible<FlopRate, Bandwidth>);
static_assert(Divisible<FlopRate, FlopRate>);

TEST(Units, CountOverTimeIsARate) {
  EXPECT_DOUBLE_EQ((Bytes{3'000'000} / Seconds{0.002}).per_second, 1.5e9);
}

TEST(Units, CountOverRateIsATime) {
  EXPECT_DOUBLE_EQ((FlopCount{4'000'000'000} / FlopRate{100e9}).count(), 0.04);
}

TEST(Units, RatesOfOneKindHaveARatio) {
  EXPECT_DOUBLE_EQ(FlopRate{50e9} / FlopRate{200e9}, 0.25);
}

TEST(Units, CountsAddMultiplyAndCompare) {
  Bytes sum = Bytes{1} + Bytes{2};
  sum += Bytes{4};
  EXPECT_EQ(sum, Bytes{7});
  EXPECT_EQ(3 * Bytes{5}, Bytes{15});
  EXPECT_LT(Bytes{1}, Bytes{2});
}

TEST(Units, OneMultiplyAddIsTwoOperations) {
  EXPECT_EQ(flops(MacCount{21}), FlopCount{42});
}

}  // namespace
}  // namespace headroom
