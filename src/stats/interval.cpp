// SPDX-License-Identifier: Apache-2.0
// Intervals over launches, and of a median by ranks.
#include <headroom/base/error.h>
#include <headroom/stats.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::stats {
namespace {

Interval t_interval(std::span<const double> values, double confidence) {
  const auto n = static_cast<double>(values.size());
  const double center = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - center) * (value - center);
  const double standard_error = std::sqrt(squares / (n - 1) / n);
  const double t = student_t_quantile((1 + confidence) / 2, values.size() - 1);
  return {.low = center - t * standard_error, .high = center + t * standard_error};
}

// The largest rank (from 1) below which the median lies with probability `tail` at most.
// Logarithms, since 0.5 to the power n is no double from n = 1075 on.
std::size_t low_rank(std::size_t n, double tail) {
  double log_probability = static_cast<double>(n) * std::log(0.5);  // Of no value below the median.
  double below = std::exp(log_probability);
  std::size_t rank = 1;
  while (2 * rank < n) {
    log_probability += std::log(static_cast<double>(n - rank + 1) / static_cast<double>(rank));
    below += std::exp(log_probability);
    if (below > tail) break;
    ++rank;
  }
  return rank;
}

}  // namespace

std::optional<Interval> interval_over_launches(std::span<const double> values, double confidence) {
  if (values.size() < 2) return std::nullopt;
  const auto [smallest, largest] = std::minmax_element(values.begin(), values.end());
  Interval interval;
  if (*smallest == *largest) {
    interval = {.low = *smallest, .high = *largest};  // equal to the bit, which exp(log(x)) is not
  } else if (*smallest > 0) {
    std::vector<double> logarithms;
    logarithms.reserve(values.size());
    for (const double value : values) logarithms.push_back(std::log(value));
    const Interval of_logarithms = t_interval(logarithms, confidence);
    constexpr double kLargest = std::numeric_limits<double>::max();
    interval = {.low = std::exp(of_logarithms.low),
                .high = std::min(std::exp(of_logarithms.high), kLargest)};
  } else {
    interval = t_interval(values, confidence);
    if (*smallest >= 0) interval.low = std::max(interval.low, 0.0);  // a count or size has no less
  }
  const double middle = median(values);
  return Interval{.low = std::min(interval.low, middle), .high = std::max(interval.high, middle)};
}

Interval median_interval(std::span<const double> values, double confidence) {
  if (values.empty()) throw Error(ErrorKind::Internal, "median_interval: no values");
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t rank = low_rank(sorted.size(), (1 - confidence) / 2);
  return {.low = sorted[rank - 1], .high = sorted[sorted.size() - rank]};
}

}  // namespace headroom::stats
