// SPDX-License-Identifier: Apache-2.0
// Fourier transforms count radix-2 butterflies, 4 products and 6 sums each. By hand.
#include <gtest/gtest.h>

#include "cost/rows.h"

namespace headroom::test {
namespace {

OneNode dft(std::vector<std::int64_t> dims, std::vector<AttributeSpec> attributes = {}) {
  return {.op = "DFT",
          .inputs = {data(std::move(dims))},
          .attributes = std::move(attributes),
          .opset = 20};
}

TEST(Dft, CountsButterflies) {
  // 8 points: 3 stages of 4; a real transform takes half. Two of each.
  expect_rows({{dft({2, 8, 2}), {{kMul, 2 * 12 * 4}, {kAdd, 2 * 12 * 6}}},
               {dft({2, 8, 1}), {{kMul, 2 * 6 * 4}, {kAdd, 2 * 6 * 6}}},
               {dft({2, 8, 1}, {attr("onesided", 1)}), {{kMul, 2 * 6 * 4}, {kAdd, 2 * 6 * 6}}}});
}

TEST(Dft, RoundsTheStagesUpForOtherLengths) {
  // 6 points: 3 stages of 3. One point is its own transform.
  expect_rows({{dft({1, 6, 2}), {{kMul, 9 * 4}, {kAdd, 9 * 6}}}, {dft({5, 1, 2}), {}}});
}

TEST(Dft, DividesByTheLengthOnItsWayBack) {
  // Complex [1, 8, 2]; from 5 of 8 points of a half spectrum to a real [1, 8, 1].
  expect_rows({{dft({1, 8, 2}, {attr("inverse", 1)}), {{kMul, 12 * 4}, {kAdd, 12 * 6}, {kDiv, 16}}},
               {dft({1, 5, 2}, {attr("inverse", 1), attr("onesided", 1)}),
                {{kMul, 6 * 4}, {kAdd, 6 * 6}, {kDiv, 8}}}});
}

TEST(Dft, FollowsItsAxisAndItsLength) {
  // Along axis 1 of [2, 4, 3, 2]: 6 transforms of 4 points, 2 stages of 2. Then filled up to 8.
  const OneNode old{.op = "DFT", .inputs = {data({2, 4, 3, 2})}, .opset = 17};
  expect_rows({{old, {{kMul, 6 * 4 * 4}, {kAdd, 6 * 4 * 6}}}});
  ModelBuilder builder;
  builder.opset("", 20)
      .input("x", kF32, {{2, 4, 3, 2}})
      .initializer("length", {}, std::vector<std::int64_t>{8})
      .initializer("axis", {}, std::vector<std::int64_t>{1})
      .node("DFT", {"x", "length", "axis"}, {"y"})
      .output("y", kF32);
  const Work work = count(builder);
  EXPECT_EQ(counts_of(work.nodes[0]), (Counts{{kMul, 6 * 12 * 4}, {kAdd, 6 * 12 * 6}}));
  EXPECT_EQ(work.parameters, 0U);
}

TEST(Dft, IsUnknownWhereARunSaysTheAxis) {
  const NodeWork work =
      count_one({.op = "DFT", .inputs = {data({2, 8, 2}), omitted(), data({}, kI64)}, .opset = 20});
  EXPECT_EQ(work.status, CountStatus::UnknownShape);
  EXPECT_EQ(work.reason, "the axis of the transform is not known");
}

TEST(Stft, TransformsEachFrame) {
  // 16 samples, 8 in a frame, step 4: 3 frames; each is weighted and takes half of 12 butterflies.
  ModelBuilder builder;
  builder.input("x", kF32, {{1, 16, 1}})
      .initializer("step", {}, std::vector<std::int64_t>{4})
      .initializer(zero_tensor("window", kF32, {8}))
      .node("STFT", {"x", "step", "window"}, {"y"})
      .output("y", kF32);
  const Work work = count(builder);
  EXPECT_EQ(counts_of(work.nodes[0]), (Counts{{kMul, 3 * 6 * 4 + 3 * 8}, {kAdd, 3 * 6 * 6}}));
  EXPECT_EQ(work.parameters, 8U);
}

TEST(MelWeightMatrix, PutsTrianglesBetweenPoints) {
  // 3 bins, 2 bands: 6 elements with 2 comparisons, a difference and a quotient; 4 points; 2 ends
  // and the step.
  ModelBuilder builder;
  ShapeOptions options;
  const std::vector<std::string> names = {"bands", "length", "rate", "low", "high"};
  for (std::size_t i = 0; i < names.size(); ++i)
    builder.input(names[i], i < 3 ? kI64 : kF32, std::vector<DimSpec>{});
  builder.node("MelWeightMatrix", names, {"y"}).output("y", kF32);
  options.values = {{"bands", {.elements = {2}}}, {"length", {.elements = {4}}}};
  EXPECT_EQ(counts_of(count(builder, options).nodes[0]), (Counts{{kCompare, 12},
                                                                 {kAdd, 6 + 4 * 2 + 2 + 1},
                                                                 {kMul, 4 * 3 + 2},
                                                                 {kDiv, 6 + 4 * 2 + 2 + 1},
                                                                 {kExp, 4 + 2},
                                                                 {kConvert, 4}}));
}

}  // namespace
}  // namespace headroom::test
