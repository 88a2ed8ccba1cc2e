// SPDX-License-Identifier: Apache-2.0
// The shape of a convolution, for the operators of several domains that contain one.
#pragma once

#include <cstddef>

#include "model/infer/inference.h"

namespace headroom::infer {

/// Output 0 of a convolution of input 0 `[N, C, spatial…]` with input `weight`
/// `[M, C/group, kernel…]`. Errors: BadInput where ranks, channels or groups contradict each other.
void convolve(NodeInference& node, std::size_t weight, ElementType element);

}  // namespace headroom::infer
