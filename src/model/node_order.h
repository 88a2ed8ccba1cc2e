// SPDX-License-Identifier: Apache-2.0
// The order of nodes: producers before consumers.
#pragma once

#include <headroom/model/graph.h>

#include "model/wire.h"

namespace headroom {

/// Puts the nodes of `graph` (not of its bodies) into topological order if they are not; among
/// nodes that are ready, the first of the file comes first. True if anything moved. A value that a
/// body takes from `graph` counts as an input of the node that holds the body. Errors: BadInput at
/// `place` for a cycle, naming the nodes on it.
bool sort_nodes(const wire::Place& place, Graph& graph);

}  // namespace headroom
