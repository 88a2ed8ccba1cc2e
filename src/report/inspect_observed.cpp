// SPDX-License-Identifier: Apache-2.0
// Values by what is odd about them.
#include "report/inspect_observed.h"

#include <headroom/base/text.h>
#include <headroom/model/tensor.h>

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "report/table.h"

namespace headroom::report {
namespace {

constexpr std::size_t kMostValues = 10;
constexpr double kManyZeros = 0.5;
/// Fewer equal elements are a setting, such as a pair of strides.
constexpr std::uint64_t kManyEqual = 16;

double share_of(std::uint64_t part, const ElementCensus& census) {
  return census.elements == 0 ? 0
                              : static_cast<double>(part) / static_cast<double>(census.elements);
}

bool is_odd(const ObservedValue& value) {
  const ElementCensus& census = value.census;
  return census.nans + census.infinities + census.denormals > 0 ||
         (census.is_constant && census.elements >= kManyEqual) ||
         (census.elements > 1 && share_of(census.zeros, census) >= kManyZeros);
}

// What is no number weighs most, then what is slow, then what could be skipped.
std::array<std::uint64_t, 3> weight(const ObservedValue& value) {
  return {value.census.nans + value.census.infinities, value.census.denormals, value.census.zeros};
}

std::string share_text(std::uint64_t part, const ElementCensus& census) {
  return part == 0 ? "-" : fmt::format("{:.1f} %", 100 * share_of(part, census));
}

std::vector<const ObservedValue*> odd_values(std::span<const ObservedValue> values) {
  std::vector<const ObservedValue*> odd;
  for (const ObservedValue& value : values) {
    if (is_odd(value)) odd.push_back(&value);
  }
  std::stable_sort(odd.begin(), odd.end(), [](const ObservedValue* a, const ObservedValue* b) {
    return weight(*a) > weight(*b);
  });
  return odd;
}

void write_odd(std::ostream& out, std::span<const ObservedValue> values, const TextStyle& style,
               std::string_view indent) {
  const std::vector<const ObservedValue*> odd = odd_values(values);
  if (odd.empty()) {
    out << indent
        << fmt::format(
               "{} values: none has a denormal, a NaN or an infinity, zeros in half of it, or is "
               "all equal\n",
               format_exact(values.size()));
    return;
  }
  Table table({{.title = "value", .align = Align::Left, .least = 16},
               {.title = "shape", .align = Align::Left, .is_optional = true},
               {.title = "zeros"},
               {.title = "denormals"},
               {.title = "NaN"},
               {.title = "infinite"},
               {.title = "all equal", .align = Align::Left}});
  for (std::size_t i = 0; i < std::min(odd.size(), kMostValues); ++i) {
    const ElementCensus& census = odd[i]->census;
    table.add_row({printable(odd[i]->name), shape_text(odd[i]->shape),
                   share_text(census.zeros, census), share_text(census.denormals, census),
                   share_text(census.nans, census), share_text(census.infinities, census),
                   census.is_constant ? "yes" : "-"});
  }
  table.write(out, style, indent);
  if (odd.size() > kMostValues)
    out << indent << fmt::format("and {} more; --json lists all\n", odd.size() - kMostValues);
}

}  // namespace

void write_weights(std::ostream& out, std::span<const ObservedValue> weights,
                   const TextStyle& style, std::string_view indent) {
  out << '\n';
  write_heading(out, style, fmt::format("{} weights", format_exact(weights.size())));
  write_odd(out, weights, style, indent);
}

void write_observed(std::ostream& out, const Record& observed, const TextStyle& style,
                    std::string_view indent) {
  out << '\n';
  write_heading(out, style,
                fmt::format("seen in one run on {} {}, inputs {}, seed {}", observed.engine.name,
                            observed.engine.version, observed.plan_case.inputs_from,
                            observed.plan_case.seed));
  write_odd(out, observed.observation.values, style, indent);
}

}  // namespace headroom::report
