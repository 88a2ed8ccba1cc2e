// SPDX-License-Identifier: Apache-2.0
// Reductions over axes, and the positions of extremes.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/infer/evaluate.h"
#include "model/infer/generic.h"
#include "model/infer/rules.h"

namespace headroom::infer {

Axes read_axes(NodeInference& node, std::size_t input) {
  Axes axes;
  if (node.opset() < node.rule().axes_input_since) {
    const auto values = node.node().integers("axes");
    axes.is_given = node.has("axes");
    axes.values.emplace(values.begin(), values.end());
  } else if (node.has_input(input)) {
    axes.is_given = true;
    axes.values = node.integers(input);
    axes.count = node.length(input);
    // A list that is certainly empty is as good as known.
    if (axes.count == 0) axes.values.emplace();
  } else {
    axes.values.emplace();
  }
  if (axes.values) axes.count = static_cast<std::int64_t>(axes.values->size());
  return axes;
}

std::vector<bool> selected(const NodeInference& node, const std::vector<std::int64_t>& axes,
                           std::size_t rank) {
  std::vector<bool> result(rank, false);
  for (const std::int64_t axis : axes) result[node.axis(axis, rank)] = true;
  return result;
}

namespace {

Shape reduced(const Shape& shape, const std::vector<bool>& is_reduced, bool keeps) {
  Shape result;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!is_reduced[i]) result.push_back(shape[i]);
    if (is_reduced[i] && keeps) result.push_back(fixed(1));
  }
  return result;
}

// The axes are not known: with keepdims each dimension stays or becomes 1.
void reduce_somewhere(NodeInference& node, const Shape& shape, Integer count, bool keeps) {
  const ElementType element = node.element(0);
  if (keeps) {
    Shape result = node.unknown_shape(0, shape.size());
    for (std::size_t i = 0; i < shape.size(); ++i)
      if (shape[i].size == 1) result[i] = fixed(1);
    return node.set(0, element, std::move(result));
  }
  // Only one axis certainly removes exactly one dimension: longer lists may repeat an axis.
  if (count == 1 && !shape.empty())
    return node.set(0, element, node.unknown_shape(0, shape.size() - 1));
  node.set_element(0, element);
}

void reduce(NodeInference& node) {
  const Shape* shape = node.shape(0);
  if (!shape) return node.set_element(0, node.element(0));
  const bool keeps = node.node().integer("keepdims", 1) != 0;
  const Axes axes = read_axes(node, 1);
  if (!axes.values) return reduce_somewhere(node, *shape, axes.count, keeps);
  if (axes.values->empty() && node.node().integer("noop_with_empty_axes", 0) != 0)
    return node.set(0, node.element(0), Shape(*shape));
  const std::vector<bool> is_reduced = axes.values->empty()
                                           ? std::vector<bool>(shape->size(), true)
                                           : selected(node, *axes.values, shape->size());
  node.set(0, node.element(0), reduced(*shape, is_reduced, keeps));
}

void arg_extreme(NodeInference& node) {
  const Shape* shape = node.shape(0);
  if (!shape) return node.set_element(0, ElementType::Int64);
  const std::size_t axis = node.axis(node.node().integer("axis", 0), shape->size());
  std::vector<bool> is_reduced(shape->size(), false);
  is_reduced[axis] = true;
  node.set(0, ElementType::Int64,
           reduced(*shape, is_reduced, node.node().integer("keepdims", 1) != 0));
}

constexpr Rule reduction(std::string_view op, std::int64_t axes_input_since,
                         void (*evaluate)(NodeInference&) = nullptr) {
  return Rule{.op = op,
              .infer = reduce,
              .inputs = 1,
              .evaluate = evaluate,
              .axes_input_since = axes_input_since};
}

constexpr std::array kRules = {
    Rule{"ArgMax", arg_extreme, 1},
    Rule{"ArgMin", arg_extreme, 1},
    reduction("ReduceL1", 18),
    reduction("ReduceL2", 18),
    reduction("ReduceLogSum", 18),
    reduction("ReduceLogSumExp", 18),
    reduction("ReduceMax", 18, evaluate_reduce_maximum),
    reduction("ReduceMean", 18),
    reduction("ReduceMin", 18, evaluate_reduce_minimum),
    reduction("ReduceProd", 18, evaluate_reduce_product),
    reduction("ReduceSum", 13, evaluate_reduce_sum),
    reduction("ReduceSumSquare", 18),
};

}  // namespace

std::span<const Rule> reduction_rules() {
  return kRules;
}

}  // namespace headroom::infer
