// SPDX-License-Identifier: Apache-2.0
// Losses and optimisers. By hand from the pseudo code of their specification.
#include <gtest/gtest.h>

#include "cost/rows.h"

namespace headroom::test {
namespace {

OneNode loss(const char* op, std::vector<AttributeSpec> attributes = {}, bool is_weighted = false) {
  OneNode node{
      .op = op, .inputs = {data({3, 5}), data({3}, kI64)}, .attributes = std::move(attributes)};
  if (is_weighted) node.inputs.push_back(weight({5}));
  return node;
}

TEST(NegativeLogLikelihoodLoss, PicksOneScoreForEachTarget) {
  const char* op = "NegativeLogLikelihoodLoss";
  // 3 targets: a change of sign each, 2 sums, a quotient. Weights: a product each, and their sum.
  expect_rows({{loss(op), {{kCompare, 3}, {kAdd, 2}, {kDiv, 1}}},
               {loss(op, {attr("reduction", "none")}), {{kCompare, 3}}},
               {loss(op, {attr("reduction", "sum")}), {{kCompare, 3}, {kAdd, 2}}},
               {loss(op, {}, true), {{kCompare, 3}, {kMul, 3}, {kAdd, 4}, {kDiv, 1}}},
               {loss(op, {attr("ignore_index", 1)}), {{kCompare, 6}, {kAdd, 4}, {kDiv, 1}}}});
  EXPECT_EQ(count_one(loss(op)).read.value, 3U * 4U + 3U * 8U);
}

TEST(SoftmaxCrossEntropyLoss, TakesTheLogarithmOfTheSoftmaxBefore) {
  // 3 rows of 5: 4 comparisons, 10 differences and 4 sums, 5 exp and a logarithm.
  expect_rows({{loss("SoftmaxCrossEntropyLoss"),
                {{kCompare, 12 + 3}, {kAdd, 42 + 2}, {kExp, 18}, {kDiv, 1}}}});
}

OneNode step(const char* op, std::vector<Given> tensors, std::vector<std::string> outputs,
             std::vector<AttributeSpec> attributes = {}) {
  OneNode node{.op = op,
               .inputs = {data({}), data({}, kI64)},
               .attributes = std::move(attributes),
               .domain = std::string(kTrainingDomain),
               .outputs = std::move(outputs)};
  node.inputs.insert(node.inputs.end(), tensors.begin(), tensors.end());
  return node;
}

TEST(Adagrad, StepsEachOfItsTensors) {
  // 4 + 6 elements: H + G G; sqrt + e; X - r G / it. Once r = R / (1 + T d).
  const Given a = data({4});
  const Given b = data({2, 3});
  expect_rows({{step("Adagrad", {a, b, a, b, a, b}, {"y", "b", "ha", "hb"}),
                {{kAdd, 30 + 1}, {kMul, 20 + 1}, {kDiv, 10 + 1}, {kSqrt, 10}}}});
}

TEST(Adam, AveragesGradientsAndTheirSquares) {
  // a V + (1 - a) G; b H + (1 - b) G G; sqrt + e; X - r V / it. Once r: two powers, two
  // differences, a root, a product, a quotient, whether T > 0.
  const Given x = data({4});
  const Counts plain = {{kAdd, 16 + 2}, {kMul, 24 + 1}, {kDiv, 4 + 1},
                        {kSqrt, 4 + 1}, {kExp, 2},      {kCompare, 1}};
  Counts shrunk = plain;
  shrunk[kMul] += 4;
  expect_rows({{step("Adam", {x, x, x, x}, {"y", "v", "h"}), plain},
               {step("Adam", {x, x, x, x}, {"y", "v", "h"}, {attr("norm_coefficient_post", 0.5F)}),
                shrunk}});
}

TEST(Momentum, RegularisesTheGradientWhereAsked) {
  // a V + b G; X - R V. Nesterov: X - R (G + a V). Regularised: G + c X.
  const Given x = data({4});
  expect_rows({{step("Momentum", {x, x, x}, {"y", "v"},
                     {attr("mode", "standard"), attr("norm_coefficient", 0.0F)}),
                {{kAdd, 8}, {kMul, 12}, {kCompare, 1}}},
               {step("Momentum", {x, x, x}, {"y", "v"},
                     {attr("mode", "nesterov"), attr("norm_coefficient", 0.5F)}),
                {{kAdd, 16}, {kMul, 20}, {kCompare, 1}}}});
}

}  // namespace
}  // namespace headroom::test
