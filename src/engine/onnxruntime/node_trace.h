// SPDX-License-Identifier: Apache-2.0
// From the nodes of an optimised graph back to those of the file.
#pragma once

#include <headroom/engine.h>
#include <headroom/model/graph.h>

namespace headroom::onnxruntime {

/// Fills everything of an ExecutedGraph but times: each node of `optimized`, in its order, a node's
/// bodies before it. A node of the file belongs to the executed node whose outputs need it and
/// whose inputs do not hold its result yet; so names of nodes are of no matter where values keep
/// theirs. Values that the optimiser renames are found by its rules for names (version 1.32):
/// `V_nchwc` is a node that gives value V of the file, or one that follows from V alone;
/// `N_token_9` stands for node N. Both graphs must be inferred. Cost: linear but for fused regions,
/// each walked once or twice.
ExecutedGraph trace_nodes(const Graph& file, const Graph& optimized);

}  // namespace headroom::onnxruntime
