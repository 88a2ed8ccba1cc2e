// SPDX-License-Identifier: Apache-2.0
// From samples to metrics: statistic per launch, then over launches.
#pragma once

#include <headroom/record.h>

#include <span>
#include <string_view>
#include <vector>

namespace headroom::experiment {

/// The durations of each launch that gave samples, in nanoseconds, launches in order.
std::vector<std::vector<double>> durations_by_launch(const Samples& samples);

/// The median of the launches' values with the interval over launches; `n` is what stands behind
/// them. Absent with `reason` when there are no values.
Metric over_launches(std::span<const double> values, std::uint64_t n, std::string_view reason);

/// As over_launches, but the value is `point`, to which the interval is extended: an extreme or a
/// pooled quantile is no launch's typical value.
Metric with_point(double point, std::span<const double> values, std::uint64_t n);

/// Percentile p of all samples together with the interval over the launches' own; absent by name
/// when the samples cannot give it.
Metric percentile(std::span<const std::vector<double>> launches, double p);

}  // namespace headroom::experiment
