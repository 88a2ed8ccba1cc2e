// SPDX-License-Identifier: Apache-2.0
// Sums from running means, and names from the engine's lists.
#include "engine/openvino/profile.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>

#include <algorithm>

#include <fmt/format.h>

namespace headroom::openvino {
namespace {

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

}  // namespace

void ProfileLog::add(std::vector<NodeReading> readings) {
  if (!means_.empty() && readings.size() != newest_.size()) {
    throw Error(ErrorKind::Engine,
                fmt::format("engine 'openvino' told the times of {} nodes after run {}, and of {} "
                            "after the one before",
                            readings.size(), means_.size() + 1, newest_.size()));
  }
  std::vector<Nanoseconds>& means = means_.emplace_back();
  means.reserve(readings.size());
  for (const NodeReading& reading : readings) means.push_back(reading.mean);
  newest_ = std::move(readings);
}

std::vector<NodeTiming> ProfileLog::sums(std::uint64_t skipped_runs,
                                         const std::map<std::string, std::string>& names) const {
  const std::uint64_t runs = means_.size();
  const std::uint64_t skipped = std::min(skipped_runs, runs);
  const auto sum_until = [&](std::uint64_t run, std::size_t node) {
    return run == 0 ? Nanoseconds{} : static_cast<std::int64_t>(run) * means_[run - 1][node];
  };
  std::vector<NodeTiming> timings;
  for (std::size_t node = 0; node < newest_.size(); ++node) {
    const Nanoseconds total = sum_until(runs, node) - sum_until(skipped, node);
    if (total <= Nanoseconds{}) continue;
    const NodeReading& reading = newest_[node];
    const auto found = names.find(reading.name);
    timings.push_back({.name = found == names.end() ? reading.name : found->second,
                       .op = reading.op,
                       .provider = reading.provider,
                       .runs = runs - skipped,
                       .total = total});
  }
  std::stable_sort(timings.begin(), timings.end(),
                   [](const NodeTiming& a, const NodeTiming& b) { return a.total > b.total; });
  return timings;
}

std::string original_names(std::string_view layers,
                           const std::map<std::string, std::string>& nodes) {
  std::vector<std::string> known;
  std::vector<std::string> generated;
  for (const std::string& layer : split(layers, ',')) {
    const auto found = nodes.find(layer);
    if (found != nodes.end()) {
      add_once(known, found->second);
    } else if (!layer.empty()) {
      add_once(generated, layer);
    }
  }
  return join(known.empty() ? generated : known, ", ");
}

}  // namespace headroom::openvino
