// SPDX-License-Identifier: Apache-2.0
// Activations that other operators name in an attribute.
#pragma once

#include <string_view>

#include "cost/formula.h"
#include "cost/view.h"

namespace headroom::cost {

/// 0.5 x (1 + erf(x / sqrt 2)), the division as a multiplication.
inline constexpr PerElement kGelu{.add = 1, .multiply = 3, .exponential = 1};
/// 0.5 x (1 + tanh(c (x + 0.044715 x^3))).
inline constexpr PerElement kGeluTanh{.add = 2, .multiply = 6, .exponential = 1};
/// x sigmoid(a x).
inline constexpr PerElement kSwish{.multiply = 2, .exponential = 1};

/// Adds `times` evaluations of the activation `name` (of the recurrent and the fused operators); an
/// empty name is none, an unknown one is noted as a reason.
void add_activation(NodeView& view, Tally& tally, std::string_view name, Amount times);

/// Notes that what a dropout does is not known, unless input `mode` is missing or known to be
/// false.
void note_training(NodeView& view, std::size_t mode);

}  // namespace headroom::cost
