// SPDX-License-Identifier: Apache-2.0
// The work of an Einsum equation.
#pragma once

#include "cost/view.h"

namespace headroom::cost {

/// Operands are contracted in pairs from the left, and a label is summed as soon as no later
/// operand and not the output needs it. A step that sums counts MACs over all its labels; one that
/// does not counts multiplications; the sum over labels of a lone operand counts additions. Source:
/// ONNX operator specification, Einsum (labels, ellipsis, implicit output).
void count_einsum(NodeView& view, Tally& tally);

}  // namespace headroom::cost
