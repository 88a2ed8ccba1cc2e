// SPDX-License-Identifier: Apache-2.0
// Evaluation of small tensors: each function gives the elements of output 0, whose type and (small,
// known) shape are inferred already, or nothing where too little is known. A float result is
// rounded as a float32 engine rounds it; an integer result that does not fit its type is not known.
#pragma once

#include "model/infer/inference.h"

namespace headroom::infer {

// Arithmetic with broadcasting, of two or more inputs.
void evaluate_add(NodeInference& node);
void evaluate_subtract(NodeInference& node);
void evaluate_multiply(NodeInference& node);
void evaluate_divide(NodeInference& node);
void evaluate_modulo(NodeInference& node);
void evaluate_power(NodeInference& node);
void evaluate_minimum(NodeInference& node);
void evaluate_maximum(NodeInference& node);
void evaluate_equal(NodeInference& node);
void evaluate_less(NodeInference& node);
void evaluate_less_or_equal(NodeInference& node);
void evaluate_greater(NodeInference& node);
void evaluate_greater_or_equal(NodeInference& node);
void evaluate_and(NodeInference& node);
void evaluate_or(NodeInference& node);
void evaluate_xor(NodeInference& node);
void evaluate_where(NodeInference& node);

// One input, element by element.
void evaluate_negative(NodeInference& node);
void evaluate_absolute(NodeInference& node);
void evaluate_rectified(NodeInference& node);  ///< Relu.
void evaluate_sign(NodeInference& node);
void evaluate_floor(NodeInference& node);
void evaluate_ceil(NodeInference& node);
void evaluate_round(NodeInference& node);
void evaluate_square_root(NodeInference& node);
void evaluate_not(NodeInference& node);
void evaluate_cast(NodeInference& node);

// Reductions of integers.
void evaluate_reduce_sum(NodeInference& node);
void evaluate_reduce_product(NodeInference& node);
void evaluate_reduce_minimum(NodeInference& node);
void evaluate_reduce_maximum(NodeInference& node);

// Elements taken from the inputs unchanged.
void evaluate_copy(NodeInference& node);  ///< Same elements in the same order: Reshape, Squeeze, ….
void evaluate_transpose(NodeInference& node);
void evaluate_expand(NodeInference& node);
void evaluate_tile(NodeInference& node);
void evaluate_concat(NodeInference& node);
void evaluate_gather(NodeInference& node);

/// The elements of `source` at `indices`, in their order.
KnownElements select(const KnownElements& source, std::span<const std::size_t> indices);
/// The elements of `shape` from `first` up to `end`, as an integer tensor.
KnownElements elements_of(std::span<const Dim> shape);
/// Row-major positions of a box: for each output element, in order, the source index, where
/// `starts[d]` is the first position and `steps[d]` the step (of either sign) along dimension d.
std::vector<std::size_t> box_indices(const Shape& source, const Shape& shape,
                                     std::span<const std::int64_t> starts,
                                     std::span<const std::int64_t> steps);

}  // namespace headroom::infer
