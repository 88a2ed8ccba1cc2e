// SPDX-License-Identifier: Apache-2.0
// Element by element, so that the first difference can be named with its place.
#include "measure/compare.h"

#include <headroom/base/text.h>
#include <headroom/measure.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "measure/elements.h"
#include "measure/tolerance.h"

namespace headroom::measure {
namespace {

// What a pass over all elements finds.
struct Findings {
  double max_abs = 0;
  double max_rel = 0;
  std::size_t different = 0;
  std::size_t first = 0;        // index of the first different element
  std::size_t not_numbers = 0;  // NaN in both
  std::size_t infinite = 0;     // the same infinity in both
};

// Whether one of the two is not finite and the pair is thereby decided; counts what they share.
bool is_special(double actual, double expected, Findings& findings, bool& is_equal) {
  if (std::isfinite(actual) && std::isfinite(expected)) return false;
  const bool both_nan = std::isnan(actual) && std::isnan(expected);
  const bool same_infinity = actual == expected;
  if (both_nan) ++findings.not_numbers;
  if (same_infinity) ++findings.infinite;
  is_equal = both_nan || same_infinity;
  return true;
}

bool is_near(double actual, double expected, const Tolerance& tolerance, Findings& findings) {
  const double difference = std::fabs(actual - expected);
  const double size = std::fabs(expected);
  if (std::isfinite(difference)) {
    findings.max_abs = std::max(findings.max_abs, difference);
    if (size > tolerance.absolute && size > 0)
      findings.max_rel = std::max(findings.max_rel, difference / size);
  }
  return difference <= tolerance.absolute + tolerance.relative * size;
}

Findings compare_numbers(const Tensor& actual, const Tensor& expected, const Tolerance& tolerance) {
  Findings findings;
  const bool is_exact = !is_float(actual.type) && tolerance.absolute == 0;
  const std::size_t count = number_count(expected);
  for (std::size_t i = 0; i < count; ++i) {
    const double a = number_at(actual, i);
    const double e = number_at(expected, i);
    bool is_equal = false;
    if (!is_special(a, e, findings, is_equal)) {
      is_equal = is_near(a, e, tolerance, findings);
      // Integers beyond 2^53 may be equal as doubles and yet differ.
      const bool is_integer_like = is_integer(actual.type) || actual.type == ElementType::Bool;
      if (is_exact && is_integer_like) is_equal = bits_at(actual, i) == bits_at(expected, i);
    }
    if (!is_equal && findings.different++ == 0) findings.first = i;
  }
  return findings;
}

Findings compare_strings(const Tensor& actual, const Tensor& expected) {
  Findings findings;
  for (std::size_t i = 0; i < expected.strings.size(); ++i)
    if (actual.strings[i] != expected.strings[i] && findings.different++ == 0) findings.first = i;
  return findings;
}

std::string explain(const Findings& findings, const Tensor& actual, const Tensor& expected) {
  const std::size_t count =
      actual.type == ElementType::String ? expected.strings.size() : number_count(expected);
  if (findings.different > 0) {
    return fmt::format("{} of {} elements differ, the first at {}: found {}, expected {}",
                       findings.different, count, place_of(expected, findings.first),
                       value_text(actual, findings.first), value_text(expected, findings.first));
  }
  std::string remark;
  if (findings.not_numbers > 0)
    remark = fmt::format("{} of {} elements are NaN in both", findings.not_numbers, count);
  if (findings.infinite > 0) {
    remark += fmt::format("{}{} of {} elements are the same infinity in both",
                          remark.empty() ? "" : ", ", findings.infinite, count);
  }
  return remark;
}

// Why two tensors cannot be compared element by element; empty if they can.
std::string structural_difference(const Tensor& actual, const Tensor& expected) {
  if (actual.type != expected.type)
    return fmt::format("type {}, expected {}", to_string(actual.type), to_string(expected.type));
  if (actual.shape != expected.shape) {
    return fmt::format("shape {}, expected {}", shape_text(actual.shape),
                       shape_text(expected.shape));
  }
  if (actual.strings.size() != expected.strings.size())
    return fmt::format("{} strings, expected {}", actual.strings.size(), expected.strings.size());
  return {};
}

}  // namespace

OutputCheck compare_output(const Tensor& actual, const Tensor& expected, double noise) {
  OutputCheck check{.name = actual.name.empty() ? expected.name : actual.name,
                    .type = std::string(to_string(actual.type)),
                    .shape = shape_text(actual.shape)};
  check.reason = structural_difference(actual, expected);
  if (!check.reason.empty()) return check;
  const Tolerance tolerance = tolerance_for(expected, noise);
  const Findings findings = actual.type == ElementType::String
                                ? compare_strings(actual, expected)
                                : compare_numbers(actual, expected, tolerance);
  check.is_equal = findings.different == 0;
  check.max_abs = findings.max_abs;
  check.max_rel = findings.max_rel;
  check.abs_tolerance = tolerance.absolute;
  check.rel_tolerance = tolerance.relative;
  check.reason = explain(findings, actual, expected);
  return check;
}

bool is_identical(const Tensor& a, const Tensor& b) {
  const auto bytes_a = a.data.bytes();
  const auto bytes_b = b.data.bytes();
  return a.type == b.type && a.shape == b.shape && a.strings == b.strings &&
         std::equal(bytes_a.begin(), bytes_a.end(), bytes_b.begin(), bytes_b.end());
}

double largest_difference(const Tensor& a, const Tensor& b) {
  if (!structural_difference(a, b).empty()) return 0;
  return compare_numbers(a, b, {}).max_abs;
}

}  // namespace headroom::measure

namespace headroom {

std::vector<OutputCheck> compare_outputs(std::span<const Tensor> actual,
                                         std::span<const Tensor> expected) {
  std::vector<OutputCheck> checks;
  for (std::size_t i = 0; i < std::max(actual.size(), expected.size()); ++i) {
    if (i >= actual.size()) {
      checks.push_back(
          {.name = expected[i].name, .reason = "expected, but the model has no such output"});
    } else if (i >= expected.size()) {
      checks.push_back({.name = actual[i].name, .reason = "not compared: the reference lacks it"});
    } else if (actual[i].type == ElementType::Undefined) {
      checks.push_back({.name = actual[i].name, .reason = "not compared: it is not a tensor"});
    } else {
      checks.push_back(measure::compare_output(actual[i], expected[i], 0));
    }
  }
  return checks;
}

}  // namespace headroom
