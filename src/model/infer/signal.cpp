// SPDX-License-Identifier: Apache-2.0
// Fourier transforms, windows, mel weights.
#include <algorithm>
#include <array>

#include "model/infer/generic.h"
#include "model/infer/rules.h"

namespace headroom::infer {
namespace {

Dim half(const NodeInference& node, std::size_t dimension, const Dim& length) {
  return node.compute(
      0, dimension, [](std::int64_t size) { return plus(size / 2, std::int64_t{1}); }, length);
}

void window(NodeInference& node) {
  node.set(0, node.element_attribute("output_datatype", ElementType::Float32),
           {node.scalar_size(0, 0)});
}

// The axis: attribute `axis` (default 1) in opset 17, then input 2 (default −2).
std::optional<std::size_t> transform_axis(NodeInference& node, std::size_t rank) {
  if (node.opset() < 20) return node.axis(node.node().integer("axis", 1), rank);
  if (!node.has_input(2)) return node.axis(-2, rank);
  const Integer axis = node.integer(2);
  return axis ? std::optional(node.axis(*axis, rank)) : std::nullopt;
}

// The last dimension holds real and imaginary parts; the inverse of a one-sided transform is real.
void fourier(NodeInference& node) {
  const Shape* x = node.shape(0);
  if (!x) return node.set_element(0, node.element(0));
  if (x->size() < 2) node.fail("the input must have rank 2 or more");
  const bool is_one_sided = node.node().integer("onesided", 0) != 0;
  const bool is_inverse = node.node().integer("inverse", 0) != 0;
  Shape shape = *x;
  shape.back() = fixed(is_one_sided && is_inverse ? 1 : 2);
  const auto axis = transform_axis(node, x->size());
  if (!axis) {
    for (std::size_t i = 0; i + 1 < shape.size(); ++i) shape[i] = node.unknown(0, i);
    return node.set(0, node.element(0), std::move(shape));
  }
  Dim length = (*x)[*axis];
  if (node.has_input(1)) {
    length = node.scalar_size(1, *axis);
  } else if (is_one_sided && is_inverse) {
    length = node.compute(
        0, *axis, [](std::int64_t size) { return times(size - 1, std::int64_t{2}); }, length);
  }
  shape[*axis] = is_one_sided && !is_inverse ? half(node, *axis, length) : length;
  node.set(0, node.element(0), std::move(shape));
}

// [batch, frames, bins, 2]
void short_time_fourier(NodeInference& node) {
  const Shape* signal = node.shape(0);
  if (!signal) return node.set(0, node.element(0), node.unknown_shape(0, 4));
  if (signal->size() < 2) node.fail("the signal must have rank 2 or more");
  Dim frame = (*signal)[1];
  if (node.has_input(3)) {
    frame = node.scalar_size(3, 2);
  } else if (node.has_input(2)) {
    frame =
        node.shape(2) && node.shape(2)->size() == 1 ? node.shape(2)->front() : node.unknown(0, 2);
  }
  const Dim step = node.scalar_size(1, 1);
  const Dim frames = node.compute(
      0, 1,
      [&](std::int64_t length, std::int64_t size, std::int64_t distance) -> Integer {
        if (distance < 1 || size > length) node.fail("no frame fits into the signal");
        return (length - size) / distance + 1;
      },
      (*signal)[1], frame, step);
  const bool is_one_sided = node.node().integer("onesided", 1) != 0;
  node.set(0, node.element(0),
           {signal->front(), frames, is_one_sided ? half(node, 2, frame) : frame, fixed(2)});
}

void mel_weights(NodeInference& node) {
  node.set(0, node.element_attribute("output_datatype", ElementType::Float32),
           {half(node, 0, node.scalar_size(1, 0)), node.scalar_size(0, 1)});
}

constexpr std::array kRules = {
    Rule{"BlackmanWindow", window, 1},       Rule{"DFT", fourier, 1},
    Rule{"HammingWindow", window, 1},        Rule{"HannWindow", window, 1},
    Rule{"MelWeightMatrix", mel_weights, 5}, Rule{"STFT", short_time_fourier, 2},
};

}  // namespace

std::span<const Rule> signal_rules() {
  return kRules;
}

}  // namespace headroom::infer
