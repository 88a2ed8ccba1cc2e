// SPDX-License-Identifier: Apache-2.0
// Broadcasting.
#include "model/infer/broadcast.h"

#include <algorithm>

#include <fmt/format.h>

namespace headroom::infer {

Dim broadcast_dim(const NodeInference& node, std::size_t output, std::size_t dimension,
                  const Dim& a, const Dim& b) {
  if (same(a, b) || b.size == 1) return a;
  if (a.size == 1) return b;
  if (contradict(a, b))
    node.fail(fmt::format("sizes {} and {} cannot be broadcast", *a.size, *b.size));
  // One is known and not 1: the open one can only be 1 or the same.
  if (a.size) return a;
  if (b.size) return b;
  return node.derived(output, dimension, a);
}

Shape broadcast(const NodeInference& node, std::size_t output, const Shape& a, const Shape& b,
                std::size_t rank) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  const std::size_t offset = longer.size() - shorter.size();
  Shape result(longer.begin(), longer.begin() + static_cast<std::ptrdiff_t>(offset));
  for (std::size_t i = offset; i < longer.size(); ++i) {
    result.push_back(broadcast_dim(node, output, i + std::max(rank, longer.size()) - longer.size(),
                                   longer[i], shorter[i - offset]));
  }
  return result;
}

std::optional<Shape> broadcast_inputs(const NodeInference& node, std::size_t first,
                                      std::size_t end) {
  std::size_t rank = 0;
  for (std::size_t i = first; i < end; ++i) {
    if (!node.has_input(i)) continue;
    if (!node.shape(i)) return std::nullopt;
    rank = std::max(rank, node.shape(i)->size());
  }
  std::optional<Shape> result;
  for (std::size_t i = first; i < end; ++i) {
    if (!node.has_input(i)) continue;
    const Shape& shape = *node.shape(i);
    result = result ? broadcast(node, 0, *result, shape, rank) : shape;
  }
  return result;
}

std::vector<std::size_t> broadcast_indices(const Shape& source, const Shape& shape) {
  const std::size_t offset = shape.size() - source.size();
  std::vector<std::size_t> strides(shape.size(), 0);
  std::size_t stride = 1;
  for (std::size_t i = shape.size(); i-- > offset;) {
    const auto size = static_cast<std::size_t>(source[i - offset].size.value_or(1));
    strides[i] = size == 1 ? 0 : stride;
    stride *= size;
  }
  std::size_t count = 1;
  for (const Dim& dim : shape) count *= static_cast<std::size_t>(dim.size.value_or(0));
  std::vector<std::size_t> result(count);
  std::vector<std::size_t> position(shape.size(), 0);
  std::size_t index = 0;
  for (std::size_t i = 0; i < count; ++i) {
    result[i] = index;
    for (std::size_t d = shape.size(); d-- > 0;) {
      index += strides[d];
      if (++position[d] < static_cast<std::size_t>(*shape[d].size)) break;
      index -= strides[d] * position[d];
      position[d] = 0;
    }
  }
  return result;
}

void agree_beside(const NodeInference& node, std::size_t axis, Shape& result, const Shape& shape) {
  for (std::size_t d = 0; d < result.size(); ++d)
    if (d != axis) result[d] = node.agreed(result[d], shape[d], "the sizes beside the axis");
}

}  // namespace headroom::infer
