// SPDX-License-Identifier: Apache-2.0
// The stream is part of the contract. Every expected number below was printed by a Python program
// of SplitMix64, xoshiro256**, Lemire's and Marsaglia's methods with integers of any size; that
// program gives the published SplitMix64 sequence of seed 1234567 (6457827717110365317,
// 3203168211198807973, …) and the published xoshiro256** sequence of state {1, 2, 3, 4} (11520, 0,
// 1509978240, 1215971899390074240, …).
#include <headroom/base/random.h>

#include <cmath>
#include <limits>
#include <map>

#include <gtest/gtest.h>

namespace headroom {
namespace {

TEST(Random, GivesTheSpecifiedBits) {
  Random zero(0);
  EXPECT_EQ(zero.next(), 0x99ec5f36cb75f2b4U);
  EXPECT_EQ(zero.next(), 0xbf6e1f784956452aU);
  EXPECT_EQ(zero.next(), 0x1a5f849d4933e6e0U);
  Random some(42);
  EXPECT_EQ(some.next(), 0x15780b2e0c2ec716U);
  EXPECT_EQ(some.next(), 0x6104d9866d113a7eU);
  Random largest(std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(largest.next(), 0x8f5520d52a7ead08U);
  EXPECT_EQ(largest.next(), 0xc476a018caa1802dU);
}

TEST(Random, GivesTheSpecifiedUniformNumbers) {
  Random random(42);
  EXPECT_EQ(random.uniform(), 0.08386297105988216);
  EXPECT_EQ(random.uniform(), 0.3789802506626686);
  EXPECT_EQ(random.uniform(), 0.6800434110281394);
}

TEST(Random, GivesTheSpecifiedIntegersBelowABound) {
  Random random(42);
  for (const std::uint64_t expected : {0U, 3U, 6U, 9U, 9U, 7U, 7U, 8U, 7U, 5U, 6U, 2U})
    EXPECT_EQ(random.below(10), expected);
  // A bound of 3/4 of the range rejects a quarter of the numbers.
  Random wide(42);
  for (const std::uint64_t expected :
       {1160249073301919056U, 5243213769723407326U, 9408440071686419256U, 12793180581886593144U})
    EXPECT_EQ(wide.below(std::uint64_t{3} << 62U), expected);
}

// Within 4 units in the last place: Python used the C library's logarithm, ours is a series.
TEST(Random, GivesTheSpecifiedNormalNumbers) {
  Random random(42);
  EXPECT_DOUBLE_EQ(random.normal(), -0.7262191382447857);
  EXPECT_DOUBLE_EQ(random.normal(), -0.21119691823195985);
  EXPECT_DOUBLE_EQ(random.normal(), 0.2216227015035933);
  EXPECT_DOUBLE_EQ(random.normal(), 0.5227716877560146);
}

// Standard errors at n = 10^6: mean 0.001, variance 0.0014, fourth moment 0.01; bounds are 5 of
// them.
TEST(Random, HasTheMomentsOfTheNormalDistribution) {
  constexpr int kCount = 1'000'000;
  Random random(1);
  double sum = 0;
  double squares = 0;
  double fourths = 0;
  for (int i = 0; i < kCount; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
    fourths += x * x * x * x;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.005);
  EXPECT_NEAR(squares / kCount, 1, 0.007);
  EXPECT_NEAR(fourths / kCount, 3, 0.05);
}

TEST(Random, StaysBetweenItsBoundsAndReachesThem) {
  Random random(3);
  std::map<std::int64_t, int> seen;
  for (int i = 0; i < 1000; ++i) ++seen[random.between(-2, 2)];
  EXPECT_EQ(seen.size(), 5U);
  EXPECT_EQ(seen.begin()->first, -2);
  EXPECT_EQ(seen.rbegin()->first, 2);
  EXPECT_EQ(random.between(7, 7), 7);
}

TEST(Random, CoversTheWholeRangeOfIntegers) {
  Random random(42);
  const std::int64_t value = random.between(std::numeric_limits<std::int64_t>::min(),
                                            std::numeric_limits<std::int64_t>::max());
  // The first bits of the stream, counted from the lowest integer.
  EXPECT_EQ(static_cast<std::uint64_t>(value), 0x15780b2e0c2ec716U ^ (std::uint64_t{1} << 63U));
}

// FNV-1a of "" and "foobar" is cbf29ce484222325 and 85944171f73967e8, as published.
TEST(DeriveSeed, MixesTheLabelIntoTheSeed) {
  EXPECT_EQ(derive_seed(0, ""), 0xc3817c016ba4ff30U);
  EXPECT_EQ(derive_seed(0, "foobar"), 0x5df295413403de4fU);
  EXPECT_EQ(derive_seed(42, "inputs"), 0xbe51507af95e9d9fU);
}

}  // namespace
}  // namespace headroom
