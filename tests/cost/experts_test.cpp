// SPDX-License-Identifier: Apache-2.0
// Mixtures of experts: only those that the router chooses compute. By hand.
#include <gtest/gtest.h>

#include "cost/rows.h"

namespace headroom::test {
namespace {

// 4 experts, 8 wide outside, 16 inside.
OneNode mixture(std::int64_t rows, std::int64_t choices) {
  return {.op = "MoE",
          .inputs = {data({rows, 8}), data({rows, 4}), weight({4, 16, 8}), omitted(),
                     weight({4, 8, 16})},
          .attributes = {attr("k", choices)},
          .domain = "com.microsoft"};
}

TEST(MoE, CountsTheExpertsThatARowGoesThrough) {
  // 3 rows choose 2 of 4: 6 times 128 + 128 MACs and 16 relus; 12 probabilities are looked at; 6
  // results of 8 are weighted, pairs of them added.
  expect_rows({{mixture(3, 2), {{kCompare, 6 * 16 + 12}, {kMul, 48}, {kAdd, 24}}, 6 * 256}});
}

TEST(MoE, ReadsOnlyTheExpertsThatCanBeChosen) {
  // One row of 8 and 4 probabilities; 2 of 4 experts of 256 weights; 3 rows can choose all.
  EXPECT_EQ(count_one(mixture(1, 2)).read.value, 4U * (8 + 4 + 2 * 256));
  EXPECT_EQ(count_one(mixture(3, 2)).read.value, 4U * (24 + 12 + 4 * 256));
}

TEST(MoE, HalvesTheFirstProductForAFusedGate) {
  // 3 rows choose 1: 256 + 128 MACs; 16 values with sigmoid(a g) g and times (l + 1).
  const OneNode node{
      .op = "MoE",
      .inputs = {data({3, 8}), data({3, 4}), weight({4, 32, 8}), omitted(), weight({4, 8, 16})},
      .attributes = {attr("activation_type", "swiglu"), attr("swiglu_fusion", 1)},
      .domain = "com.microsoft"};
  expect_rows(
      {{node, {{kCompare, 12}, {kMul, 48 * 3 + 24}, {kExp, 48}, {kAdd, 48}}, 3 * (256 + 128)}});
}

TEST(QMoE, CountsPackedWeightsAsWhatTheyStandFor) {
  // Two weights of 4 bits in each byte.
  const OneNode node{.op = "QMoE",
                     .inputs = {data({3, 8}), data({3, 4}), weight({4, 16, 4}, kU8),
                                weight({4, 16}), omitted(), weight({4, 8, 8}, kU8), weight({4, 8})},
                     .attributes = {attr("k", 2), attr("expert_weight_bits", 4)},
                     .domain = "com.microsoft"};
  expect_rows({{node, {{kCompare, 6 * 16 + 12}, {kMul, 48}, {kAdd, 24}}, 6 * 256}});
}

}  // namespace
}  // namespace headroom::test
