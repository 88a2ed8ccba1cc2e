// SPDX-License-Identifier: Apache-2.0
// Normalisations: the first output has the input's shape, further ones hold statistics.
#include "model/infer/normalization.h"

#include <array>

#include "model/infer/generic.h"
#include "model/infer/rules.h"

namespace headroom::infer {

void set_statistics(NodeInference& node, std::size_t first, std::size_t end, std::int64_t axis,
                    ElementType element) {
  const Shape* x = node.shape(0);
  for (std::size_t output = first; output < end; ++output) {
    if (!x) {
      node.set_element(output, element);
      continue;
    }
    Shape shape = *x;
    for (std::size_t i = node.axis(axis, x->size()); i < shape.size(); ++i) shape[i] = fixed(1);
    node.set(output, element, std::move(shape));
  }
}

void layer_normalization(NodeInference& node) {
  same_as_first(node);
  set_statistics(node, 1, 3, node.node().integer("axis", -1),
                 node.element_attribute("stash_type", ElementType::Float32));
}

namespace {

// Running (and, until opset 13, saved) statistics have one element for each channel.
void batch_normalization(NodeInference& node) {
  same_as_first(node);
  const Shape* x = node.shape(0);
  const Shape* mean = node.shape(3);
  if (x && x->size() >= 2 && mean && mean->size() == 1)
    node.agreed((*x)[1], mean->front(), "the channels of the input and of the mean");
  for (std::size_t output = 1; output < node.output_count(); ++output) {
    const std::size_t like = output % 2 == 1 ? 3 : 4;
    if (node.shape(like)) {
      node.set(output, node.element(like), Shape(*node.shape(like)));
    } else {
      node.set_element(output, node.element(like));
    }
  }
}

void rms_normalization(NodeInference& node) {
  ValueType type = node.input(0);
  if (type.kind != TypeKind::Unknown && node.element(1) != ElementType::Undefined)
    type.element = node.element(1);
  node.set(0, std::move(type));
}

// A name of ONNX Runtime in the default domain: LayerNormalization without a mean.
void simplified_layer_normalization(NodeInference& node) {
  same_as_first(node);
  set_statistics(node, 1, 2, node.node().integer("axis", -1),
                 node.element_attribute("stash_type", ElementType::Float32));
}

constexpr std::array kRules = {
    Rule{"BatchNormalization", batch_normalization, 1},
    Rule{"GroupNormalization", same_as_first, 3},
    Rule{"InstanceNormalization", same_as_first, 3},
    Rule{"LRN", same_as_first, 1},
    Rule{"LayerNormalization", layer_normalization, 2},
    Rule{"LpNormalization", same_as_first, 1},
    Rule{"MeanVarianceNormalization", same_as_first, 1},
    Rule{"RMSNormalization", rms_normalization, 2},
    Rule{"SimplifiedLayerNormalization", simplified_layer_normalization, 2},
};

}  // namespace

std::span<const Rule> normalization_rules() {
  return kRules;
}

}  // namespace headroom::infer
