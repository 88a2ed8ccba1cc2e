// SPDX-License-Identifier: Apache-2.0
// Order statistics and simple summaries.
#include <headroom/base/error.h>
#include <headroom/stats.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace headroom::stats {
namespace {

// Products such as 0.55 * 100 land a few units in the last place beside the integer that is meant;
// within this relative distance the integer counts.
constexpr double kRounding = 1e-12;

void require_values(std::span<const double> values, const char* what) {
  if (values.empty())
    throw Error(ErrorKind::Internal, fmt::format("{} of no values was asked for", what));
}

// ceil(p * n), at least 1 and at most n.
std::size_t rank_of(double p, std::size_t n) {
  const double exact = p * static_cast<double>(n);
  const double rank = std::ceil(exact - exact * kRounding);
  return std::clamp(static_cast<std::size_t>(rank), std::size_t{1}, n);
}

}  // namespace

double quantile(std::span<const double> values, double p) {
  require_values(values, "a quantile");
  if (!(p > 0 && p <= 1)) {
    throw Error(ErrorKind::Internal,
                fmt::format("a quantile at {} was asked for; wanted is (0, 1]", p));
  }
  std::vector<double> sorted(values.begin(), values.end());
  const auto element = sorted.begin() + static_cast<std::ptrdiff_t>(rank_of(p, sorted.size()) - 1);
  std::nth_element(sorted.begin(), element, sorted.end());
  return *element;
}

double median(std::span<const double> values) {
  return quantile(values, 0.5);
}

double mean(std::span<const double> values) {
  require_values(values, "the mean");
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double scaled_mad(std::span<const double> values) {
  constexpr double kNormalConsistency = 1.4826;  // 1 / quantile(0.75) of the standard normal
  const double center = median(values);
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double value : values) distances.push_back(std::fabs(value - center));
  return kNormalConsistency * median(distances);
}

std::size_t samples_needed(double p) {
  constexpr double kFewestBeyond = 10;
  const double exact = kFewestBeyond / (1 - p);
  return static_cast<std::size_t>(std::ceil(exact - exact * kRounding));
}

bool can_give(std::size_t n, double p) {
  return n >= samples_needed(p);
}

}  // namespace headroom::stats
