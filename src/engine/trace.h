// SPDX-License-Identifier: Apache-2.0
// What the traces of engines share: the file as they compare it, and the nodes that are not
// executed.
#pragma once

#include <headroom/engine.h>
#include <headroom/model/graph.h>
#include <headroom/model/model.h>

#include <filesystem>
#include <string_view>
#include <vector>

namespace headroom {

/// The file as traces compare it with an engine's graph: functions inlined, inferred. Before IR 4
/// every initializer had to be listed as an input; engines take such for constants, so they are
/// none that a caller may replace. Errors: as load_model. Source: ONNX IR specification.
Model load_for_trace(const std::filesystem::path& path);

/// By node, whether it follows from constants alone: its inputs are stored tensors, or values of
/// such nodes. A value that the caller may replace is no constant, nor is a random one.
std::vector<bool> nodes_of_constants(const Graph& graph);

/// Whether the operator hands its input on as it is, at most under another shape or type.
bool is_view(std::string_view op);

/// Adds the nodes of `file` to `traced.file_nodes`; sorts those that are not in `is_executed` (by
/// node) into `traced.folded` and `traced.removed`, with those in their bodies. Folded are those
/// whose outputs are known without a run, or are needed by folded ones alone. `file` must be
/// inferred. Cost: linear in the nodes.
void add_trace(const Graph& file, const std::vector<bool>& is_executed, ExecutedGraph& traced);

}  // namespace headroom
