// SPDX-License-Identifier: Apache-2.0
// Operators that pick or place elements by index: Gather*, Scatter*, TopK and others that select.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/infer/evaluate.h"
#include "model/infer/generic.h"
#include "model/infer/rules.h"

namespace headroom::infer {
namespace {

// The axis is replaced by the shape of the indices.
void gather(NodeInference& node) {
  const Shape* data = node.shape(0);
  const Shape* indices = node.shape(1);
  if (!data || !indices) return node.set_element(0, node.element(0));
  const std::size_t axis = node.axis(node.node().integer("axis", 0), data->size());
  const auto at_axis = data->begin() + static_cast<std::ptrdiff_t>(axis);
  Shape result(data->begin(), at_axis);
  result.insert(result.end(), indices->begin(), indices->end());
  result.insert(result.end(), at_axis + 1, data->end());
  node.set(0, node.element(0), std::move(result));
}

void gather_elements(NodeInference& node) {
  const Shape* data = node.shape(0);
  const Shape* indices = node.shape(1);
  if (data && indices && data->size() != indices->size())
    node.fail("data and indices must have one rank");
  if (data) node.axis(node.node().integer("axis", 0), data->size());
  if (!indices) return node.set_element(0, node.element(0));
  node.set(0, node.element(0), Shape(*indices));
}

// The last dimension of the indices says how many leading dimensions of the data one tuple fixes.
void gather_nd(NodeInference& node) {
  const Shape* data = node.shape(0);
  const Shape* indices = node.shape(1);
  if (!data || !indices) return node.set_element(0, node.element(0));
  if (indices->empty()) node.fail("the indices must have rank 1 or more");
  const Integer width = indices->back().size;
  const std::int64_t batch = node.node().integer("batch_dims", 0);
  if (!width) return node.set_element(0, node.element(0));
  const auto rank = static_cast<std::int64_t>(data->size());
  if (batch < 0 || *width < 1 || batch >= static_cast<std::int64_t>(indices->size()) ||
      *width > rank - batch) {
    node.fail(fmt::format("index tuples of {} with {} batch dimensions do not fit rank {}", *width,
                          batch, rank));
  }
  Shape result(indices->begin(), indices->end() - 1);
  result.insert(result.end(), data->begin() + static_cast<std::ptrdiff_t>(batch + *width),
                data->end());
  node.set(0, node.element(0), std::move(result));
}

void scatter_elements(NodeInference& node) {
  const Shape* data = node.shape(0);
  if (data) node.axis(node.node().integer("axis", 0), data->size());
  same_as_first(node);
}

// The size along the axis becomes k: an attribute until opset 9, then an input.
void top_k(NodeInference& node) {
  const Shape* data = node.shape(0);
  if (!data) {
    node.set_element(0, node.element(0));
    return node.set_element(1, ElementType::Int64);
  }
  const std::size_t axis = node.axis(node.node().integer("axis", -1), data->size());
  Shape result = *data;
  const Dim k = node.opset() < 10 ? fixed(node.required_integer("k")) : node.scalar_size(1, axis);
  if (k.size && result[axis].size && *k.size > *result[axis].size)
    node.fail(fmt::format("k is {} and the axis has {} elements", *k.size, *result[axis].size));
  result[axis] = k;
  node.set(0, node.element(0), Shape(result));
  node.set(1, ElementType::Int64, std::move(result));
}

// [rank, count]; a scalar counts as one dimension in ONNX Runtime and in numpy.
void non_zero(NodeInference& node) {
  const Shape* data = node.shape(0);
  const Dim rank = data ? fixed(static_cast<std::int64_t>(std::max<std::size_t>(data->size(), 1)))
                        : node.unknown(0, 0);
  const auto elements = node.integers(0);
  if (!data || data->size() > 1 || !elements)
    return node.set(0, ElementType::Int64, {rank, node.unknown(0, 1)});
  KnownElements known;
  for (std::size_t i = 0; i < elements->size(); ++i)
    if ((*elements)[i] != 0) append_element(known, fixed(static_cast<std::int64_t>(i)));
  node.set(0, ElementType::Int64, {rank, fixed(static_cast<std::int64_t>(known.elements.size()))});
  node.set_known(0, std::move(known));
}

void compress(NodeInference& node) {
  const Shape* data = node.shape(0);
  const auto condition = node.integers(1);
  const auto count = [&](std::size_t axis) {
    if (!condition) return node.unknown(0, axis);
    return fixed(static_cast<std::int64_t>(condition->size()) -
                 std::count(condition->begin(), condition->end(), 0));
  };
  if (!node.has("axis")) return node.set(0, node.element(0), {count(0)});
  if (!data) return node.set_element(0, node.element(0));
  const std::size_t axis = node.axis(node.required_integer("axis"), data->size());
  Shape result = *data;
  result[axis] = count(axis);
  node.set(0, node.element(0), std::move(result));
}

// Values, first positions, inverse positions, counts.
void unique(NodeInference& node) {
  const Shape* data = node.shape(0);
  const Dim count = node.unknown(0, 0);
  for (const std::size_t output : {1U, 3U}) node.set(output, ElementType::Int64, {count});
  if (!node.has("axis")) {
    node.set(0, node.element(0), {count});
    const Integer whole = data ? product(std::span<const Dim>(*data)) : std::nullopt;
    return node.set(2, ElementType::Int64, {whole ? fixed(*whole) : node.unknown(2, 0)});
  }
  if (!data) {
    node.set(2, ElementType::Int64, node.unknown_shape(2, 1));
    return node.set_element(0, node.element(0));
  }
  const std::size_t axis = node.axis(node.required_integer("axis"), data->size());
  node.set(2, ElementType::Int64, {(*data)[axis]});
  Shape result = *data;
  result[axis] = count;
  node.set(0, node.element(0), std::move(result));
}

// Selected boxes as triples of batch, class and box.
void non_max_suppression(NodeInference& node) {
  node.set(0, ElementType::Int64, {node.unknown(0, 0), fixed(3)});
}

void triangle(NodeInference& node) {
  const Shape* data = node.shape(0);
  if (data && data->size() < 2) node.fail("the input must have rank 2 or more");
  same_as_first(node);
}

constexpr std::array kRules = {
    Rule{"Compress", compress, 2},
    Rule{"Gather", gather, 2, evaluate_gather},
    Rule{"GatherElements", gather_elements, 2},
    Rule{"GatherND", gather_nd, 2},
    Rule{"NonMaxSuppression", non_max_suppression, 2},
    Rule{"NonZero", non_zero, 1},
    Rule{"ReverseSequence", same_as_first, 2},
    Rule{"Scatter", scatter_elements, 3},
    Rule{"ScatterElements", scatter_elements, 3},
    Rule{"ScatterND", same_as_first, 3},
    Rule{"TensorScatter", same_as_first, 2},
    Rule{"TopK", top_k, 1},
    Rule{"Trilu", triangle, 1},
    Rule{"Unique", unique, 1},
};

}  // namespace

std::span<const Rule> gathering_rules() {
  return kRules;
}

}  // namespace headroom::infer
