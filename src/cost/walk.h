// SPDX-License-Identifier: Apache-2.0
// Counts node after node, into the bodies of control flow.
#pragma once

#include <headroom/cost.h>

#include <vector>

#include "cost/liveness.h"

namespace headroom::cost {

/// Appends the work of every node of the model to `nodes`; returns the activation peak.
Peak walk(const Model& model, std::vector<NodeWork>& nodes);

}  // namespace headroom::cost
