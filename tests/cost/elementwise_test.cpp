// SPDX-License-Identifier: Apache-2.0
// Arithmetic other than multiply-adds, by kind and element. Derived by hand from each operator's
// definition.
#include <utility>

#include <gtest/gtest.h>

#include "cost/rows.h"

namespace headroom::test {
namespace {

TEST(Elementwise, CountsEachOutputElement) {
  const Given x = data({2, 3});
  const Given b = data({2, 3}, ElementType::Bool);
  expect_rows({
      {{"Relu", {x}}, {{kCompare, 6}}},
      {{"Sigmoid", {x}}, {{kExp, 6}}},
      {{"Sqrt", {x}}, {{kSqrt, 6}}},
      {{"Reciprocal", {x}}, {{kDiv, 6}}},
      {{"Cast", {x}, {attr("to", 7)}}, {{kConvert, 6}}},
      {{"Not", {b}}, {{kLogic, 6}}},
      {{"Pow", {x, weight({})}}, {{kExp, 6}}},
      {{"Where", {b, x, x}}, {{kCompare, 6}}},
      // max(0, min(1, a x + b)).
      {{"HardSigmoid", {x}}, {{kMul, 6}, {kAdd, 6}, {kCompare, 12}}},
      // x sigmoid(x).
      {{"HardSwish", {x}}, {{kMul, 12}, {kAdd, 6}, {kCompare, 12}}},
      {{"LeakyRelu", {x}}, {{kMul, 6}, {kCompare, 6}}},
      {{"Gelu", {x}}, {{kMul, 18}, {kAdd, 6}, {kExp, 6}}},
  });
}

TEST(Elementwise, BroadcastsBeforeItCounts) {
  // [2, 1] + [3] gives 2 x 3.
  expect_rows({{{"Add", {data({2, 1}), data({3})}}, {{kAdd, 6}}},
               {{"Mul", {data({2, 1}), data({3})}}, {{kMul, 6}}},
               {{"Less", {data({2, 1}), data({3})}}, {{kCompare, 6}}}});
}

TEST(Elementwise, JoinsManyOperandsOneByOne) {
  // Four operands of 6 elements: three operations each.
  const Given x = data({2, 3});
  expect_rows({{{"Sum", {x, x, x, x}}, {{kAdd, 18}}},
               {{"Max", {x, x, x, x}}, {{kCompare, 18}}},
               {{"Mean", {x, x, x, x}}, {{kAdd, 18}, {kDiv, 6}}},
               {{"Sum", {x}}, {}}});
}

TEST(SwiGlu, IsASwishTimesAnotherInput) {
  const Given x = data({2, 3});
  expect_rows({{{.op = "SwiGLU", .inputs = {x, x}, .opset = 28}, {{kMul, 18}, {kExp, 6}}}});
}

TEST(BiasDropout, AddsTheBiasAndTheResidual) {
  const Given x = data({2, 3});
  const auto dropout = [&](std::vector<Given> inputs) {
    return OneNode{.op = "BiasDropout", .inputs = std::move(inputs), .domain = "com.microsoft"};
  };
  expect_rows(
      {{dropout({x, weight({3})}), {{kAdd, 6}}}, {dropout({x, weight({3}), x}), {{kAdd, 12}}}});
  const NodeWork training =
      count_one(dropout({x, weight({3}), x, weight({}), data({}, ElementType::Bool)}));
  EXPECT_EQ(training.status, CountStatus::UnknownShape);
}

TEST(Clip, ComparesWithTheBoundsThatItHas) {
  expect_rows({{{"Clip", {data({6}), weight({})}}, {{kCompare, 6}}},
               {{"Clip", {data({6}), weight({}), weight({})}}, {{kCompare, 12}}},
               // Attributes until opset 10, both with a default.
               {{.op = "Clip", .inputs = {data({6})}, .opset = 10}, {{kCompare, 12}}}});
}

TEST(Softmax, TakesItsRowsAlongOneAxisSinceOpset13) {
  // 2 x 4 rows of 3: 2 comparisons, 3 differences and 2 sums, 3 exp, 3 quotients each.
  expect_rows({{{"Softmax", {data({2, 3, 4})}, {attr("axis", 1)}},
                {{kCompare, 16}, {kAdd, 40}, {kExp, 24}, {kDiv, 24}}}});
}

TEST(Softmax, TakesAllAxesFromItsAxisOnBeforeOpset13) {
  // axis 1 is the default: 2 rows of 12.
  expect_rows({{{.op = "Softmax", .inputs = {data({2, 3, 4})}, .opset = 11},
                {{kCompare, 22}, {kAdd, 46}, {kExp, 24}, {kDiv, 24}}}});
}

TEST(LogSoftmax, SubtractsTwiceAndTakesALogarithmForEachRow) {
  // 2 rows of 3: 2 comparisons; 3 + 3 differences and 2 sums; 3 exp and a logarithm.
  expect_rows({{{"LogSoftmax", {data({2, 3})}}, {{kCompare, 4}, {kAdd, 16}, {kExp, 8}}}});
}

TEST(Reduction, JoinsAllButTheOutputs) {
  // 24 elements become 6: 18 joins.
  const Given x = data({2, 3, 4});
  const AttributeSpec axes = ints("axes", {2});
  const auto reduce = [&](const char* op) {
    return OneNode{.op = op, .inputs = {x}, .attributes = {axes}, .opset = 11};
  };
  expect_rows({
      {reduce("ReduceSum"), {{kAdd, 18}}},
      {reduce("ReduceMax"), {{kCompare, 18}}},
      {reduce("ReduceProd"), {{kMul, 18}}},
      {reduce("ReduceMean"), {{kAdd, 18}, {kDiv, 6}}},
      {reduce("ReduceL1"), {{kAdd, 18}, {kCompare, 24}}},
      {reduce("ReduceL2"), {{kAdd, 18}, {kMul, 24}, {kSqrt, 6}}},
      {reduce("ReduceSumSquare"), {{kAdd, 18}, {kMul, 24}}},
      {reduce("ReduceLogSum"), {{kAdd, 18}, {kExp, 6}}},
      // max; x - max; the sum; + max.
      {reduce("ReduceLogSumExp"), {{kCompare, 18}, {kAdd, 24 + 18 + 6}, {kExp, 24 + 6}}},
  });
}

TEST(Pooling, CountsItsWholeWindow) {
  // 2x2 windows over 4x6 with stride 2: 2 x 3 positions, 3 channels: 18 outputs.
  const Given x = data({1, 3, 4, 6});
  const std::vector<AttributeSpec> window = {ints("kernel_shape", {2, 2}), ints("strides", {2, 2})};
  expect_rows({{{"MaxPool", {x}, window}, {{kCompare, 18 * 3}}},
               {{"AveragePool", {x}, window}, {{kAdd, 18 * 3}, {kDiv, 18}}},
               {{"LpPool", {x}, window}, {{kMul, 18 * 4}, {kAdd, 18 * 3}, {kSqrt, 18}}}});
}

TEST(Pooling, CountsThePlaneWhenItIsGlobal) {
  const Given x = data({1, 3, 4, 6});
  expect_rows({{{"GlobalAveragePool", {x}}, {{kAdd, 3 * 23}, {kDiv, 3}}},
               {{"GlobalMaxPool", {x}}, {{kCompare, 3 * 23}}}});
}

TEST(BatchNormalization, IsOneScaleAndOneShiftWithConstantStatistics) {
  const Given c = weight({3});
  expect_rows({{{"BatchNormalization", {data({2, 3, 5}), c, c, c, c}}, {{kMul, 30}, {kAdd, 30}}}});
}

TEST(BatchNormalization, MakesScaleAndShiftForEachChannelWhenStatisticsAreNotConstant) {
  const Given c = weight({3});
  // s = scale / sqrt(var + e), b = B - mean s: 2 sums, a product, a quotient, a root, 3 times.
  expect_rows({{{"BatchNormalization", {data({2, 3, 5}), c, c, data({3}), c}},
                {{kMul, 30 + 3}, {kAdd, 30 + 6}, {kDiv, 3}, {kSqrt, 3}}}});
}

TEST(LayerNormalization, CountsItsStatistics) {
  // 2 rows of 4. Mean 3 sums; centring 4; squares 4 products; variance 3 sums; + e; root; 1 /;
  // times it 4; scale 4; shift 4; quotients of mean and variance.
  expect_rows({{{"LayerNormalization", {data({2, 4}), weight({4}), weight({4})}},
                {{kAdd, 2 * (3 + 4 + 3 + 1 + 4)}, {kMul, 2 * 12}, {kDiv, 2 * 3}, {kSqrt, 2}}}});
}

TEST(RmsNormalization, LeavesOutTheMean) {
  // Squares 4; 3 sums and + e; quotient of the mean, root, 1 /; times it 4; scale 4.
  expect_rows({{{.op = "RMSNormalization", .inputs = {data({2, 4}), weight({4})}, .opset = 23},
                {{kAdd, 2 * 4}, {kMul, 2 * 12}, {kDiv, 2 * 2}, {kSqrt, 2}}}});
}

TEST(SimplifiedLayerNormalization, CountsAsRmsNormalization) {
  const OneNode node{.op = "SimplifiedLayerNormalization",
                     .inputs = {data({2, 4}), weight({4})},
                     .domain = "com.microsoft"};
  expect_rows({{node, {{kAdd, 2 * 4}, {kMul, 2 * 12}, {kDiv, 2 * 2}, {kSqrt, 2}}}});
}

TEST(SkipLayerNormalization, AddsTheSkipAndTheBias) {
  const OneNode node{
      .op = "SkipLayerNormalization",
      .inputs = {data({1, 2, 4}), data({1, 2, 4}), weight({4}), weight({4}), weight({4})},
      .domain = "com.microsoft",
      .declared = data({1, 2, 4})};
  expect_rows({{node, {{kAdd, 16 + 30}, {kMul, 24}, {kDiv, 6}, {kSqrt, 2}}}});
}

TEST(InstanceNormalization, TakesOneGroupForEachChannel) {
  // 2 x 3 groups of 4, otherwise as LayerNormalization.
  const Given c = weight({3});
  expect_rows({{{"InstanceNormalization", {data({2, 3, 4}), c, c}},
                {{kAdd, 6 * 15}, {kMul, 6 * 12}, {kDiv, 6 * 3}, {kSqrt, 6}}}});
}

TEST(Lrn, SumsSquaresOverChannels) {
  // x / (k + a / n sum x^2) ^ b with n = 3: a square and the product with a / n; 2 sums and + k.
  expect_rows({{{"LRN", {data({1, 4, 5})}, {attr("size", 3)}},
                {{kMul, 40}, {kAdd, 60}, {kExp, 20}, {kDiv, 20}}}});
}

TEST(Quantisation, ScalesShiftsAndRounds) {
  expect_rows({{{"QuantizeLinear", {data({6}), weight({}), weight({}, kU8)}},
                {{kDiv, 6}, {kAdd, 6}, {kConvert, 6}}},
               {{"DequantizeLinear", {data({6}, kU8), weight({}), weight({}, kU8)}},
                {{kMul, 6}, {kAdd, 6}, {kConvert, 6}}},
               {{"DequantizeLinear", {data({6}, kU8), weight({})}}, {{kMul, 6}, {kConvert, 6}}}});
}

TEST(QLinearAdd, UnpacksAddsAndPacks) {
  const OneNode node{.op = "QLinearAdd",
                     .inputs = {data({6}, kU8), weight({}), weight({}, kU8), data({6}, kU8),
                                weight({}), weight({}, kU8), weight({}), weight({}, kU8)},
                     .domain = "com.microsoft",
                     .declared = data({6}, kU8)};
  expect_rows({{node, {{kMul, 12}, {kConvert, 18}, {kAdd, 24}, {kDiv, 6}}}});
}

TEST(QLinearSoftmax, UnpacksAndPacksASoftmax) {
  // 2 rows of 3: 2 comparisons, 3 differences and 2 sums, 3 exp, 3 quotients each; 6 elements are
  // shifted, scaled and converted before, divided, shifted and rounded behind.
  const OneNode node{
      .op = "QLinearSoftmax",
      .inputs = {data({2, 3}, kU8), weight({}), weight({}, kU8), weight({}), weight({}, kU8)},
      .attributes = {attr("axis", -1), attr("opset", 13)},
      .domain = "com.microsoft"};
  expect_rows(
      {{node, {{kMul, 6}, {kConvert, 12}, {kAdd, 12 + 10}, {kCompare, 4}, {kExp, 6}, {kDiv, 12}}}});
}

TEST(RoiAlign, InterpolatesEachPointOfEachBin) {
  // 3 regions, 2 channels, 2 x 2 bins: 24 outputs of 4 points, each from 4 pixels. 4 corners of
  // each region are scaled and shifted; 2 sides are 2 differences, cut by 2 quotients.
  const Given x = data({1, 2, 8, 8});
  const std::vector<AttributeSpec> bins = {attr("output_height", 2), attr("output_width", 2),
                                           attr("sampling_ratio", 2)};
  const OneNode average{"RoiAlign", {x, data({3, 4}), data({3}, kI64)}, bins};
  expect_rows(
      {{average, {{kMul, 24 * 16 + 12}, {kAdd, 24 * 12 + 24 * 3 + 6 + 12}, {kDiv, 24 + 6}}}});
  OneNode largest = average;
  largest.attributes.push_back(attr("mode", "max"));
  largest.attributes.push_back(attr("coordinate_transformation_mode", "output_half_pixel"));
  expect_rows(
      {{largest, {{kMul, 24 * 16 + 12}, {kAdd, 24 * 12 + 6}, {kCompare, 24 * 3}, {kDiv, 6}}}});
}

TEST(RoiAlign, IsUnknownWhereTheSizeOfARegionDecides) {
  const NodeWork work =
      count_one({"RoiAlign", {data({1, 2, 8, 8}), data({3, 4}), data({3}, kI64)}});
  EXPECT_EQ(work.status, CountStatus::UnknownShape);
  EXPECT_EQ(work.reason, "sampling_ratio is 0: the size of each region decides");
}

TEST(Resize, InterpolatesAlongTheAxesThatChange) {
  // 4x6 becomes 8x6 along one axis: 2 neighbours; 8x12 along two: 4.
  const auto resize = [](std::vector<float> scales, const char* mode) {
    ModelBuilder builder;
    builder.input("x", kF32, {{1, 1, 4, 6}})
        .initializer("scales", {4}, scales)
        .node("Resize", {"x", "", "scales"}, {"y"}, {attr("mode", mode)})
        .output("y", kF32);
    return counts_of(count(builder).nodes[0]);
  };
  EXPECT_EQ(resize({1, 1, 2, 1}, "linear"), (Counts{{kMul, 2 * 48}, {kAdd, 48}}));
  EXPECT_EQ(resize({1, 1, 2, 2}, "linear"), (Counts{{kMul, 4 * 96}, {kAdd, 3 * 96}}));
  EXPECT_EQ(resize({1, 1, 2, 2}, "cubic"), (Counts{{kMul, 16 * 96}, {kAdd, 15 * 96}}));
  EXPECT_EQ(resize({1, 1, 2, 2}, "nearest"), Counts{});
}

TEST(ScatterElements, CountsItsReduction) {
  const Given x = data({6});
  expect_rows({{{"ScatterElements", {x, data({4}, kI64), data({4})}}, {}},
               {{"ScatterElements", {x, data({4}, kI64), data({4})}, {attr("reduction", "add")}},
                {{kAdd, 4}}}});
}

}  // namespace
}  // namespace headroom::test
