// SPDX-License-Identifier: Apache-2.0
// Windows that slide over spatial dimensions, as convolutions and pools read their attributes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/infer/inference.h"

namespace headroom::infer {

enum class AutoPad : std::uint8_t { NotSet, SameUpper, SameLower, Valid };

/// Attributes of a window over `rank` spatial dimensions, with ONNX's defaults filled in.
struct Window {
  AutoPad auto_pad = AutoPad::NotSet;
  std::vector<Dim> kernel{};
  std::vector<std::int64_t> strides{};
  std::vector<std::int64_t> dilations{};
  std::vector<std::int64_t> pads_begin{};
  std::vector<std::int64_t> pads_end{};
  bool rounds_up = false;  ///< ceil_mode
};

/// `kernel` comes from `kernel_shape` where that is given (it must agree with `weight_kernel`, if
/// any). Errors: BadInput for attributes of the wrong length and for a size, stride or dilation
/// below 1.
Window read_window(const NodeInference& node, std::size_t rank,
                   const std::optional<std::vector<Dim>>& weight_kernel);

/// Output size of spatial dimension `index`, which is dimension `index` + 2 of output 0.
/// Source: ONNX operator specification, Conv and MaxPool. With `ceil_mode`, a last window that
/// would start beyond the input and its leading padding is left out.
/// Where the kernel is larger than the padded input: Errors: BadInput.
Dim window_output(const NodeInference& node, const Window& window, std::size_t index,
                  const Dim& input);
/// The same for a pool. Engines differ where a dilated window is padded to the same size and where
/// the kernel is larger than the padded input: then nothing is claimed.
Dim pool_output(const NodeInference& node, const Window& window, std::size_t index,
                const Dim& input);

/// Extent of a dilated kernel: dilation·(kernel − 1) + 1. Nothing when it does not fit.
Integer kernel_extent(std::int64_t kernel, std::int64_t dilation);

}  // namespace headroom::infer
