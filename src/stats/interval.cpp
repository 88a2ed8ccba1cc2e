// SPDX-License-Identifier: Apache-2.0
// Intervals over launches.
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

}  // namespace headroom::stats
