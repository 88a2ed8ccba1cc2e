// SPDX-License-Identifier: Apache-2.0
// Models other than networks, whose weights stand in attributes. By hand.
#include <gtest/gtest.h>

#include "cost/rows.h"

namespace headroom::test {
namespace {

TEST(LinearClassifier, CountsTheWeightsInItsAttributes) {
  // 5 rows, 3 features, 2 classes.
  const NodeWork work =
      count_one({.op = "LinearClassifier",
                 .inputs = {data({5, 3})},
                 .attributes = {floats("coefficients", {1, 2, 3, 4, 5, 6}),
                                floats("intercepts", {1, 2}), ints("classlabels_ints", {0, 1})},
                 .domain = "ai.onnx.ml",
                 .outputs = {"y", "z"}});
  EXPECT_EQ(work.macs.value, 5U * 6U);
  EXPECT_EQ(work.parameters, 8U);
  EXPECT_EQ(counts_of(work), (Counts{{kAdd, 10}, {kCompare, 10}}));
}

TEST(SvmRegressor, EvaluatesItsKernelForEachSupportVector) {
  // 2 rows meet 4 vectors of 3 numbers: 3 products each, then the sum over 4 with coefficients, and
  // an offset. The last row's tanh(g x v + c) adds a product, a sum and a tanh for each of 8.
  const auto regressor = [](const char* kernel) {
    return OneNode{.op = "SVMRegressor",
                   .inputs = {data({2, 3})},
                   .attributes = {floats("support_vectors", {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3}),
                                  floats("coefficients", {1, 2, 3, 4}), floats("rho", {1}),
                                  attr("n_supports", 4), attr("kernel_type", kernel)},
                   .domain = "ai.onnx.ml"};
  };
  expect_rows({{regressor("LINEAR"), {{kAdd, 2}}, 2 * 4 * 3 + 2 * 4},
               {regressor("SIGMOID"), {{kAdd, 2 + 8}, {kMul, 8}, {kExp, 8}}, 2 * 4 * 3 + 2 * 4},
               // 3 differences, 3 squares, 2 sums, times -g, exp.
               {regressor("RBF"), {{kAdd, 2 + 8 * 5}, {kMul, 8 * 4}, {kExp, 8}}, 2 * 4}});
  EXPECT_EQ(count_one(regressor("RBF")).parameters, 12U + 4U + 1U);
}

TEST(SvmRegressor, IsOneProductWithoutSupportVectors) {
  const OneNode node{
      .op = "SVMRegressor",
      .inputs = {data({2, 3})},
      .attributes = {floats("coefficients", {1, 2, 3}), floats("rho", {1}), attr("one_class", 1)},
      .domain = "ai.onnx.ml"};
  expect_rows({{node, {{kAdd, 2}, {kCompare, 2}}, 6}});
}

TEST(SvmClassifier, DecidesBetweenEachPairOfClasses) {
  // 2 rows, 4 vectors of 3 numbers, 4 classes: 6 decisions, 3 coefficients for each vector; an
  // offset and a sign each, then the largest of 4 votes.
  OneNode node{
      .op = "SVMClassifier",
      .inputs = {data({2, 3})},
      .attributes = {floats("support_vectors", {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3}),
                     floats("coefficients", {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3}),
                     floats("rho", {1, 2, 3, 4, 5, 6}), ints("vectors_per_class", {1, 1, 1, 1}),
                     ints("classlabels_ints", {0, 1, 2, 3})},
      .domain = "ai.onnx.ml",
      .outputs = {"label", "y"},
      .declared = data({2, 6})};
  expect_rows({{node, {{kAdd, 2 * 6}, {kCompare, 2 * (6 + 3)}}, 2 * 4 * 3 + 2 * 12}});
  node.attributes.push_back(floats("prob_a", {1, 2, 3}));
  EXPECT_EQ(count_one(node).reason,
            "the probabilities of the classes are iterated until they settle");
}

TEST(LabelEncoder, LooksAtEachElementOnce) {
  const OneNode node{.op = "LabelEncoder",
                     .inputs = {data({2, 3}, kI64)},
                     .attributes = {ints("keys_int64s", {1, 2}), floats("values_floats", {1, 2})},
                     .domain = "ai.onnx.ml"};
  expect_rows({{node, {{kCompare, 6}}}});
}

}  // namespace
}  // namespace headroom::test
