// SPDX-License-Identifier: Apache-2.0
// Whether the newest runs are steady. docs/method/statistics.md gives the rates by simulation.
#include <headroom/stats.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace headroom::stats {
namespace {

constexpr std::size_t kBlocks = 8;
using BlockMedians = std::array<double, kBlocks>;

// |S| of Mann-Kendall for 8 values reaches 16 with probability 0.062 if there is no trend.
// Source: Kendall, "Rank correlation methods", table of the exact distribution of S.
constexpr int kTrendScore = 16;
// Two-sided 5 % point of the standard normal.
constexpr double kStepScore = 1.96;
// Standard error of a median of n normal values: sqrt(pi / 2) * sigma / sqrt(n).
constexpr double kMedianEfficiency = 1.2533;

BlockMedians medians_of_blocks(std::span<const double> values) {
  BlockMedians medians{};
  for (std::size_t block = 0; block < kBlocks; ++block) {
    const std::size_t begin = block * values.size() / kBlocks;
    const std::size_t end = (block + 1) * values.size() / kBlocks;
    medians[block] = median(values.subspan(begin, end - begin));
  }
  return medians;
}

int mann_kendall_score(const BlockMedians& medians) {
  int score = 0;
  for (std::size_t i = 0; i < kBlocks; ++i) {
    for (std::size_t j = i + 1; j < kBlocks; ++j) {
      score +=
          static_cast<int>(medians[j] > medians[i]) - static_cast<int>(medians[j] < medians[i]);
    }
  }
  return score;
}

// Change from the first to the last block by the median of all pairwise slopes.
double theil_sen_change(const BlockMedians& medians) {
  std::vector<double> slopes;
  slopes.reserve(kBlocks * (kBlocks - 1) / 2);
  for (std::size_t i = 0; i < kBlocks; ++i) {
    for (std::size_t j = i + 1; j < kBlocks; ++j)
      slopes.push_back((medians[j] - medians[i]) / static_cast<double>(j - i));
  }
  return median(slopes) * static_cast<double>(kBlocks - 1);
}

// Standard error of the difference of the halves' medians. The spread is the scaled median distance
// of all values from the median of their half; the two medians use up degrees of freedom, which in
// small windows makes the distances too small (factor found by simulation, see the rates).
double standard_error_of_step(std::span<const double> older, std::span<const double> newer) {
  std::vector<double> residuals;
  residuals.reserve(older.size() + newer.size());
  for (const auto half : {older, newer}) {
    const double center = median(half);
    for (const double value : half) residuals.push_back(value - center);
  }
  const auto n = static_cast<double>(residuals.size());
  const double spread = scaled_mad(residuals) * n / (n - 4);
  return kMedianEfficiency * spread * std::sqrt(2 / (n / 2));
}

}  // namespace

Steadiness judge_steadiness(std::span<const double> newest) {
  Steadiness result;
  if (newest.size() < kFewestForSteadiness) return result;
  const std::size_t half = newest.size() / 2;
  const auto older = newest.first(half);
  const auto newer = newest.last(half);
  const double level = median(older);
  if (!(level >
        0)) {  // below the clock's resolution: equal halves are steady, others have no ratio
    result.is_steady = median(newer) == level;
    return result;
  }
  const BlockMedians medians = medians_of_blocks(newest);
  result.step = median(newer) / level - 1;
  result.trend = theil_sen_change(medians) / level;
  result.noise = kStepScore * standard_error_of_step(older, newer) / level;
  const bool has_trend = std::abs(mann_kendall_score(medians)) >= kTrendScore &&
                         std::fabs(result.trend) > kSteadyChange;
  const bool has_step =
      std::fabs(result.step) > kSteadyChange && std::fabs(result.step) > result.noise;
  result.is_steady = !has_trend && !has_step;
  return result;
}

}  // namespace headroom::stats
