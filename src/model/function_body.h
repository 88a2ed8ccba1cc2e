// SPDX-License-Identifier: Apache-2.0
// What a copied piece of a function's body needs before it stands in the caller's graph.
#pragma once

#include <headroom/model/graph.h>
#include <headroom/model/model.h>

#include <cstdint>
#include <span>
#include <vector>

#include "model/wire.h"

namespace headroom {

/// Memory of a copy, roughly and in bytes: what bounds the expansion of calls.
std::uint64_t weight_of(const Graph& graph);
std::uint64_t weight_of(const Attribute& attribute);

/// Replaces references to attributes of the function by those of `call`, else by the function's
/// defaults; one that has neither is removed. Bodies of subgraphs included. `node` stands in the
/// graph of `call` already, so that subgraphs passed as attributes see the values they were written
/// for. Gives the weight of what was copied. Errors: Unsupported at `place` for a subgraph with
/// outer values that is passed into another subgraph.
std::uint64_t bind_attributes(const wire::Place& place, Node& node, const Node& call,
                              const Function& function);

/// Tells the bodies of `node` that value v of the graph around them is now `renumbered[v]`;
/// kNoValue means that it is gone: uses of it become omitted inputs. Errors: BadInput at `place` if
/// a body gives out such a value.
void renumber_outer_values(const wire::Place& place, Node& node,
                           std::span<const ValueId> renumbered);

}  // namespace headroom
