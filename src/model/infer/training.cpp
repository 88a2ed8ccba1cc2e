// SPDX-License-Identifier: Apache-2.0
// Losses, and the optimisers of ai.onnx.preview.training.
#include <array>

#include "model/infer/generic.h"
#include "model/infer/rules.h"

namespace headroom::infer {
namespace {

// One loss for each target, or a scalar.
void loss(NodeInference& node) {
  const ElementType element = node.element(0);
  if (node.node().text("reduction", "mean") != "none") {
    node.set(0, element, {});
  } else if (node.shape(1)) {
    node.set(0, element, Shape(*node.shape(1)));
  } else {
    node.set_element(0, element);
  }
  // SoftmaxCrossEntropyLoss also gives the logarithm of the probabilities.
  node.set(1, ValueType(node.input(0)));
}

// Inputs: rate, step, then n tensors, n gradients and `states` times n states. Outputs: the new
// tensors and states.
void optimizer(NodeInference& node, std::size_t states) {
  if (node.input_count() < 2 || (node.input_count() - 2) % (2 + states) != 0)
    node.fail("the inputs are not a whole number of tensors with gradients and states");
  const std::size_t tensors = (node.input_count() - 2) / (2 + states);
  for (std::size_t i = 0; i < tensors; ++i) node.set(i, ValueType(node.input(2 + i)));
  for (std::size_t i = 0; i < states * tensors; ++i)
    node.set(tensors + i, ValueType(node.input(2 + 2 * tensors + i)));
}

void one_state(NodeInference& node) {
  optimizer(node, 1);
}
void two_states(NodeInference& node) {
  optimizer(node, 2);
}

// Inputs named by `xs` first; one gradient for each.
void gradient(NodeInference& node) {
  for (std::size_t i = 0; i < node.output_count(); ++i) node.set(i, ValueType(node.input(i)));
}

constexpr std::array kLossRules = {
    Rule{"NegativeLogLikelihoodLoss", loss, 2},
    Rule{"SoftmaxCrossEntropyLoss", loss, 2},
};

constexpr std::array kRules = {
    Rule{"Adagrad", one_state, 2},
    Rule{"Adam", two_states, 2},
    Rule{"Gradient", gradient, 1},
    Rule{"Momentum", one_state, 2},
};

}  // namespace

std::span<const Rule> loss_rules() {
  return kLossRules;
}

std::span<const Rule> training_rules() {
  return kRules;
}

}  // namespace headroom::infer
