// SPDX-License-Identifier: Apache-2.0
// The rules of NumPy's allclose, element by element, in double precision.
#include "measure/compare_value.h"

#include <headroom/base/text.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include <fmt/format.h>

#include "measure/elements.h"

namespace headroom::measure {
namespace {

// Two units in the last place of bfloat16. Source: as assert_similar_outputs.
constexpr double kBfloat16Relative = 0x1p-6;

// The comparison of two tensors of one type and shape.
struct Findings {
  std::size_t elements = 0;
  std::size_t different = 0;
  std::size_t worst = 0;  // the different element with the largest difference
  double worst_abs = -1;  // its difference; infinite where one side is not finite
  double max_abs = 0;     // finite differences, also those within the tolerance
  double max_rel = 0;
};

bool is_complex(ElementType type) {
  return type == ElementType::Complex64 || type == ElementType::Complex128;
}

std::complex<double> element_at(const Tensor& tensor, std::size_t index) {
  if (!is_complex(tensor.type)) return {number_at(tensor, index), 0};
  return {number_at(tensor, 2 * index), number_at(tensor, 2 * index + 1)};
}

bool is_finite(std::complex<double> value) {
  return std::isfinite(value.real()) && std::isfinite(value.imag());
}

bool is_nan(std::complex<double> value) {
  return std::isnan(value.real()) || std::isnan(value.imag());
}

void note_difference(std::size_t index, double difference, Findings& findings) {
  ++findings.different;
  if (difference <= findings.worst_abs) return;
  findings.worst_abs = difference;
  findings.worst = index;
}

void compare_element(const Tensor& actual, const Tensor& expected, std::size_t index,
                     const Tolerance& tolerance, Findings& findings) {
  const std::complex<double> a = element_at(actual, index);
  const std::complex<double> e = element_at(expected, index);
  if (!is_finite(a) || !is_finite(e)) {
    const bool is_equal = a == e || (is_nan(a) && is_nan(e));
    if (!is_equal) note_difference(index, std::numeric_limits<double>::infinity(), findings);
    return;
  }
  const double difference = std::abs(a - e);
  const double size = std::abs(e);
  findings.max_abs = std::max(findings.max_abs, difference);
  if (size > 0) findings.max_rel = std::max(findings.max_rel, difference / size);
  if (difference > tolerance.absolute + tolerance.relative * size)
    note_difference(index, difference, findings);
}

Findings compare_elements(const Tensor& actual, const Tensor& expected,
                          const Tolerance& tolerance) {
  Findings findings;
  if (expected.type == ElementType::String) {
    findings.elements = expected.strings.size();
    for (std::size_t i = 0; i < expected.strings.size(); ++i)
      if (actual.strings[i] != expected.strings[i]) note_difference(i, 0, findings);
    return findings;
  }
  findings.elements = static_cast<std::size_t>(element_count(expected.shape));
  for (std::size_t i = 0; i < findings.elements; ++i)
    compare_element(actual, expected, i, tolerance, findings);
  return findings;
}

std::string explain(const Findings& findings, const Tensor& actual, const Tensor& expected) {
  if (findings.different == 0) return {};
  // Parts of complex numbers are numbered one by one; the real part stands for the element.
  const std::size_t number = is_complex(expected.type) ? 2 * findings.worst : findings.worst;
  const std::string size = std::isfinite(findings.worst_abs) && findings.worst_abs > 0
                               ? fmt::format(" by up to {:.3g}", findings.worst_abs)
                               : "";
  return fmt::format("{} of {} elements differ{}, most at {}: found {}, expected {}",
                     findings.different, findings.elements, size, place_of(expected, number),
                     value_text(actual, number), value_text(expected, number));
}

bool has_same_form(const Datum& actual, const Datum& expected) {
  if (actual.kind != expected.kind) return false;
  if (actual.kind != DatumKind::Tensor) return actual.kind != DatumKind::Other;
  return actual.tensor.type == expected.tensor.type &&
         actual.tensor.shape == expected.tensor.shape &&
         actual.tensor.strings.size() == expected.tensor.strings.size();
}

void compare_tensors(const Tensor& actual, const Tensor& expected, const Tolerance& tolerance,
                     OutputCheck& check) {
  Tolerance used = tolerance;
  if (expected.type == ElementType::Bfloat16)
    used.relative = std::max(used.relative, kBfloat16Relative);
  const Findings findings = compare_elements(actual, expected, used);
  check.is_equal = findings.different == 0;
  check.max_abs = std::max(check.max_abs, findings.max_abs);
  check.max_rel = std::max(check.max_rel, findings.max_rel);
  check.rel_tolerance = used.relative;
  check.reason = explain(findings, actual, expected);
}

void compare_into(const Datum& actual, const Datum& expected, const Tolerance& tolerance,
                  OutputCheck& check);

void compare_sequences(const Datum& actual, const Datum& expected, const Tolerance& tolerance,
                       OutputCheck& check) {
  check.is_equal = actual.elements.size() == expected.elements.size();
  if (!check.is_equal) {
    check.reason =
        fmt::format("found a {}, expected a {}", description_of(actual), description_of(expected));
    return;
  }
  for (std::size_t i = 0; i < expected.elements.size() && check.is_equal; ++i) {
    compare_into(actual.elements[i], expected.elements[i], tolerance, check);
    if (!check.is_equal) check.reason = fmt::format("element {}: {}", i, check.reason);
  }
}

// The form of the whole output stands in `check` already.
void compare_into(const Datum& actual, const Datum& expected, const Tolerance& tolerance,
                  OutputCheck& check) {
  if (!has_same_form(actual, expected)) {
    check.is_equal = false;
    check.reason =
        fmt::format("found {}, expected {}", description_of(actual), description_of(expected));
  } else if (actual.kind == DatumKind::Tensor) {
    compare_tensors(actual.tensor, expected.tensor, tolerance, check);
  } else if (actual.kind == DatumKind::Sequence) {
    compare_sequences(actual, expected, tolerance, check);
  } else {
    check.is_equal = true;  // two empty optionals
  }
}

}  // namespace

OutputCheck compare_value(const Datum& actual, const Datum& expected, const Tolerance& tolerance) {
  const bool is_tensor = actual.kind == DatumKind::Tensor;
  OutputCheck check{
      .name = actual.name.empty() ? expected.name : actual.name,
      .type = std::string(is_tensor ? to_string(actual.tensor.type) : to_string(actual.kind)),
      .shape = is_tensor ? shape_text(actual.tensor.shape) : "",
      .abs_tolerance = tolerance.absolute,
      .rel_tolerance = tolerance.relative};
  compare_into(actual, expected, tolerance, check);
  return check;
}

}  // namespace headroom::measure
