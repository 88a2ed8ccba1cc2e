// SPDX-License-Identifier: Apache-2.0
// Intervals over launches: one value by hand, then the coverage on simulated launches. The rates
// are those that docs/method/statistics.md states.
#include <headroom/base/error.h>
#include <headroom/base/random.h>
#include <headroom/stats.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace headroom::stats {
namespace {

TEST(IntervalOverLaunches, IsStudentsTOnTheLogarithms) {
  // Logarithms 0, 1, 2: mean 1, s = 1, standard error 1/sqrt(3); t(0.975, 2) = 4.302653.
  const std::vector<double> values = {1, std::exp(1.0), std::exp(2.0)};
  const auto interval = interval_over_launches(values);
  ASSERT_TRUE(interval);
  EXPECT_NEAR(std::log(interval->low), 1 - 4.302653 / std::sqrt(3.0), 1e-6);
  EXPECT_NEAR(std::log(interval->high), 1 + 4.302653 / std::sqrt(3.0), 1e-6);
}

TEST(IntervalOverLaunches, UsesTheValuesThemselvesWhereOneIsZero) {
  // Values 0, 1, 2: the same interval without the exponential, cut at 0.
  const auto interval = interval_over_launches(std::vector<double>{0, 1, 2});
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 0);
  EXPECT_NEAR(interval->high, 1 + 4.302653 / std::sqrt(3.0), 1e-6);
}

TEST(IntervalOverLaunches, IsAPointForEqualValues) {
  const auto interval = interval_over_launches(std::vector<double>{7.3, 7.3, 7.3});
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 7.3);
  EXPECT_EQ(interval->high, 7.3);
}

TEST(IntervalOverLaunches, IsAbsentForOneLaunch) {
  EXPECT_FALSE(interval_over_launches(std::vector<double>{1}));
  EXPECT_FALSE(interval_over_launches({}));
}

TEST(IntervalOverLaunches, IsExtendedToTheMedianOfSkewedValues) {
  // 39 launches at 1 and 26 at 1000: t alone would not reach down to the median 1.
  std::vector<double> values(39, 1.0);
  values.resize(65, 1000.0);
  const auto interval = interval_over_launches(values);
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->low, 1);
}

TEST(IntervalOverLaunches, StaysFiniteForTwoLaunchesThatDifferEnormously) {
  const auto interval = interval_over_launches(std::vector<double>{1, 1e300});
  ASSERT_TRUE(interval);
  EXPECT_TRUE(std::isfinite(interval->high));
}

// Share of 20,000 simulated runs of `launches` launches whose interval holds `truth`.
double coverage(std::size_t launches, double truth, const std::function<double(Random&)>& draw) {
  constexpr int kRuns = 20'000;
  Random random(20261130);
  int covered = 0;
  std::vector<double> values(launches);
  for (int run = 0; run < kRuns; ++run) {
    for (double& value : values) value = draw(random);
    const auto interval = interval_over_launches(values);
    covered += static_cast<int>(interval->low <= truth && truth <= interval->high);
  }
  return static_cast<double>(covered) / kRuns;
}

TEST(IntervalOverLaunches, CoversNormalAndLognormalLaunches) {
  for (const std::size_t launches : {2U, 3U, 5U, 10U, 20U}) {
    const double normal =
        coverage(launches, 1, [](Random& random) { return 1 + 0.03 * random.normal(); });
    EXPECT_GE(normal, 0.93) << launches;
    EXPECT_LE(normal, 0.97) << launches;
    const double lognormal =
        coverage(launches, 1, [](Random& random) { return std::exp(0.2 * random.normal()); });
    EXPECT_GE(lognormal, 0.93) << launches;
    EXPECT_LE(lognormal, 0.97) << launches;
  }
}

// Launches that fall into two states: `share` of them are `excess` slower, each with 1 % of its
// own.
std::function<double(Random&)> two_states(double share, double excess) {
  return [share, excess](Random& random) {
    const double level = random.uniform() < share ? 1 + excess : 1;
    return level * std::exp(0.01 * random.normal());
  };
}

TEST(IntervalOverLaunches, CoversTheMedianOfTwoStatesButNotTheirMean) {
  // One launch in five 30 % slower. The median of the population is 1.0032 (the 0.625 quantile of
  // the fast state: z = 0.3186, times 1 %). All five launches are fast in 0.8^5 = 33 % of the runs:
  // nothing in these values tells of the slow state, so the mean 1.06 is not covered then.
  const double of_median = coverage(5, std::exp(0.003186), two_states(0.2, 0.3));
  EXPECT_GE(of_median, 0.93);
  const double of_mean = coverage(5, 1.06, two_states(0.2, 0.3));
  EXPECT_LE(of_mean, 0.70);
  EXPECT_GE(of_mean, 0.60);
}

// The values are their own ranks. By exact integer sums of binomial coefficients in Python
// (`math.comb`): the largest rank k with sum(comb(n, i) for i < k) <= 0.025 * 2**n; below 6 values
// there is none. At 2000 values 0.5**n is below the smallest double.
TEST(MedianInterval, HasTheRanksOfTheBinomialDistribution) {
  struct Row {
    std::size_t n;
    double low;
    double high;
  };
  constexpr std::array kRows = {Row{1, 1, 1},    Row{5, 1, 5},        Row{6, 1, 6},
                                Row{10, 2, 9},   Row{20, 6, 15},      Row{50, 18, 33},
                                Row{61, 23, 39}, Row{2000, 956, 1045}};
  for (const Row& row : kRows) {
    std::vector<double> values(row.n);
    std::iota(values.rbegin(), values.rend(), 1.0);
    const Interval interval = median_interval(values);
    EXPECT_EQ(interval.low, row.low) << row.n;
    EXPECT_EQ(interval.high, row.high) << row.n;
  }
}

TEST(MedianInterval, NarrowsWithLessConfidence) {
  // Of 10 values, ranks 3 and 8 hold the median with 1 - 2 * 56 / 1024 = 0.89, ranks 2 and 9 with
  // 1 - 2 * 11 / 1024 = 0.979.
  const std::vector<double> values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_EQ(median_interval(values, 0.89).low, 3);
  EXPECT_EQ(median_interval(values, 0.90).low, 2);
}

TEST(MedianInterval, RefusesNoValues) {
  EXPECT_THROW(median_interval({}), Error);
}

}  // namespace
}  // namespace headroom::stats
