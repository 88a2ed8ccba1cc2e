// SPDX-License-Identifier: Apache-2.0
// Pools: windows, whole images and regions of interest; and what undoes them.
#include <array>

#include <fmt/format.h>

#include "model/infer/generic.h"
#include "model/infer/rules.h"
#include "model/infer/window.h"

namespace headroom::infer {
namespace {

void pool(NodeInference& node) {
  const Shape* x = node.shape(0);
  const bool has_indices = node.node().op == "MaxPool";
  if (!x) {
    node.set_element(0, node.element(0));
    return has_indices ? node.set_element(1, ElementType::Int64) : void();
  }
  if (x->size() < 2)
    node.fail(fmt::format("the input has rank {}, at least 2 is needed", x->size()));
  const Window window = read_window(node, x->size() - 2, std::nullopt);
  Shape shape = {(*x)[0], (*x)[1]};
  for (std::size_t i = 2; i < x->size(); ++i)
    shape.push_back(pool_output(node, window, i - 2, (*x)[i]));
  if (has_indices) node.set(1, ElementType::Int64, Shape(shape));
  node.set(0, node.element(0), std::move(shape));
}

void global_pool(NodeInference& node) {
  const Shape* x = node.shape(0);
  if (!x) return node.set_element(0, node.element(0));
  if (x->size() < 2)
    node.fail(fmt::format("the input has rank {}, at least 2 is needed", x->size()));
  Shape shape = *x;
  for (std::size_t i = 2; i < shape.size(); ++i) shape[i] = fixed(1);
  node.set(0, node.element(0), std::move(shape));
}

// [N, C, …] and regions [R, 5] give [R, C, pooled…].
void max_roi_pool(NodeInference& node) {
  const Shape* x = node.shape(0);
  const Shape* regions = node.shape(1);
  const auto pooled = node.node().integers("pooled_shape");
  if (pooled.size() != 2) node.fail("attribute 'pooled_shape' needs 2 entries");
  if (!x || !regions) return node.set_element(0, node.element(0));
  node.require_rank(0, 4);
  node.require_rank(1, 2);
  node.set(0, node.element(0), {(*regions)[0], (*x)[1], fixed(pooled[0]), fixed(pooled[1])});
}

Shape from_output_shape(NodeInference& node, std::size_t rank) {
  const auto sizes = node.integers(2);
  if (!sizes) return node.unknown_shape(0, rank);
  if (sizes->size() != rank)
    node.fail(fmt::format("input 2 lists {} sizes for rank {}", sizes->size(), rank));
  Shape shape;
  for (const std::int64_t size : *sizes) shape.push_back(fixed(size));
  return shape;
}

// (input − 1)·stride + kernel − pads. Source: ONNX operator specification, MaxUnpool.
void max_unpool(NodeInference& node) {
  const Shape* x = node.shape(0);
  if (!x) return node.set_element(0, node.element(0));
  if (x->size() < 2)
    node.fail(fmt::format("the input has rank {}, at least 2 is needed", x->size()));
  if (node.has_input(2)) return node.set(0, node.element(0), from_output_shape(node, x->size()));
  const Window window = read_window(node, x->size() - 2, std::nullopt);
  Shape shape = {(*x)[0], (*x)[1]};
  for (std::size_t i = 0; i + 2 < x->size(); ++i) {
    shape.push_back(node.compute(
        0, i + 2,
        [&](std::int64_t size) {
          const Integer whole = plus(times(size - 1, window.strides[i]), window.kernel[i].size);
          return minus(minus(whole, Integer{window.pads_begin[i]}), Integer{window.pads_end[i]});
        },
        (*x)[i + 2]));
  }
  node.set(0, node.element(0), std::move(shape));
}

constexpr std::array kRules = {
    Rule{"AveragePool", pool, 1},
    Rule{"GlobalAveragePool", global_pool, 1},
    Rule{"GlobalLpPool", global_pool, 1},
    Rule{"GlobalMaxPool", global_pool, 1},
    Rule{"LpPool", pool, 1},
    Rule{"MaxPool", pool, 1},
    Rule{"MaxRoiPool", max_roi_pool, 2},
    Rule{"MaxUnpool", max_unpool, 2},
};

}  // namespace

std::span<const Rule> pooling_rules() {
  return kRules;
}

}  // namespace headroom::infer
