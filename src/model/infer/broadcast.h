// SPDX-License-Identifier: Apache-2.0
// Multidirectional broadcasting of shapes with open dimensions, and the index arithmetic that
// follows.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "model/infer/inference.h"

namespace headroom::infer {

/// Result of broadcasting `a` and `b`, which becomes dimension `dimension` of output `output`.
/// Errors: BadInput if they are known, differ and neither is 1.
/// Source: ONNX, Broadcasting.md.
Dim broadcast_dim(const NodeInference& node, std::size_t output, std::size_t dimension,
                  const Dim& a, const Dim& b);
/// Aligned at the last dimension. `rank`: that of the final result, if this is a step towards it.
Shape broadcast(const NodeInference& node, std::size_t output, const Shape& a, const Shape& b,
                std::size_t rank = 0);
/// Of all inputs from `first` up to `end`; nothing if one is of unknown rank.
std::optional<Shape> broadcast_inputs(const NodeInference& node, std::size_t first,
                                      std::size_t end);

/// For each element of a tensor of `shape`, in row-major order, the index of the element of a
/// tensor of `source` that broadcasting puts there. All sizes are known; `shape` is the result of
/// broadcasting.
std::vector<std::size_t> broadcast_indices(const Shape& source, const Shape& shape);

/// Joins the sizes of `shape` into those of `result`, of the same rank, in all dimensions but
/// `axis`. Errors: BadInput where two of them differ.
void agree_beside(const NodeInference& node, std::size_t axis, Shape& result, const Shape& shape);

}  // namespace headroom::infer
