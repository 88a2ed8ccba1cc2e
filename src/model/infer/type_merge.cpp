// SPDX-License-Identifier: Apache-2.0
// Merging of types.
#include "model/infer/type_merge.h"

#include <algorithm>

namespace headroom::infer {
namespace {

std::optional<Shape> merged_shape(const NodeInference& node, std::size_t output,
                                  const std::optional<Shape>& a, const std::optional<Shape>& b) {
  if (!a || !b || a->size() != b->size()) return std::nullopt;
  Shape result;
  for (std::size_t i = 0; i < a->size(); ++i)
    result.push_back(same((*a)[i], (*b)[i]) ? (*a)[i] : node.unknown(output, i));
  return result;
}

}  // namespace

ValueType merged(const NodeInference& node, std::size_t output, const ValueType& a,
                 const ValueType& b) {
  if (a.kind != b.kind || a.element != b.element || a.inner.size() != b.inner.size()) return {};
  ValueType result{.kind = a.kind, .element = a.element};
  result.shape = merged_shape(node, output, a.shape, b.shape);
  for (std::size_t i = 0; i < a.inner.size(); ++i)
    result.inner.push_back(merged(node, output, a.inner[i], b.inner[i]));
  return result;
}

ValueType element_type(const NodeInference& node, std::size_t output, const ValueType& sequence) {
  if (sequence.inner.empty()) return {};
  ValueType result = sequence.inner.front();
  if (!result.shape) return result;
  for (std::size_t i = 0; i < result.shape->size(); ++i) {
    Dim& dim = (*result.shape)[i];
    if (!dim.size) dim = node.derived(output, i, Dim(dim));
  }
  return result;
}

bool is_equal(const ValueType& a, const ValueType& b) {
  return a.kind == b.kind && a.element == b.element && a.shape == b.shape &&
         std::equal(a.inner.begin(), a.inner.end(), b.inner.begin(), b.inner.end(), is_equal);
}

}  // namespace headroom::infer
