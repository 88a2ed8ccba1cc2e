// SPDX-License-Identifier: Apache-2.0
// What a node reads of the graph that it stands in.
#pragma once

#include <headroom/model/graph.h>

namespace headroom {

/// Calls `visit` with each value that `node` reads, those that its bodies see outside of them too;
/// with some more than once.
template <class Visit>
void for_each_read(const Node& node, Visit visit) {
  for (const ValueId id : node.inputs) {
    if (id != kNoValue) visit(id);
  }
  for (const Graph* body : node.bodies()) {
    for (const Value& value : body->values) {
      if (value.origin == Origin::OuterScope) visit(value.index);
    }
  }
}

}  // namespace headroom
