// SPDX-License-Identifier: Apache-2.0
// Mixtures of experts: each row of the input goes through the k experts that its router chooses,
// two or three matrix products each. Source: ONNX Runtime, ContribOperators.md, MoE and QMoE.
#include <algorithm>
#include <array>

#include "cost/activation.h"
#include "cost/formula.h"

namespace headroom::cost {
namespace {

// Inputs: the weights of the products, and their biases. Of the first product, of the second, and
// of the third, which gates the first where there is one.
struct Inputs {
  std::array<std::size_t, 3> weights{};
  std::array<std::size_t, 3> biases{};
  std::uint64_t packed = 1;  ///< Weights in an element of the stored tensor.
};

// `width` outputs of the first product for each of `rows` choices; a fused swiglu takes one half of
// them as gate of the other.
void add_expert_activation(NodeView& view, Tally& tally, Amount rows, Amount width, bool is_gated) {
  const std::string_view type = view.node().text("activation_type", "relu");
  const bool is_swiglu = type == "swiglu";
  const Amount values = rows * (is_swiglu && !is_gated ? width / 2 : width);
  if (type == "relu") add_activation(view, tally, "Relu", values);
  if (type == "gelu") add_each(tally, kGelu, values);
  if (type == "silu" || is_swiglu) add_each(tally, kSwish, values);
  if (is_swiglu) tally.add(Arithmetic::Add, values);
  if (is_swiglu && view.node().find("swiglu_limit") != nullptr)
    tally.add(Arithmetic::Compare, 3 * values);
  if (is_swiglu || is_gated) tally.add(Arithmetic::Multiply, values);
}

// One look at each of the router's probabilities, then the products, then the mixture.
void count_experts(NodeView& view, Tally& tally, const Inputs& inputs) {
  const Operand router = view.input(1);
  const Amount rows = router.dim(0);
  const Amount choices =
      rows * static_cast<std::uint64_t>(std::max<std::int64_t>(view.integer("k", 1), 0));
  tally.add(Arithmetic::Compare, router.elements());
  for (std::size_t i = 0; i < inputs.weights.size(); ++i) {
    const Operand weight = view.input(inputs.weights[i]);
    if (!weight.exists()) continue;
    tally.macs += choices * weight.product(1, -1) * inputs.packed;
    const Operand bias = view.input(inputs.biases[i]);
    if (bias.exists()) tally.add(Arithmetic::Add, choices * bias.dim(1));
  }
  const Amount hidden = view.input(0).dim(-1);
  const Amount first = view.input(inputs.weights[0]).product(1, -1) * inputs.packed;
  add_expert_activation(view, tally, choices, first / hidden,
                        view.input(inputs.weights[2]).exists());
  if (view.flag("normalize_routing_weights")) {
    tally.add(Arithmetic::Add, choices - rows);
    tally.add(Arithmetic::Divide, choices);
  }
  tally.add(Arithmetic::Multiply, choices * hidden);
  tally.add(Arithmetic::Add, (choices - rows) * hidden);
}

void count_mixture(NodeView& view, Tally& tally) {
  count_experts(view, tally, {.weights = {2, 4, 6}, .biases = {3, 5, 7}});
}

// Weights of 8 / packed bits in bytes; those in 8-bit floating point stand alone.
void count_quantized_mixture(NodeView& view, Tally& tally) {
  const std::string_view type = view.node().text("quant_type", "int");
  const std::int64_t bits = type == "int"   ? view.integer("expert_weight_bits", 4)
                            : type == "fp8" ? 8
                                            : 4;
  if (bits < 1 || bits > 8) return view.note("expert_weight_bits is not from 1 to 8");
  count_experts(
      view, tally,
      {.weights = {2, 5, 8}, .biases = {4, 7, 10}, .packed = 8 / static_cast<std::uint64_t>(bits)});
}

// Of the tensors of all experts those of the chosen ones are read.
constexpr InputMask kMixture = 0xFC;             // Inputs 2 to 7.
constexpr InputMask kQuantizedMixture = 0x3FFC;  // Inputs 2 to 13.

constexpr std::array kFormulas = {
    Formula{kMicrosoft, "MoE", {}, count_mixture, Traffic::Experts, 0, kMixture, 1},
    Formula{
        kMicrosoft, "QMoE", {}, count_quantized_mixture, Traffic::Experts, 0, kQuantizedMixture, 1},
};

}  // namespace

std::span<const Formula> expert_formulas() {
  return kFormulas;
}

}  // namespace headroom::cost
