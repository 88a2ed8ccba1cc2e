// SPDX-License-Identifier: Apache-2.0
// The profile that ONNX Runtime writes, read as a stream into times by node.
#pragma once

#include <headroom/engine.h>

#include <filesystem>
#include <vector>

namespace headroom::onnxruntime {

/// Times by node name, operator and provider, the largest first. A node with bodies is charged with
/// its own time only: events of the same thread that lie inside its own are subtracted. The engine
/// records at most a million events, then none; `runs` says how many executions each sum holds.
/// Units: the file counts whole microseconds. Cost: linear in the file; memory for the distinct
/// nodes and the events of one run. Errors: NotFound; Engine for text that is not such a profile.
std::vector<NodeTiming> read_profile(const std::filesystem::path& path, std::uint64_t skipped_runs);

}  // namespace headroom::onnxruntime
