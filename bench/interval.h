// SPDX-License-Identifier: Apache-2.0
// Mean with its interval over processes, for figures that may be negative.
#pragma once

#include <headroom/stats.h>

#include <cmath>
#include <span>

namespace headroom::bench {

struct Estimate {
  double mean = 0;
  stats::Interval interval{};
};

/// Student's t at 95 %; at least two values.
inline Estimate estimate(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  const double mean = stats::mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double error = std::sqrt(squares / (n - 1) / n);
  const double half = stats::student_t_quantile(0.975, values.size() - 1) * error;
  return {.mean = mean, .interval = {.low = mean - half, .high = mean + half}};
}

}  // namespace headroom::bench
