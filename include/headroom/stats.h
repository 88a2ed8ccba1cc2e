// SPDX-License-Identifier: Apache-2.0
// Statistics on values: no clock, no I/O, seeded where random. docs/method/statistics.md gives the
// definitions and sources.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headroom::stats {

struct Interval {
  double low = 0;
  double high = 0;
};

/// The element of rank ceil(p * n) of the sorted values; p in (0, 1]. Errors: Internal if empty.
double quantile(std::span<const double> values, double p);
double median(std::span<const double> values);
double mean(std::span<const double> values);
/// Median absolute deviation from the median, times 1.4826 (consistent with sigma for normal data).
double scaled_mad(std::span<const double> values);

/// Whether n samples can give percentile p: n * (1 - p) >= 10.
bool can_give(std::size_t n, double p);

/// Two-sided interval at `confidence` for the location of the population that launch values are
/// drawn from; needs at least 2 values, gives nothing otherwise. Method: Student's t on the
/// logarithms of positive values (latencies multiply), back-transformed.
std::optional<Interval> interval_over_launches(std::span<const double> values,
                                               double confidence = 0.95);

/// Whether the newest runs still get faster or slower: a test for a trend and for a step between
/// the halves of the last `window` values. Used to end warm-up.
struct Steadiness {
  bool is_steady = false;
  double step = 0;  ///< Relative difference of the halves' medians.
};
Steadiness judge_steadiness(std::span<const double> newest);

}  // namespace headroom::stats
