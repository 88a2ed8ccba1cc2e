// SPDX-License-Identifier: Apache-2.0
// From the nodes of OpenVINO's runtime model back to those of the file.
#pragma once

#include <headroom/engine.h>
#include <headroom/model/graph.h>

#include <memory>
#include <vector>

#include <openvino/core/model.hpp>

namespace headroom::openvino {

/// Fills everything of an ExecutedGraph but times, in the engine's order. Inputs, outputs and what
/// is computed from constants alone are no nodes. `file` must be inferred. Nodes in bodies (If,
/// Loop) are not told by the engine and not counted. Source: the runtime information
/// `originalLayersNames`, `primitiveType`, `runtimePrecision`, `outputLayouts` (exec_model_info).
ExecutedGraph trace_nodes(const Graph& file, const ov::Model& runtime);

/// Adds times by name. A time of no traced node adds an untraced one. Afterwards the longest stand
/// first.
void add_times(std::vector<ExecutedNode> timed, ExecutedGraph& traced);

}  // namespace headroom::openvino
