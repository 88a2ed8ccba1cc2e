// SPDX-License-Identifier: Apache-2.0
// Quantisation: the shape stays, the type changes.
#include "model/infer/quantization.h"

#include <array>

#include "model/infer/generic.h"
#include "model/infer/rules.h"

namespace headroom::infer {
namespace {

void set_like_first(NodeInference& node, ElementType element) {
  if (node.shape(0)) return node.set(0, element, Shape(*node.shape(0)));
  node.set_element(0, element);
}

}  // namespace

// The type: that of the zero point, else `output_dtype`, else uint8.
void quantize_linear(NodeInference& node) {
  ElementType element = node.element_attribute("output_dtype", ElementType::Uint8);
  if (node.has_input(2)) element = node.element(2);
  set_like_first(node, element);
}

// The type: `output_dtype`, else that of the scale.
void dequantize_linear(NodeInference& node) {
  set_like_first(node, node.element_attribute("output_dtype", node.element(1)));
}

namespace {

void dynamic_quantize_linear(NodeInference& node) {
  set_like_first(node, ElementType::Uint8);
  node.set(1, ElementType::Float32, {});
  node.set(2, ElementType::Uint8, {});
}

constexpr std::array kRules = {
    Rule{"DequantizeLinear", dequantize_linear, 2},
    Rule{"DynamicQuantizeLinear", dynamic_quantize_linear, 1},
    Rule{"QuantizeLinear", quantize_linear, 2},
};

}  // namespace

std::span<const Rule> quantization_rules() {
  return kRules;
}

}  // namespace headroom::infer
