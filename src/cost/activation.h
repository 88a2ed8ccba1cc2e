// SPDX-License-Identifier: Apache-2.0
// Activations that other operators name in an attribute.
#pragma once

#include <string_view>

#include "cost/view.h"

namespace headroom::cost {

/// Adds `times` evaluations of the activation `name` (of the recurrent and the fused operators); an
/// empty name is none, an unknown one is noted as a reason.
void add_activation(NodeView& view, Tally& tally, std::string_view name, Amount times);

}  // namespace headroom::cost
