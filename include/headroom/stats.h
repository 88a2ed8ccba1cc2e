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
/// quantile at one half: of an even number of values the lower of the two in the middle.
double median(std::span<const double> values);
double mean(std::span<const double> values);
/// Median absolute deviation from the median, times 1.4826 (consistent with sigma for normal data).
double scaled_mad(std::span<const double> values);

/// Whether n samples can give percentile p: n * (1 - p) >= 10.
bool can_give(std::size_t n, double p);
/// The smallest n for which can_give holds; p in (0, 1).
std::size_t samples_needed(double p);

/// Probability that Student's t with `degrees` degrees of freedom is at most `t`; degrees >= 1.
/// Source: Abramowitz and Stegun, 26.7.3 and 26.7.4 (finite sums for integer degrees).
double student_t_probability(double t, std::size_t degrees);
/// The t below which Student's distribution has probability p; p in (0, 1).
double student_t_quantile(double p, std::size_t degrees);

/// Two-sided interval at `confidence` for the location of the population that launch values are
/// drawn from; needs at least 2 values, gives nothing otherwise. Method: Student's t on the
/// logarithms of positive values (latencies multiply), back-transformed; on the values themselves
/// where one is not positive. It always holds the median of the values: where t alone would leave
/// it out (skewed values, many launches), it is extended to it.
std::optional<Interval> interval_over_launches(std::span<const double> values,
                                               double confidence = 0.95);

/// The order statistics between which the population's median lies with at least `confidence`; the
/// binomial distribution's, so nothing is assumed of the values' distribution. Below 6 values no
/// such pair exists at 95 %, and the outermost are given. Errors: Internal if empty.
/// Source: David and Nagaraja, "Order Statistics", 2003, section 7.1.
Interval median_interval(std::span<const double> values, double confidence = 0.95);

/// Fewest values that judge_steadiness can call steady.
inline constexpr std::size_t kFewestForSteadiness = 8;
/// Largest relative change inside the window that counts as none.
inline constexpr double kSteadyChange = 0.01;

/// Whether the newest runs still get faster or slower: a trend over eight block medians
/// (Mann-Kendall, with the Theil-Sen slope as its size) and a step between the halves' medians.
/// Either refuses only if it is both larger than kSteadyChange and larger than the noise explains.
/// Give it the newest half of all runs so far, so that the window grows with the warm-up: a window
/// of fixed length sees no slow trend. Errors: none; too few values are not steady.
struct Steadiness {
  bool is_steady = false;
  double step = 0;   ///< Relative difference of the halves' medians, newer over older, minus 1.
  double trend = 0;  ///< Relative change over the window by Theil-Sen over the block medians.
  double noise = 0;  ///< Size of a step that the noise alone exceeds in one of twenty windows.
};
Steadiness judge_steadiness(std::span<const double> newest);

}  // namespace headroom::stats
