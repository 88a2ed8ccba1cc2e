// SPDX-License-Identifier: Apache-2.0
// LSTM, GRU, RNN: T steps, batch B, input I, hidden H. All tests take T = 5, B = 2, I = 3, H = 4,
// so that one direction has 5 x 2 x 4 = 40 cell values. Derived by hand from the operators'
// equations.
#include <gtest/gtest.h>

#include "cost/counted.h"

namespace headroom::test {
namespace {

constexpr std::int64_t kI = 3;
constexpr std::int64_t kH = 4;
constexpr std::uint64_t kCells = 40;
// A cell value of one gate is a product over [x, h]: I + H terms.
constexpr std::uint64_t kTerms = 7;

struct Cell {
  const char* op;
  std::int64_t gates;
};

OneNode cell(const Cell& kind, std::int64_t directions = 1) {
  return {kind.op,
          {data({5, 2, kI}), weight({directions, kind.gates * kH, kI}),
           weight({directions, kind.gates * kH, kH}), weight({directions, 2 * kind.gates * kH})},
          {attr("hidden_size", kH)}};
}

constexpr Cell kLstm{"LSTM", 4};
constexpr Cell kGru{"GRU", 3};
constexpr Cell kRnn{"RNN", 1};

TEST(Lstm, CountsFourGatesAndItsStates) {
  const NodeWork work = count_one(cell(kLstm));
  EXPECT_EQ(work.macs.value, 4 * kCells * kTerms);
  // sigmoid for i, o, f; tanh for c and for the output.
  EXPECT_EQ(other(work, Arithmetic::Exponential), 5 * kCells);
  // C = f C + i c, H = o tanh(C).
  EXPECT_EQ(other(work, Arithmetic::Multiply), 3 * kCells);
  // The biases of four gates and the sum in C.
  EXPECT_EQ(other(work, Arithmetic::Add), 5 * kCells);
}

TEST(Lstm, DoublesWithTwoDirections) {
  OneNode both = cell(kLstm, 2);
  both.attributes.push_back(attr("direction", "bidirectional"));
  const NodeWork work = count_one(both);
  EXPECT_EQ(work.macs.value, 2 * 4 * kCells * kTerms);
  EXPECT_EQ(other(work, Arithmetic::Exponential), 2 * 5 * kCells);
}

TEST(Lstm, CountsReverseAsForward) {
  OneNode reverse = cell(kLstm);
  reverse.attributes.push_back(attr("direction", "reverse"));
  EXPECT_EQ(count_one(reverse).macs.value, 4 * kCells * kTerms);
}

TEST(Lstm, ReadsBatchFirstLayout) {
  OneNode batch_first = cell(kLstm);
  batch_first.inputs[0] = data({2, 5, kI});
  batch_first.attributes.push_back(attr("layout", 1));
  EXPECT_EQ(count_one(batch_first).macs.value, 4 * kCells * kTerms);
}

TEST(Lstm, AddsItsPeepholes) {
  OneNode peepholes = cell(kLstm);
  peepholes.inputs.insert(peepholes.inputs.end(),
                          {omitted(), omitted(), omitted(), weight({1, 3 * kH})});
  const NodeWork work = count_one(peepholes);
  EXPECT_EQ(work.macs.value, 4 * kCells * kTerms);
  // Three gates see the cell: a product and a sum each.
  EXPECT_EQ(other(work, Arithmetic::Multiply), 6 * kCells);
  EXPECT_EQ(other(work, Arithmetic::Add), 8 * kCells);
}

TEST(Lstm, CountsNoBiasWhereThereIsNone) {
  OneNode bare = cell(kLstm);
  bare.inputs.pop_back();
  EXPECT_EQ(other(count_one(bare), Arithmetic::Add), kCells);
}

TEST(Lstm, MultipliesAnInitialStateLikeAnyOther) {
  OneNode started = cell(kLstm);
  started.inputs.insert(started.inputs.end(), {omitted(), data({1, 2, kH}), data({1, 2, kH})});
  EXPECT_EQ(count_one(started).macs.value, 4 * kCells * kTerms);
}

TEST(Lstm, TakesTheActivationsThatItNames) {
  OneNode named = cell(kLstm);
  named.attributes.push_back(attr("activations", std::vector<std::string>{"Relu", "Tanh", "Relu"}));
  const NodeWork work = count_one(named);
  EXPECT_EQ(other(work, Arithmetic::Compare), 4 * kCells);  // Three gates and the output.
  EXPECT_EQ(other(work, Arithmetic::Exponential), kCells);
}

TEST(Lstm, SaysWhichActivationHasNoFormula) {
  OneNode named = cell(kLstm);
  named.attributes.push_back(
      attr("activations", std::vector<std::string>{"Spiral", "Tanh", "Tanh"}));
  const NodeWork work = count_one(named);
  EXPECT_EQ(work.status, CountStatus::UnknownShape);
  EXPECT_EQ(work.reason, "activation 'Spiral' has no formula");
}

TEST(Gru, CountsThreeGates) {
  const NodeWork work = count_one(cell(kGru));
  EXPECT_EQ(work.macs.value, 3 * kCells * kTerms);
  EXPECT_EQ(other(work, Arithmetic::Exponential), 3 * kCells);
  // r H; (1 - z) h; z H.
  EXPECT_EQ(other(work, Arithmetic::Multiply), 3 * kCells);
  // Three biases; 1 - z; the sum.
  EXPECT_EQ(other(work, Arithmetic::Add), 5 * kCells);
}

TEST(Gru, AddsABiasAndASumWhenTheResetComesAfterTheProduct) {
  OneNode linear = cell(kGru);
  linear.attributes.push_back(attr("linear_before_reset", 1));
  const NodeWork work = count_one(linear);
  EXPECT_EQ(work.macs.value, 3 * kCells * kTerms);
  // r (R h + Rb) stands apart from W x + Wb: one bias and one sum more.
  EXPECT_EQ(other(work, Arithmetic::Add), 7 * kCells);
}

TEST(Rnn, CountsOneGate) {
  const NodeWork work = count_one(cell(kRnn));
  EXPECT_EQ(work.macs.value, kCells * kTerms);
  EXPECT_EQ(other(work, Arithmetic::Exponential), kCells);
  EXPECT_EQ(other(work, Arithmetic::Add), kCells);
}

TEST(Rnn, CountsItsClip) {
  OneNode clipped = cell(kRnn);
  clipped.attributes.push_back(attr("clip", 1.0F));
  EXPECT_EQ(other(count_one(clipped), Arithmetic::Compare), 2 * kCells);
}

TEST(DynamicQuantizeLstm, CountsAnLstmOfBytes) {
  // 2 steps of one sequence, 3 inputs, 4 hidden: 4 gates of 4 outputs from 3 + 4 numbers. The
  // weights lie as [1, 3, 16] and [1, 4, 16].
  const NodeWork work =
      count_one({.op = "DynamicQuantizeLSTM",
                 .inputs = {data({2, 1, 3}), weight({1, 3, 16}, kI8), weight({1, 4, 16}, kI8)},
                 .attributes = {attr("hidden_size", 4)},
                 .domain = "com.microsoft",
                 .declared = data({2, 1, 1, 4})});
  EXPECT_EQ(work.macs.value, 2U * 16U * 7U);
  EXPECT_EQ(to_string(work.mac_type), "int8");
}

}  // namespace
}  // namespace headroom::test
