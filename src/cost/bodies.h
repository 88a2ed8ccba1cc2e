// SPDX-License-Identifier: Apache-2.0
// How often the bodies of control flow run, as far as the model says it.
#pragma once

#include <headroom/model/graph.h>

#include <optional>
#include <string>

#include "cost/amount.h"
#include "cost/constants.h"
#include "cost/view.h"

namespace headroom::cost {

/// What If is known to do: true takes then_branch.
std::optional<bool> known_condition(const Scope& scope, const Node& node);

/// Executions of the body in one execution of `view`'s node (Loop, Scan, SequenceMap, …); nothing,
/// and a reason in `view`, where a run decides it.
std::optional<Amount> trip_count(NodeView& view, const Scope& scope, const Scope& body);

}  // namespace headroom::cost
