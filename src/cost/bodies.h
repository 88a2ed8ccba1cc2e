// SPDX-License-Identifier: Apache-2.0
// How often the bodies of control flow run, as far as the model says it.
#pragma once

#include <headroom/model/graph.h>

#include <optional>
#include <string>
#include <vector>

#include "cost/amount.h"
#include "cost/constants.h"
#include "cost/view.h"

namespace headroom::cost {

struct Body {
  const Graph* graph = nullptr;
  std::string name{};  ///< Of the attribute.
};

/// All bodies of a node, in the order of its attributes.
std::vector<Body> bodies_of(const Node& node);

/// Those that may run. Of If only one where its condition is known, or where the other branch
/// contradicts itself, so that a run that succeeds cannot take it.
std::vector<Body> possible_bodies(const Scope& scope, const Node& node);

/// Executions of the body in one execution of `view`'s node (Loop, Scan, SequenceMap, …); nothing,
/// and a reason in `view`, where a run decides it.
std::optional<Amount> trip_count(NodeView& view, const Scope& scope, const Scope& body);

}  // namespace headroom::cost
