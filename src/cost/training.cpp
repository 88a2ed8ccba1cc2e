// SPDX-License-Identifier: Apache-2.0
// Losses, and one step of an optimiser (ai.onnx.preview.training). Source: ONNX operator
// specification; a coefficient of zero in an attribute multiplies nothing.
#include <array>

#include "cost/formula.h"
#include "cost/softmax.h"

namespace headroom::cost {
namespace {

// Scores [N, C, ...], targets [N, ...], weights [C]: of each target's class the score, negated,
// weighted and joined. The mean of weighted losses divides by the sum of the weights, that of
// targets of which some are ignored by the number of the others.
void count_likelihood_loss(NodeView& view, Tally& tally) {
  const Amount targets = view.input(1).elements();
  const bool is_weighted = view.input(2).exists();
  const bool ignores = view.node().find("ignore_index") != nullptr;
  tally.add(Arithmetic::Compare, (ignores ? 2 : 1) * targets);
  if (is_weighted) tally.add(Arithmetic::Multiply, targets);
  const std::string_view reduction = view.node().text("reduction", "mean");
  if (reduction == "none") return;
  tally.add(Arithmetic::Add, targets - 1);
  if (reduction != "mean") return;
  tally.add(Arithmetic::Divide, 1);
  if (is_weighted || ignores) tally.add(Arithmetic::Add, targets - 1);
}

// The loss of the logarithm of the softmax over axis 1.
void count_softmax_loss(NodeView& view, Tally& tally) {
  const Operand scores = view.input(0);
  add_log_softmax(tally, scores.elements(), scores.elements() / scores.dim(1));
  count_likelihood_loss(view, tally);
}

// Inputs: rate R, step T, then n tensors X, n gradients G and the states of each.
Amount optimized(NodeView& view, std::size_t states) {
  const std::size_t given = view.input_count() > 2 ? view.input_count() - 2 : 0;
  Amount elements = 0;
  for (std::size_t i = 0; i < given / (2 + states); ++i) elements += view.input(2 + i).elements();
  return elements;
}

// G + c X.
void add_regularization(NodeView& view, Tally& tally, Amount elements) {
  if (view.node().real("norm_coefficient", 0.0F) != 0.0F)
    add_each(tally, {.add = 1, .multiply = 1}, elements);
}

// r = R / (1 + T decay). H + G G; X - r G / (sqrt(H) + e).
void count_adagrad(NodeView& view, Tally& tally) {
  const Amount elements = optimized(view, 1);
  add_regularization(view, tally, elements);
  add_each(tally, {.add = 1, .multiply = 1, .divide = 1}, 1);
  add_each(tally, {.add = 3, .multiply = 2, .divide = 1, .square_root = 1}, elements);
}

// r = R sqrt(1 - b^T) / (1 - a^T) if T > 0. a V + (1 - a) G; b H + (1 - b) G G;
// X - r V / (sqrt(H) + e), times 1 - c.
void count_adam(NodeView& view, Tally& tally) {
  const Amount elements = optimized(view, 2);
  add_regularization(view, tally, elements);
  add_each(tally,
           {.add = 2, .multiply = 1, .divide = 1, .compare = 1, .exponential = 2, .square_root = 1},
           1);
  add_each(tally, {.add = 4, .multiply = 6, .divide = 1, .square_root = 1}, elements);
  if (view.node().real("norm_coefficient_post", 0.0F) != 0.0F)
    tally.add(Arithmetic::Multiply, elements);
}

// b is 1 in the first step. V' = a V + b G; X - R V', after Nesterov X - R (G + a V').
void count_momentum(NodeView& view, Tally& tally) {
  const Amount elements = optimized(view, 1);
  add_regularization(view, tally, elements);
  tally.add(Arithmetic::Compare, 1);
  add_each(tally, {.add = 2, .multiply = 3}, elements);
  if (view.node().text("mode", "standard") == "nesterov")
    add_each(tally, {.add = 1, .multiply = 1}, elements);
}

constexpr std::array kFormulas = {
    Formula{kOnnx, "NegativeLogLikelihoodLoss", {}, count_likelihood_loss, Traffic::Picked},
    Formula{kOnnx, "SoftmaxCrossEntropyLoss", {}, count_softmax_loss},
    Formula{kOnnxTraining, "Adagrad", {}, count_adagrad},
    Formula{kOnnxTraining, "Adam", {}, count_adam},
    Formula{kOnnxTraining, "Momentum", {}, count_momentum},
};

}  // namespace

std::span<const Formula> training_formulas() {
  return kFormulas;
}

}  // namespace headroom::cost
