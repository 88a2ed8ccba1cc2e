// SPDX-License-Identifier: Apache-2.0
// Quantised operators of com.microsoft, as ONNX Runtime defines them (its ContribOperators.md).
// Scales and zero points stand behind each tensor among the inputs.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/infer/broadcast.h"
#include "model/infer/convolution.h"
#include "model/infer/generic.h"
#include "model/infer/products.h"
#include "model/infer/rules.h"
#include "model/infer/window.h"

namespace headroom::infer {
namespace {

// a, a_scale, a_zero, b, b_scale, b_zero, …
void binary(NodeInference& node) {
  const Shape* a = node.shape(0);
  const Shape* b = node.shape(3);
  if (!a || !b) return node.set_element(0, node.element(0));
  node.set(0, node.element(0), broadcast(node, 0, *a, *b));
}

void product(NodeInference& node) {
  multiply_matrices(node, 0, 1, ElementType::Float32);
}

// The result has the type of its zero point; without one it is float.
void gemm(NodeInference& node) {
  gemm_like(node, 0, 3, node.has_input(8) ? node.element(8) : ElementType::Float32);
}

void convolution(NodeInference& node) {
  const ElementType element = node.has_input(7) ? node.element(7) : node.element(0);
  if (node.node().integer("channels_last", 0) != 0) return node.set_element(0, element);
  convolve(node, 3, element);
}

void average_pool(NodeInference& node) {
  const Shape* x = node.shape(0);
  const bool is_channels_last = node.node().integer("channels_last", 0) != 0;
  if (!x || x->size() < 2 || is_channels_last) return node.set_element(0, node.element(0));
  const Window window = read_window(node, x->size() - 2, std::nullopt);
  Shape shape = {(*x)[0], (*x)[1]};
  for (std::size_t i = 2; i < x->size(); ++i)
    shape.push_back(pool_output(node, window, i - 2, (*x)[i]));
  node.set(0, node.element(0), std::move(shape));
}

void global_average_pool(NodeInference& node) {
  const Shape* x = node.shape(0);
  if (!x || x->size() < 2) return node.set_element(0, node.element(0));
  const bool is_channels_last = node.node().integer("channels_last", 0) != 0;
  const std::size_t first = is_channels_last ? 1 : 2;
  Shape shape = *x;
  for (std::size_t i = first; i < first + x->size() - 2; ++i) shape[i] = fixed(1);
  node.set(0, node.element(0), std::move(shape));
}

// scale, zero point, then triples of tensor, scale and zero point.
void concat(NodeInference& node) {
  const ElementType element = node.element(1);
  const std::int64_t raw_axis = node.required_integer("axis");
  if (node.input_count() < 5 || (node.input_count() - 2) % 3 != 0)
    node.fail("the inputs are not triples of tensor, scale and zero point");
  Shape result;
  Integer sum = 0;
  const Dim* open = nullptr;
  std::size_t axis = 0;
  for (std::size_t i = 2; i < node.input_count(); i += 3) {
    const Shape* shape = node.shape(i);
    if (!shape) return node.set_element(0, element);
    if (i == 2) {
      result = *shape;
      axis = node.axis(raw_axis, shape->size());
    }
    if (shape->size() != result.size()) node.fail("the inputs must have one rank");
    agree_beside(node, axis, result, *shape);
    if (!(*shape)[axis].size) open = &(*shape)[axis];
    sum = plus(sum, (*shape)[axis].size);
  }
  result[axis] = open ? node.derived(0, axis, *open) : node.sized(sum);
  node.set(0, element, std::move(result));
}

// condition, x, x_scale, x_zero, y, …
void where(NodeInference& node) {
  const Shape* condition = node.shape(0);
  const Shape* x = node.shape(1);
  const Shape* y = node.shape(4);
  if (!condition || !x || !y) return node.set_element(0, node.element(1));
  const std::size_t rank = std::max({condition->size(), x->size(), y->size()});
  node.set(0, node.element(1),
           broadcast(node, 0, broadcast(node, 0, *condition, *x, rank), *y, rank));
}

constexpr std::array kRules = {
    Rule{"DynamicQuantizeMatMul", product, 2},
    Rule{"MatMulIntegerToFloat", product, 2},
    Rule{"QGemm", gemm, 6},
    Rule{"QLinearAdd", binary, 4},
    Rule{"QLinearAveragePool", average_pool, 1},
    Rule{"QLinearConcat", concat, 2},
    Rule{"QLinearConv", convolution, 4},
    Rule{"QLinearGlobalAveragePool", global_average_pool, 1},
    Rule{"QLinearLeakyRelu", same_as_first, 1},
    Rule{"QLinearMul", binary, 4},
    Rule{"QLinearSigmoid", same_as_first, 1},
    Rule{"QLinearSoftmax", same_as_first, 1},
    Rule{"QLinearWhere", where, 5},
};

}  // namespace

std::span<const Rule> microsoft_quantized_rules() {
  return kRules;
}

}  // namespace headroom::infer
