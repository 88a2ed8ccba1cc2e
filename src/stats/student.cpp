// SPDX-License-Identifier: Apache-2.0
// Student's t distribution for integer degrees of freedom.
#include <headroom/base/error.h>
#include <headroom/stats.h>

#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace headroom::stats {
namespace {

// Probability of |T| <= t for t >= 0, as a finite sum in cos(theta), theta = atan(t /
// sqrt(degrees)).
double central_probability(double t, std::size_t degrees) {
  const double theta = std::atan(t / std::sqrt(static_cast<double>(degrees)));
  const double sine = std::sin(theta);
  const double cosine = std::cos(theta);
  const bool is_odd = degrees % 2 == 1;
  double term = is_odd ? cosine : 1.0;
  double sum = degrees == 1 ? 0.0 : term;
  for (std::size_t k = is_odd ? 3 : 2; k + 2 <= degrees; k += 2) {
    const auto order = static_cast<double>(k);
    term *= cosine * cosine * (order - 1) / order;
    sum += term;
  }
  return is_odd ? 2 / std::numbers::pi * (theta + sine * sum) : sine * sum;
}

}  // namespace

double student_t_probability(double t, std::size_t degrees) {
  if (degrees < 1) throw Error(ErrorKind::Internal, "Student's t needs a degree of freedom");
  const double central = central_probability(std::fabs(t), degrees);
  return t < 0 ? (1 - central) / 2 : (1 + central) / 2;
}

double student_t_quantile(double p, std::size_t degrees) {
  if (!(p > 0 && p < 1)) {
    throw Error(ErrorKind::Internal,
                fmt::format("Student's t at {} was asked for; wanted is (0, 1)", p));
  }
  if (p < 0.5) return -student_t_quantile(1 - p, degrees);
  // Bisection: the probability rises with t, and 200 halvings exhaust a double from any bracket.
  double low = 0;
  double high = 1;
  while (student_t_probability(high, degrees) < p && high < 1e15) high *= 2;
  for (int halving = 0; halving < 200 && low < high; ++halving) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (student_t_probability(middle, degrees) < p ? low : high) = middle;
  }
  return high;
}

}  // namespace headroom::stats
