// SPDX-License-Identifier: Apache-2.0
// Sums from running means.
#include "engine/openvino/profile.h"

#include <headroom/base/error.h>

#include <algorithm>

#include <fmt/format.h>

namespace headroom::openvino {
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

std::vector<ExecutedNode> ProfileLog::sums(std::uint64_t skipped_runs) const {
  const std::uint64_t runs = means_.size();
  const std::uint64_t skipped = std::min(skipped_runs, runs);
  const auto sum_until = [&](std::uint64_t run, std::size_t node) {
    return run == 0 ? Nanoseconds{} : static_cast<std::int64_t>(run) * means_[run - 1][node];
  };
  std::vector<ExecutedNode> nodes;
  for (std::size_t node = 0; node < newest_.size(); ++node) {
    const Nanoseconds total = sum_until(runs, node) - sum_until(skipped, node);
    if (total <= Nanoseconds{}) continue;
    const NodeReading& reading = newest_[node];
    nodes.push_back({.name = reading.name,
                     .op = reading.op,
                     .provider = "CPU",
                     .implementation = reading.implementation,
                     .runs = runs - skipped,
                     .total = total});
  }
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const ExecutedNode& a, const ExecutedNode& b) { return a.total > b.total; });
  return nodes;
}

}  // namespace headroom::openvino
