// SPDX-License-Identifier: Apache-2.0
// Attributes and output sizes of sliding windows.
#include "model/infer/window.h"

#include <fmt/format.h>

namespace headroom::infer {
namespace {

bool pads_to_same(const Window& window) {
  return window.auto_pad == AutoPad::SameUpper || window.auto_pad == AutoPad::SameLower;
}

// Padded input − kernel; nothing when it does not fit.
Integer room_for(const Window& window, std::size_t index, std::int64_t size, std::int64_t kernel) {
  const Integer padded =
      plus(plus(size, window.pads_begin[index]), Integer{window.pads_end[index]});
  return minus(padded, kernel_extent(kernel, window.dilations[index]));
}

AutoPad read_auto_pad(const NodeInference& node) {
  const std::string_view text = node.node().text("auto_pad", "NOTSET");
  if (text == "NOTSET" || text.empty()) return AutoPad::NotSet;
  if (text == "SAME_UPPER") return AutoPad::SameUpper;
  if (text == "SAME_LOWER") return AutoPad::SameLower;
  if (text == "VALID") return AutoPad::Valid;
  node.fail(fmt::format("auto_pad '{}' is none of NOTSET, SAME_UPPER, SAME_LOWER, VALID", text));
}

// An attribute with one entry per spatial dimension, `otherwise` where it is absent.
std::vector<std::int64_t> per_dimension(const NodeInference& node, std::string_view name,
                                        std::size_t count, std::int64_t otherwise,
                                        std::int64_t least) {
  const auto given = node.node().integers(name);
  if (given.empty()) return std::vector<std::int64_t>(count, otherwise);
  if (given.size() != count)
    node.fail(fmt::format("attribute '{}' needs {} entries and has {}", name, count, given.size()));
  for (const std::int64_t value : given)
    if (value < least) node.fail(fmt::format("attribute '{}' holds {}", name, value));
  return {given.begin(), given.end()};
}

std::vector<Dim> read_kernel(const NodeInference& node, std::size_t rank,
                             const std::optional<std::vector<Dim>>& weight_kernel) {
  if (node.node().integers("kernel_shape").empty()) {
    if (!weight_kernel) node.fail("attribute 'kernel_shape' is missing");
    return *weight_kernel;
  }
  std::vector<Dim> kernel;
  for (const std::int64_t size : per_dimension(node, "kernel_shape", rank, 1, 1))
    kernel.push_back(fixed(size));
  if (weight_kernel) {
    for (std::size_t i = 0; i < rank; ++i)
      node.agreed(kernel[i], (*weight_kernel)[i], "kernel_shape and the weight's shape");
  }
  return kernel;
}

}  // namespace

Window read_window(const NodeInference& node, std::size_t rank,
                   const std::optional<std::vector<Dim>>& weight_kernel) {
  Window window;
  window.auto_pad = read_auto_pad(node);
  window.kernel = read_kernel(node, rank, weight_kernel);
  window.strides = per_dimension(node, "strides", rank, 1, 1);
  window.dilations = per_dimension(node, "dilations", rank, 1, 1);
  std::vector<std::int64_t> pads(2 * rank, 0);
  if (window.auto_pad == AutoPad::NotSet)
    pads = per_dimension(node, "pads", 2 * rank, 0, INT64_MIN);
  const auto middle = pads.begin() + static_cast<std::ptrdiff_t>(rank);
  window.pads_begin.assign(pads.begin(), middle);
  window.pads_end.assign(middle, pads.end());
  window.rounds_up = node.node().integer("ceil_mode", 0) != 0;
  return window;
}

Integer kernel_extent(std::int64_t kernel, std::int64_t dilation) {
  return plus(times(dilation, kernel - 1), Integer{1});
}

Dim window_output(const NodeInference& node, const Window& window, std::size_t index,
                  const Dim& input) {
  const std::int64_t stride = window.strides[index];
  if (pads_to_same(window)) {
    if (stride == 1) return input;
    return node.compute(
        0, index + 2, [&](std::int64_t size) -> Integer { return ceil_divide(size, stride); },
        input);
  }
  const Dim& kernel = window.kernel[index];
  if (kernel.size && stride == 1 && room_for(window, index, 0, *kernel.size) == -1) return input;
  return node.compute(
      0, index + 2,
      [&](std::int64_t size, std::int64_t extent) -> Integer {
        const Integer room = room_for(window, index, size, extent);
        if (!room) return room;
        if (*room < 0) node.fail("the kernel is larger than the padded input");
        const std::int64_t floor_count = *room / stride + 1;
        if (!window.rounds_up || *room % stride == 0) return floor_count;
        const Integer last_start = times(floor_count, stride);
        const Integer end = plus(size, window.pads_begin[index]);
        return last_start && end && *last_start < *end ? floor_count + 1 : floor_count;
      },
      input, kernel);
}

Dim pool_output(const NodeInference& node, const Window& window, std::size_t index,
                const Dim& input) {
  const std::int64_t kernel = window.kernel[index].size.value_or(1);
  if (pads_to_same(window) && window.dilations[index] > 1 && kernel > 1)
    return node.unknown(0, index + 2);
  const Integer room = room_for(window, index, input.size.value_or(0), kernel);
  if (!pads_to_same(window) && input.size && room && *room < 0) return node.unknown(0, index + 2);
  return window_output(node, window, index, input);
}

}  // namespace headroom::infer
