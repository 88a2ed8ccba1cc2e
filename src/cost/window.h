// SPDX-License-Identifier: Apache-2.0
// Which elements of its input a sliding window touches.
#pragma once

#include <cstdint>

#include "cost/view.h"

namespace headroom::cost {

/// One spatial axis of a convolution or pool.
struct WindowAxis {
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::int64_t pad_begin = 0;
};

/// Positions of [0, input) that some window position covers. Exact for up to 65,536 taps of a
/// dilated window, else the whole extent.
std::int64_t touched_positions(const WindowAxis& axis);

/// Elements of input 0 [N, C, ...] that are needed: a 1x1 kernel of stride 2 reads a quarter.
/// `weight` is the input whose dimensions from 2 on are the kernel where `kernel_shape` is not
/// given.
Amount touched_elements(NodeView& view, std::size_t weight);

}  // namespace headroom::cost
