// SPDX-License-Identifier: Apache-2.0
// The profile that ONNX Runtime writes, read as a stream into times by node.
#pragma once

#include <headroom/engine.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headroom::onnxruntime {

/// Time of a node, summed over runs.
struct NodeTiming {
  std::string name{};
  std::string op{};
  std::string provider{};
  std::string precision{};  ///< Element type of its first output; empty where there is none.
  std::uint64_t runs = 0;
  Nanoseconds total{};
};

/// Times by node name, operator and provider, in the order of first ends. A node with bodies is
/// charged with its own time only: events of the same thread that lie inside its own are
/// subtracted. The engine records at most a million events, then none; `runs` says how many
/// executions each sum holds. Units: the file counts whole microseconds. Cost: linear in the file;
/// memory for the distinct nodes and the events of one run. Errors: NotFound; Engine for text that
/// is not such a profile.
std::vector<NodeTiming> read_profile(const std::filesystem::path& path, std::uint64_t skipped_runs);

/// Adds times to traced nodes (trace_nodes), by name and operator; the engine gives a node without
/// a name one for its profile, so those are told by their order. A time of no traced node adds an
/// untraced one. Afterwards the longest stand first.
void add_times(std::vector<NodeTiming> timings, ExecutedGraph& traced);

}  // namespace headroom::onnxruntime
