// SPDX-License-Identifier: Apache-2.0
// The bytes that a node must move, and the constants that it is the first to use.
#pragma once

#include "cost/constants.h"
#include "cost/formula.h"
#include "cost/view.h"

namespace headroom::cost {

struct MovedBytes {
  Amount read{};
  Amount written{};
};

/// Each distinct element that is needed, read once; each element of the outputs, written once.
MovedBytes moved_bytes(NodeView& view, const Formula& formula, Scope& scope);

struct FirstUses {
  Amount parameters{};
  Amount bytes{};
};

/// Constant inputs of `node` that no node before it used, as stored; settings are none. Without a
/// formula every input is data.
FirstUses first_uses(const Node& node, const Formula* formula, Scope& scope);

}  // namespace headroom::cost
