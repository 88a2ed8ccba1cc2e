// SPDX-License-Identifier: Apache-2.0
// Counts the positions under a sliding window.
#include "cost/window.h"

#include <algorithm>
#include <vector>

namespace headroom::cost {
namespace {

// Beyond this the products below could overflow; such a window is taken to touch everything.
constexpr std::int64_t kLargestExtent = std::int64_t{1} << 31;
constexpr std::int64_t kMostTaps = 65'536;

bool is_usable(const WindowAxis& axis) {
  const auto [least, most] = std::minmax(
      {axis.input, axis.output, axis.kernel, axis.stride, axis.dilation, axis.pad_begin + 1});
  return least >= 1 && most < kLargestExtent;
}

// Touched positions below `end`, counted from the first tap. Windows of stride > kernel leave gaps.
std::int64_t touched_before(const WindowAxis& axis, std::int64_t end) {
  const std::int64_t all = axis.stride > axis.kernel
                               ? axis.output * axis.kernel
                               : (axis.output - 1) * axis.stride + axis.kernel;
  if (axis.stride <= axis.kernel) return std::min(end, all);
  const std::int64_t rest = std::min(end % axis.stride, axis.kernel);
  return std::min(end / axis.stride * axis.kernel + rest, all);
}

std::int64_t touched_dilated(const WindowAxis& axis) {
  if (axis.output > kMostTaps / axis.kernel) return axis.input;
  std::vector<std::int64_t> taps;
  for (std::int64_t o = 0; o < axis.output; ++o) {
    for (std::int64_t k = 0; k < axis.kernel; ++k) {
      const std::int64_t place = o * axis.stride + k * axis.dilation - axis.pad_begin;
      if (place >= 0 && place < axis.input) taps.push_back(place);
    }
  }
  std::sort(taps.begin(), taps.end());
  return std::unique(taps.begin(), taps.end()) - taps.begin();
}

std::int64_t pad_begin(NodeView& view, std::size_t index, const WindowAxis& axis) {
  const std::string_view mode = view.node().text("auto_pad", "NOTSET");
  if (mode == "VALID") return 0;
  if (mode != "SAME_UPPER" && mode != "SAME_LOWER") return view.entry("pads", index, 0);
  const std::int64_t extent = (axis.output - 1) * axis.stride + (axis.kernel - 1) * axis.dilation;
  const std::int64_t total = std::max<std::int64_t>(extent + 1 - axis.input, 0);
  return mode == "SAME_UPPER" ? total / 2 : total - total / 2;
}

std::int64_t signed_dim(const Operand& operand, std::int64_t axis) {
  return static_cast<std::int64_t>(operand.dim(axis).value());
}

}  // namespace

std::int64_t touched_positions(const WindowAxis& axis) {
  if (!is_usable(axis)) return axis.input;
  if (axis.dilation > 1 && axis.kernel > 1) return touched_dilated(axis);
  return touched_before(axis, axis.input + axis.pad_begin) - touched_before(axis, axis.pad_begin);
}

Amount touched_elements(NodeView& view, std::size_t weight) {
  const Operand x = view.input(0);
  const Operand y = view.output(0);
  if (x.rank() != y.rank()) return x.elements();
  const bool has_shape = !view.node().integers("kernel_shape").empty();
  Amount touched = 1;
  for (std::size_t i = 0; i < x.rank(); ++i) {
    const auto place = static_cast<std::int64_t>(i);
    if (i < 2) {
      touched *= x.dim(place);
      continue;
    }
    WindowAxis axis{.input = signed_dim(x, place), .output = signed_dim(y, place)};
    axis.kernel =
        has_shape ? view.entry("kernel_shape", i - 2, 1) : signed_dim(view.input(weight), place);
    axis.stride = view.entry("strides", i - 2, 1);
    axis.dilation = view.entry("dilations", i - 2, 1);
    if (is_usable(axis)) axis.pad_begin = pad_begin(view, i - 2, axis);
    touched *= static_cast<std::uint64_t>(touched_positions(axis));
  }
  return touched;
}

}  // namespace headroom::cost
