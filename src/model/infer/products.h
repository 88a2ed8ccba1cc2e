// SPDX-License-Identifier: Apache-2.0
// Shapes of matrix products, for the operators of several domains that contain one.
#pragma once

#include <cstddef>

#include "model/infer/inference.h"

namespace headroom::infer {

/// `a · b` as numpy.matmul defines it, leading dimensions broadcast.
/// Errors: BadInput where the inner dimensions differ or one is a scalar.
Shape matmul_shape(const NodeInference& node, Shape a, Shape b);
/// Output 0 of a product of the inputs `a` and `b`; `transpose_*` swap the last two dimensions.
void multiply_matrices(NodeInference& node, std::size_t a, std::size_t b, ElementType element,
                       bool transpose_a = false, bool transpose_b = false);
/// Output 0 of transA/transB Gemm of the inputs `a` and `b`.
void gemm_like(NodeInference& node, std::size_t a, std::size_t b, ElementType element);

}  // namespace headroom::infer
