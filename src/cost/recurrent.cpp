// SPDX-License-Identifier: Apache-2.0
// LSTM, GRU and RNN. D directions, T steps, batch B, hidden size H, input size I, G gates: the
// products of x with W and of h with R accumulate into the same sums, D T B G H (I + H) MACs. A
// state that starts at zero is multiplied like any other, and sequence_lens shortens nothing: an
// upper count. Source: ONNX operator specification, LSTM, GRU, RNN (equations and default
// activations).
#include <array>

#include "cost/activation.h"
#include "cost/formula.h"

namespace headroom::cost {
namespace {

constexpr std::size_t kBias = 3;
constexpr std::size_t kPeepholes = 7;

struct Sizes {
  std::size_t directions = 1;
  Amount steps{};  ///< T B: evaluations of one direction's cell.
  Amount input{};
  Amount hidden{};
};

// X is [T, B, I], with layout 1 [B, T, I]; R is [D, G H, H].
Sizes sizes_of(NodeView& view) {
  const Operand x = view.input(0);
  const bool is_both = view.node().text("direction", "forward") == "bidirectional";
  return {.directions = is_both ? std::size_t{2} : std::size_t{1},
          .steps = x.dim(0) * x.dim(1),
          .input = x.dim(2),
          .hidden = view.input(2).dim(-1)};
}

// The activations of all directions; `defaults` are those of one cell, each with how many values of
// the hidden size it sees.
struct CellActivation {
  std::string_view name;
  std::uint64_t width;
};

void add_activations(NodeView& view, Tally& tally, const Sizes& sizes,
                     std::span<const CellActivation> defaults) {
  const Attribute* attribute = view.node().find("activations");
  const auto* names =
      attribute == nullptr ? nullptr : std::get_if<std::vector<std::string>>(&attribute->value);
  for (std::size_t direction = 0; direction < sizes.directions; ++direction) {
    for (std::size_t i = 0; i < defaults.size(); ++i) {
      const std::size_t index = direction * defaults.size() + i;
      const bool is_named = names != nullptr && index < names->size();
      add_activation(view, tally, is_named ? std::string_view{(*names)[index]} : defaults[i].name,
                     defaults[i].width * sizes.steps * sizes.hidden);
    }
  }
}

// What gates of any cell have in common: products, biases (W's and R's are one, except where
// `extra` biases stand alone), the optional clip of what enters the activations.
void add_gates(NodeView& view, Tally& tally, const Sizes& sizes, std::uint64_t gates,
               std::uint64_t extra_biases) {
  const Amount cells = sizes.directions * sizes.steps * sizes.hidden;
  tally.macs += gates * cells * (sizes.input + sizes.hidden);
  if (view.input(kBias).exists()) tally.add(Arithmetic::Add, (gates + extra_biases) * cells);
  if (view.node().find("clip") != nullptr) tally.add(Arithmetic::Compare, 2 * gates * cells);
}

// C' = f C + i c, H' = o h(C').
void count_lstm_cell(NodeView& view, Tally& tally, const Sizes& sizes, bool has_peepholes) {
  constexpr std::array<CellActivation, 3> kActivations = {
      {{"Sigmoid", 3}, {"Tanh", 1}, {"Tanh", 1}}};
  add_gates(view, tally, sizes, 4, 0);
  add_activations(view, tally, sizes, kActivations);
  const Amount cells = sizes.directions * sizes.steps * sizes.hidden;
  tally.add(Arithmetic::Multiply, 3 * cells);
  tally.add(Arithmetic::Add, cells);
  if (!has_peepholes) return;
  tally.add(Arithmetic::Multiply, 3 * cells);
  tally.add(Arithmetic::Add, 3 * cells);
}

void count_lstm(NodeView& view, Tally& tally) {
  count_lstm_cell(view, tally, sizes_of(view), view.input(kPeepholes).exists());
}

// R is [D, H, 4 H] here.
void count_dynamic_quantize_lstm(NodeView& view, Tally& tally) {
  tally.mac_operand = 1;  // X becomes what W is.
  Sizes sizes = sizes_of(view);
  sizes.hidden = view.input(2).dim(1);
  count_lstm_cell(view, tally, sizes, view.input(kPeepholes).exists());
}

// H' = (1 - z) h + z H. The reset gate multiplies H before the product with R or, with
// linear_before_reset, that product, whose bias and sum then stand alone.
void count_gru(NodeView& view, Tally& tally) {
  constexpr std::array<CellActivation, 2> kActivations = {{{"Sigmoid", 2}, {"Tanh", 1}}};
  const Sizes sizes = sizes_of(view);
  const bool is_linear = view.flag("linear_before_reset");
  add_gates(view, tally, sizes, 3, is_linear ? 1 : 0);
  add_activations(view, tally, sizes, kActivations);
  const Amount cells = sizes.directions * sizes.steps * sizes.hidden;
  tally.add(Arithmetic::Multiply, 3 * cells);
  tally.add(Arithmetic::Add, (is_linear ? 3 : 2) * cells);
}

void count_rnn(NodeView& view, Tally& tally) {
  constexpr std::array<CellActivation, 1> kActivations = {{{"Tanh", 1}}};
  const Sizes sizes = sizes_of(view);
  add_gates(view, tally, sizes, 1, 0);
  add_activations(view, tally, sizes, kActivations);
}

// Input 4 says how long the sequences are.
constexpr std::array kFormulas = {
    Formula{kOnnx, "GRU", {}, count_gru, Traffic::Whole, input_bit(4)},
    Formula{kOnnx, "LSTM", {}, count_lstm, Traffic::Whole, input_bit(4)},
    Formula{kOnnx, "RNN", {}, count_rnn, Traffic::Whole, input_bit(4)},
    Formula{kMicrosoft,
            "DynamicQuantizeLSTM",
            {},
            count_dynamic_quantize_lstm,
            Traffic::Whole,
            input_bit(4)},
};

}  // namespace

std::span<const Formula> recurrent_formulas() {
  return kFormulas;
}

}  // namespace headroom::cost
