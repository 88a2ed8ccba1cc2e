// SPDX-License-Identifier: Apache-2.0
#include "app/observed_facts.h"

#include <headroom/base/text.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace headroom::app {
namespace {

// Threads that were asked for and had nothing to do.
void warn_of_idle_threads(Record& record) {
  std::optional<std::uint64_t> most;
  for (const Launch& launch : record.launches) {
    if (launch.busy_threads) most = std::max(most.value_or(0), *launch.busy_threads);
  }
  const int asked = record.plan_case.threads;
  if (!most || *most >= static_cast<std::uint64_t>(asked)) return;
  record.warnings.push_back(
      {.code = "threads_idle",
       .found = fmt::format("{} threads were asked for, and no launch kept more than {} busy",
                            asked, *most),
       .effect = "the others cost memory and wake-ups and bring nothing: operators are too small "
                 "to share, or the engine shares none of this model",
       .remedy = "compare with --threads 1, or give a larger batch"});
}

using Counts = std::map<std::string, std::size_t>;

Counts count_nodes(const Record& record, std::string NodeTime::*fact) {
  Counts counts;
  for (const NodeTime& node : record.profile.nodes)
    if (!(node.*fact).empty()) ++counts[node.*fact];
  return counts;
}

// `float32 57, int64 2`, the most frequent first.
std::string text_of(const Counts& counts) {
  std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> parts;
  for (const auto& [name, count] : sorted) parts.push_back(fmt::format("{} {}", name, count));
  return join(parts, ", ");
}

void note_effective(Record& record, const Counts& providers, const Counts& precisions) {
  if (!providers.empty()) {
    record.engine.effective["provider"] =
        (providers.size() == 1 ? providers.begin()->first : text_of(providers)) + " (observed)";
  }
  if (!precisions.empty())
    record.engine.effective["node_precisions"] = text_of(precisions) + " (observed)";
}

// An option's word and the float type of elements that it asks for.
struct FloatType {
  std::string_view option;
  std::string_view type;
};
constexpr std::array kFloatTypes = {FloatType{"f32", "float32"}, FloatType{"bf16", "bfloat16"},
                                    FloatType{"f16", "float16"}};

// With a narrow precision the engine keeps some nodes in float32, which is its affair; that it
// keeps all of them is not, nor are narrow nodes where float32 was asked for.
void warn_of_precision(Record& record, const Counts& precisions) {
  const std::string& option = record.plan_case.precision;
  std::size_t as_asked = 0;
  Counts others;
  for (const FloatType& one : kFloatTypes) {
    const auto found = precisions.find(std::string(one.type));
    if (found == precisions.end()) continue;
    if (one.option == option) {
      as_asked = found->second;
    } else {
      others.insert(*found);
    }
  }
  const bool is_narrower = option == "f32" && !others.empty();
  const bool is_ignored = as_asked == 0 && !others.empty();
  if (!is_narrower && !is_ignored) return;
  record.warnings.push_back(
      {.code = "precision_differs",
       .found = fmt::format("precision {} was asked for; nodes by the type that they computed in: "
                            "{}{}",
                            option, text_of(others),
                            as_asked == 0 ? "" : fmt::format(", as asked {}", as_asked)),
       .effect = "times and outputs are those of the types that ran, not of the one asked for",
       .remedy = "compare it with nothing of another precision; see nodes[].precision for which "
                 "nodes, and the model's own types with `headroom inspect`"});
}

}  // namespace

void compare_with_asked(Record& record) {
  warn_of_idle_threads(record);
  const Counts precisions = count_nodes(record, &NodeTime::precision);
  note_effective(record, count_nodes(record, &NodeTime::provider), precisions);
  warn_of_precision(record, precisions);
}

}  // namespace headroom::app
