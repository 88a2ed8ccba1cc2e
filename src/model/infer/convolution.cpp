// SPDX-License-Identifier: Apache-2.0
// Convolutions: plain, transposed, integer, quantised, deformable and fused ones.
#include "model/infer/convolution.h"

#include <array>

#include <fmt/format.h>

#include "model/infer/generic.h"
#include "model/infer/rules.h"
#include "model/infer/window.h"

namespace headroom::infer {
namespace {

std::vector<Dim> spatial(const Shape& shape) {
  return {shape.begin() + 2, shape.end()};
}

std::int64_t group_of(const NodeInference& node) {
  const std::int64_t group = node.node().integer("group", 1);
  if (group < 1) node.fail(fmt::format("attribute 'group' is {}", group));
  return group;
}

void check_ranks(const NodeInference& node, const Shape& x, const Shape& w) {
  if (x.size() < 2 || x.size() != w.size()) {
    node.fail(fmt::format("input of rank {} and weight of rank {} must have one rank of at least 2",
                          x.size(), w.size()));
  }
}

void check_channels(const NodeInference& node, const Dim& channels, const Dim& of_weight,
                    std::int64_t group) {
  if (!channels.size || !of_weight.size) return;
  const Integer needed = times(*of_weight.size, group);
  if (needed != *channels.size) {
    node.fail(fmt::format("the input has {} channels, the weight needs {} in each of {} group{}",
                          *channels.size, *of_weight.size, group, group == 1 ? "" : "s"));
  }
}

}  // namespace

void convolve(NodeInference& node, std::size_t weight, ElementType element) {
  const Shape* x = node.shape(0);
  const Shape* w = node.shape(weight);
  if (!x || !w) return node.set_element(0, element);
  check_ranks(node, *x, *w);
  const std::int64_t group = group_of(node);
  check_channels(node, (*x)[1], (*w)[1], group);
  if ((*w)[0].size && *(*w)[0].size % group != 0)
    node.fail(fmt::format("{} filters cannot be split into {} groups", *(*w)[0].size, group));
  const Window window = read_window(node, x->size() - 2, spatial(*w));
  Shape shape = {(*x)[0], (*w)[0]};
  for (std::size_t i = 2; i < x->size(); ++i)
    shape.push_back(window_output(node, window, i - 2, (*x)[i]));
  node.set(0, element, std::move(shape));
}

namespace {

void conv(NodeInference& node) {
  convolve(node, 1, first_element(node, 0, 1));
}

void qlinear_conv(NodeInference& node) {
  convolve(node, 3, node.element(7));
}

// stride·(input − 1) + output_padding + extent − pads; `output_shape` says the result itself.
// Source: ONNX operator specification, ConvTranspose.
Dim transposed_output(const NodeInference& node, const Window& window, std::size_t index,
                      std::int64_t output_padding, const Dim& input) {
  const std::int64_t stride = window.strides[index];
  if (window.auto_pad == AutoPad::SameUpper || window.auto_pad == AutoPad::SameLower) {
    if (stride == 1) return input;
    // Nothing can be cut off from what is too short: engines differ, so nothing is claimed.
    const Dim& kernel = window.kernel[index];
    const Integer extent = kernel.size ? kernel_extent(*kernel.size, window.dilations[index]) : 0;
    const Integer reach = plus(extent, Integer{output_padding});
    if (!reach || *reach < stride) return node.unknown(0, index + 2);
    return node.compute(
        0, index + 2, [&](std::int64_t size) { return times(size, stride); }, input);
  }
  return node.compute(
      0, index + 2,
      [&](std::int64_t size, std::int64_t kernel) {
        const Integer extent = kernel_extent(kernel, window.dilations[index]);
        const Integer whole = plus(times(stride, size - 1), plus(extent, Integer{output_padding}));
        return minus(minus(whole, Integer{window.pads_begin[index]}),
                     Integer{window.pads_end[index]});
      },
      input, window.kernel[index]);
}

void conv_transpose(NodeInference& node) {
  const ElementType element = node.element(0);
  const Shape* x = node.shape(0);
  const Shape* w = node.shape(1);
  if (!x || !w) return node.set_element(0, element);
  check_ranks(node, *x, *w);
  node.agreed((*x)[1], (*w)[0], "the channels of input and weight");
  const std::int64_t group = group_of(node);
  const std::size_t rank = x->size() - 2;
  const Window window = read_window(node, rank, spatial(*w));
  const auto output_shape = node.node().integers("output_shape");
  const auto padding = node.node().integers("output_padding");
  if (!padding.empty() && padding.size() != rank)
    node.fail(fmt::format("attribute 'output_padding' needs {} entries", rank));
  // Some exporters write batch and channels into output_shape too.
  if (!output_shape.empty() && output_shape.size() != rank && output_shape.size() != rank + 2)
    node.fail(fmt::format("attribute 'output_shape' needs {} entries", rank));
  Shape shape = {(*x)[0],
                 node.compute(
                     0, 1, [&](std::int64_t size) { return times(size, group); }, (*w)[1])};
  for (std::size_t i = 0; i < rank; ++i) {
    shape.push_back(
        output_shape.empty()
            ? transposed_output(node, window, i, padding.empty() ? 0 : padding[i], (*x)[i + 2])
            : fixed(output_shape[output_shape.size() - rank + i]));
  }
  node.set(0, element, std::move(shape));
}

// [N, C, L] with a state of the last k − 1 positions.
void causal_conv(NodeInference& node) {
  same_as_first(node);
  const Shape* x = node.shape(0);
  const Shape* w = node.shape(1);
  if (!x || !w) return node.set_element(1, node.element(0));
  node.require_rank(0, 3);
  node.require_rank(1, 3);
  const Dim kept = node.compute(
      1, 2, [](std::int64_t kernel) { return minus(kernel, std::int64_t{1}); }, (*w)[2]);
  node.set(1, node.element(0), {(*x)[0], (*x)[1], kept});
}

constexpr std::array kRules = {
    Rule{"CausalConvWithState", causal_conv, 2},
    Rule{"Conv", conv, 2},
    Rule{"ConvInteger", conv, 2, nullptr, ElementType::Int32},
    Rule{"ConvTranspose", conv_transpose, 2},
    Rule{"DeformConv", conv, 3},
    Rule{"QLinearConv", qlinear_conv, 8},
};

}  // namespace

std::span<const Rule> convolution_rules() {
  return kRules;
}

}  // namespace headroom::infer
