// SPDX-License-Identifier: Apache-2.0
// Quantiles by rank: the definition is one line, its roundings are where tools go wrong.
#include <headroom/base/error.h>
#include <headroom/stats.h>

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace headroom::stats {
namespace {

// 1, 2, …, n: the value is its own rank.
std::vector<double> ranks(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

TEST(Quantile, IsTheElementOfRankCeilPn) {
  EXPECT_EQ(quantile(ranks(10), 0.9), 9);   // ceil(9)
  EXPECT_EQ(quantile(ranks(11), 0.9), 10);  // ceil(9.9)
  EXPECT_EQ(quantile(ranks(10), 0.01), 1);  // ceil(0.1)
  EXPECT_EQ(quantile(ranks(10), 1.0), 10);
  EXPECT_EQ(quantile(ranks(1), 0.5), 1);
}

TEST(Quantile, IsNotMovedByTheRoundingOfTheProduct) {
  // 0.55 * 100 is 55.00000000000001 in doubles: a bare ceil gives rank 56.
  EXPECT_EQ(quantile(ranks(100), 0.55), 55);
  // Every percentile of 100 and of 1000 values is exact by hand: rank = percent (times ten).
  for (int percent = 1; percent <= 100; ++percent) {
    EXPECT_EQ(quantile(ranks(100), percent / 100.0), percent);
    EXPECT_EQ(quantile(ranks(1000), percent / 100.0), percent * 10);
  }
}

TEST(Quantile, DoesNotDependOnTheOrder) {
  const std::vector<double> values = {5, 1, 4, 2, 3};
  EXPECT_EQ(quantile(values, 0.5), 3);
  EXPECT_EQ(quantile(values, 0.8), 4);
}

TEST(Quantile, RefusesNoValuesAndAProbabilityOutsideTheRange) {
  EXPECT_THROW(quantile({}, 0.5), Error);
  const std::vector<double> one = {1};
  EXPECT_THROW(quantile(one, 0.0), Error);
  EXPECT_THROW(quantile(one, 1.1), Error);
}

TEST(Median, IsTheLowerOfTheTwoMiddleValues) {
  EXPECT_EQ(median(std::vector<double>{4, 1, 3, 2}), 2);
  EXPECT_EQ(median(std::vector<double>{3, 1, 2}), 2);
}

TEST(Mean, IsTheSumOverTheCount) {
  EXPECT_DOUBLE_EQ(mean(std::vector<double>{1, 2, 6}), 3);
}

TEST(ScaledMad, IsScaledToSigmaAndIgnoresAnOutlier) {
  // Median 3, distances 2 1 0 1 997, their median 1.
  EXPECT_DOUBLE_EQ(scaled_mad(std::vector<double>{1, 2, 3, 4, 1000}), 1.4826);
}

TEST(CanGive, NeedsTenSamplesBeyondThePercentile) {
  EXPECT_EQ(samples_needed(0.9),
            100U);  // 10 / 0.1; 100 * (1 - 0.9) is 9.999999999999998 in doubles
  EXPECT_EQ(samples_needed(0.99), 1000U);
  EXPECT_EQ(samples_needed(0.5), 20U);
  EXPECT_FALSE(can_give(99, 0.9));
  EXPECT_TRUE(can_give(100, 0.9));
  EXPECT_FALSE(can_give(999, 0.99));
  EXPECT_TRUE(can_give(1000, 0.99));
}

}  // namespace
}  // namespace headroom::stats
