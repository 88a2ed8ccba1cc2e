// SPDX-License-Identifier: Apache-2.0
// The part of find_use that follows axes.
#pragma once

#include "data/input_use.h"

namespace headroom {

/// Fills InputUse::sizes and InputUse::window_axes.
void find_axis_use(const Graph& graph, ValueId input, const GraphWalk& walk,
                   const Constants& constants, InputUse& use);

}  // namespace headroom
