// SPDX-License-Identifier: Apache-2.0
// Elements that move and stay what they are.
#include <algorithm>
#include <limits>

#include "model/infer/broadcast.h"
#include "model/infer/evaluate.h"

namespace headroom::infer {
namespace {

std::vector<std::size_t> strides_of(const Shape& shape) {
  std::vector<std::size_t> strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * static_cast<std::size_t>(*shape[d].size);
  return strides;
}

std::size_t count_of(std::span<const Dim> dims) {
  return static_cast<std::size_t>(product(dims).value_or(0));
}

// Input 0's elements and shape, where both are known.
const KnownElements* source_of(NodeInference& node) {
  const Shape* shape = node.shape(0);
  if (!shape || first_open(*shape) || !node.is_known(0)) return nullptr;
  return node.known(0);
}

// Whether what is known of input `input` has the kind of number that the output has. A file may mix
// element types where the operator does not.
bool fits_output(NodeInference& node, std::size_t input, bool is_real) {
  if (!node.is_known(input)) return true;
  const KnownElements* known = node.known(input);
  if (!known) return true;
  const std::size_t count = is_real ? known->reals.size() : known->elements.size();
  return count == count_of(*node.shape(input));
}

// Whether the shapes of all parts are known, their elements are of the output's kind, and at least
// one part's elements are known.
bool can_concat(NodeInference& node, bool is_real) {
  bool has_known = false;
  for (std::size_t i = 0; i < node.input_count(); ++i) {
    const Shape* shape = node.shape(i);
    if (!shape || first_open(*shape) || !fits_output(node, i, is_real)) return false;
    has_known = has_known || node.is_known(i);
  }
  return has_known;
}

// Appends the elements from `first` to before `end`; those of an unknown part (nullptr) are open.
void append_reals(KnownElements& result, const KnownElements* part, std::size_t first,
                  std::size_t end) {
  for (std::size_t k = first; k < end; ++k)
    result.reals.push_back(part ? part->reals[k] : std::numeric_limits<double>::quiet_NaN());
}

void append_integers(const NodeInference& node, KnownElements& result, const KnownElements* part,
                     std::size_t first, std::size_t end) {
  for (std::size_t k = first; k < end; ++k) {
    append_element(result,
                   part ? element_at(*part, k) : node.unknown_element(result.elements.size()));
  }
}

}  // namespace

KnownElements select(const KnownElements& source, std::span<const std::size_t> indices) {
  KnownElements result;
  for (const std::size_t index : indices) {
    if (source.reals.empty()) {
      append_element(result, element_at(source, index));
    } else {
      result.reals.push_back(source.reals[index]);
    }
  }
  return result;
}

KnownElements elements_of(std::span<const Dim> shape) {
  KnownElements result;
  for (const Dim& dim : shape) append_element(result, dim);
  return result;
}

std::vector<std::size_t> box_indices(const Shape& source, const Shape& shape,
                                     std::span<const std::int64_t> starts,
                                     std::span<const std::int64_t> steps) {
  const std::vector<std::size_t> strides = strides_of(source);
  std::vector<std::size_t> result = {0};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    std::vector<std::size_t> next;
    for (const std::size_t index : result) {
      for (std::int64_t i = 0; i < *shape[d].size; ++i)
        next.push_back(index + static_cast<std::size_t>(starts[d] + i * steps[d]) * strides[d]);
    }
    result = std::move(next);
  }
  return result;
}

void evaluate_copy(NodeInference& node) {
  const KnownElements* known = node.is_known(0) ? node.known(0) : nullptr;
  if (known) node.set_known(0, KnownElements(*known));
}

void evaluate_transpose(NodeInference& node) {
  const KnownElements* known = source_of(node);
  if (!known) return;
  const Shape& input = *node.shape(0);
  const Shape& output = *node.output(0).shape;
  const std::vector<std::size_t> strides = strides_of(input);
  const auto order = node.node().integers("perm");
  std::vector<std::size_t> indices = {0};
  for (std::size_t d = 0; d < output.size(); ++d) {
    const std::size_t from =
        order.empty() ? output.size() - 1 - d : node.axis(order[d], input.size());
    std::vector<std::size_t> next;
    for (const std::size_t index : indices) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(*output[d].size); ++i)
        next.push_back(index + i * strides[from]);
    }
    indices = std::move(next);
  }
  node.set_known(0, select(*known, indices));
}

void evaluate_expand(NodeInference& node) {
  if (const KnownElements* known = source_of(node))
    node.set_known(0, select(*known, broadcast_indices(*node.shape(0), *node.output(0).shape)));
}

void evaluate_tile(NodeInference& node) {
  const KnownElements* known = source_of(node);
  if (!known || node.opset() < 6) return;
  const Shape& input = *node.shape(0);
  const Shape& output = *node.output(0).shape;
  const std::vector<std::size_t> strides = strides_of(input);
  std::vector<std::size_t> indices = {0};
  for (std::size_t d = 0; d < output.size(); ++d) {
    std::vector<std::size_t> next;
    for (const std::size_t index : indices) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(*output[d].size); ++i)
        next.push_back(index + i % static_cast<std::size_t>(*input[d].size) * strides[d]);
    }
    indices = std::move(next);
  }
  node.set_known(0, select(*known, indices));
}

void evaluate_concat(NodeInference& node) {
  const Shape& output = *node.output(0).shape;
  const std::size_t axis = node.axis(node.node().integer("axis", 1), output.size());
  const bool is_real = is_float(node.output(0).element);
  if (!can_concat(node, is_real)) return;
  const std::size_t outer = count_of(std::span(output).first(axis));
  KnownElements result;
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t i = 0; i < node.input_count(); ++i) {
      const std::size_t length = count_of(std::span(*node.shape(i)).subspan(axis));
      const KnownElements* part = node.is_known(i) ? node.known(i) : nullptr;
      if (is_real) {
        append_reals(result, part, o * length, (o + 1) * length);
      } else {
        append_integers(node, result, part, o * length, (o + 1) * length);
      }
    }
  }
  node.set_known(0, std::move(result));
}

// Nothing is claimed for indices that are out of range: then the node fails when it runs.
void evaluate_gather(NodeInference& node) {
  const KnownElements* known = source_of(node);
  const auto picks = known ? node.integers(1) : std::nullopt;
  if (!picks) return;
  const Shape& input = *node.shape(0);
  const std::size_t axis = node.axis(node.node().integer("axis", 0), input.size());
  const std::int64_t size = *input[axis].size;
  const std::size_t inner = count_of(std::span(input).subspan(axis + 1));
  const std::size_t outer = count_of(std::span(input).first(axis));
  std::vector<std::size_t> indices;
  for (std::size_t o = 0; o < outer; ++o) {
    for (const std::int64_t pick : *picks) {
      if (pick < -size || pick >= size) return;
      const auto at = static_cast<std::size_t>(pick < 0 ? pick + size : pick);
      for (std::size_t i = 0; i < inner; ++i)
        indices.push_back((o * static_cast<std::size_t>(size) + at) * inner + i);
    }
  }
  node.set_known(0, select(*known, indices));
}

}  // namespace headroom::infer
