// SPDX-License-Identifier: Apache-2.0
#include "experiment/statistics.h"

#include <headroom/stats.h>

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace headroom::experiment {

std::vector<std::vector<double>> durations_by_launch(const Samples& samples) {
  std::map<std::int32_t, std::vector<double>> grouped;
  for (std::size_t row = 0; row < samples.size(); ++row) {
    grouped[samples.launch[row]].push_back(
        static_cast<double>(samples.end_ns[row] - samples.start_ns[row]));
  }
  std::vector<std::vector<double>> launches;
  launches.reserve(grouped.size());
  for (auto& [launch, durations] : grouped) launches.push_back(std::move(durations));
  return launches;
}

Metric over_launches(std::span<const double> values, std::uint64_t n, std::string_view reason) {
  if (values.empty()) return {.absent = std::string(reason)};
  return with_point(stats::median(values), values, n);
}

Metric with_point(double point, std::span<const double> values, std::uint64_t n) {
  Metric metric{.value = point, .n = n};
  if (const auto interval = stats::interval_over_launches(values)) {
    metric.low = std::min(interval->low, point);
    metric.high = std::max(interval->high, point);
  }
  return metric;
}

Metric percentile(std::span<const std::vector<double>> launches, double p) {
  std::vector<double> pooled;
  for (const auto& durations : launches)
    pooled.insert(pooled.end(), durations.begin(), durations.end());
  if (!stats::can_give(pooled.size(), p)) {
    return {.absent = fmt::format("percentile {:.0f} needs at least {} samples, there are {}",
                                  p * 100, stats::samples_needed(p), pooled.size())};
  }
  // A launch tells of the percentile when at least one of its samples lies beyond it.
  std::vector<double> values;
  for (const auto& durations : launches) {
    if (static_cast<double>(durations.size()) * (1 - p) >= 1)
      values.push_back(stats::quantile(durations, p));
  }
  return with_point(stats::quantile(pooled, p), values, pooled.size());
}

}  // namespace headroom::experiment
