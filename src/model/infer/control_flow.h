// SPDX-License-Identifier: Apache-2.0
// Inference of the graphs that a node holds.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "model/infer/inference.h"
#include "model/infer/walk.h"

namespace headroom::infer {

/// Infers the body behind `scope` with inputs of the given types; for what they leave open, the
/// types that the body declares. Input `true_input` is a condition that holds. False when the body
/// cannot run to its end.
bool infer_body(NodeInference& node, Scope& scope, std::span<const ValueType> inputs,
                std::optional<std::size_t> true_input, Strictness strictness);

}  // namespace headroom::infer
