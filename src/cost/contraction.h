// SPDX-License-Identifier: Apache-2.0
// The sums of products that floating-point and quantised operators share.
#pragma once

#include <cstddef>

#include "cost/view.h"

namespace headroom::cost {

/// Shape: weight [M, C / group, kernel...] is input `weight`; output 0 is [N, M, ...].
Amount convolution_macs(NodeView& view, std::size_t weight);
/// Shape: the left operand [..., K] is input `left`; output 0 has one element for each sum over K.
Amount matmul_macs(NodeView& view, std::size_t left);
/// Shape: input `left` is [M, K], with `transA` [K, M].
Amount gemm_macs(NodeView& view, std::size_t left);
/// One addition for each element of output 0 where input `bias` exists.
void add_bias(NodeView& view, Tally& tally, std::size_t bias);

}  // namespace headroom::cost
