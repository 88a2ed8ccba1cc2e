// SPDX-License-Identifier: Apache-2.0
// The instrumented run as a table by operator, and what the engine made of the file's nodes.
#pragma once

#include <headroom/record.h>
#include <headroom/report/text_style.h>

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace headroom::report {

/// The nodes of one operator in one run.
struct OperatorTime {
  std::string op{};
  std::uint64_t nodes = 0;
  double calls = 0;  ///< Executions in one run.
  double time_ns = 0;
  double share = 0;  ///< Of the time of all nodes.
};

/// Sums by operator over the nodes that have a time, the longest first.
std::vector<OperatorTime> times_by_operator(const Profile& profile);

/// The table with the ratio instrumented/plain above it. Distorted shares are called so; where the
/// instrumentation costs more than the work, only counts are shown.
void write_operators(std::ostream& out, const Profile& profile, const TextStyle& style);

/// What became of the file's nodes, in words: how many are executed as they are, fused, folded,
/// removed, and what was inserted.
void write_graph(std::ostream& out, const Profile& profile, const TextStyle& style);

}  // namespace headroom::report
