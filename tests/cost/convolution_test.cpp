// SPDX-License-Identifier: Apache-2.0
// Convolutions: one MAC for each output element, kernel position and channel of its group. Derived
// by hand; each test shows the derivation.
#include <gtest/gtest.h>

#include "cost/counted.h"

namespace headroom::test {
namespace {

TEST(Conv, CountsEachKernelPositionOfEachOutputElement) {
  // 3x3 over 5x5 without padding: 3x3 positions, 4 output channels = 36 elements; 2 channels x 9 =
  // 18 products each.
  const NodeWork work = count_one({"Conv", {data({1, 2, 5, 5}), weight({4, 2, 3, 3})}});
  EXPECT_EQ(work.macs.value, 36U * 18U);
  EXPECT_EQ(all_other(work), 0U);
}

TEST(Conv, CountsTheBiasAsAnAdditionForEachOutputElement) {
  const NodeWork work =
      count_one({"Conv", {data({1, 2, 5, 5}), weight({4, 2, 3, 3}), weight({4})}});
  EXPECT_EQ(work.macs.value, 36U * 18U);
  EXPECT_EQ(other(work, Arithmetic::Add), 36U);
}

TEST(Conv, CountsPaddedPositionsLikeAnyOther) {
  // Padding 1 on every side keeps 5x5: 4 x 25 = 100 elements, 18 products each, zeros among them.
  const NodeWork work =
      count_one({"Conv", {data({1, 2, 5, 5}), weight({4, 2, 3, 3})}, {ints("pads", {1, 1, 1, 1})}});
  EXPECT_EQ(work.macs.value, 100U * 18U);
}

TEST(Conv, DividesTheChannelsByTheGroups) {
  // 6 channels in 3 groups: each output channel sees 2. 6 x 3 x 3 = 54 elements, 2 x 9 products.
  const NodeWork work =
      count_one({"Conv", {data({1, 6, 5, 5}), weight({6, 2, 3, 3})}, {attr("group", 3)}});
  EXPECT_EQ(work.macs.value, 54U * 18U);
}

TEST(Conv, CountsOneChannelForEachDepthwiseOutput) {
  // Batch 2, 8 channels, 8 groups, "same" 7x7: 2 x 8 x 49 = 784 elements, 9 products.
  const NodeWork work = count_one({"Conv",
                                   {data({2, 8, 7, 7}), weight({8, 1, 3, 3})},
                                   {attr("group", 8), ints("pads", {1, 1, 1, 1})}});
  EXPECT_EQ(work.macs.value, 784U * 9U);
}

TEST(Conv, SpreadsADilatedKernelWithoutMoreProducts) {
  // Dilation 2 makes a 3x3 kernel 5 wide: on 7x7 3x3 positions remain. 9 elements, 9 products.
  const NodeWork work =
      count_one({"Conv", {data({1, 1, 7, 7}), weight({1, 1, 3, 3})}, {ints("dilations", {2, 2})}});
  EXPECT_EQ(work.macs.value, 9U * 9U);
}

TEST(Conv, TakesAsymmetricPadsAndUnequalStrides) {
  // Rows: (6 + 0 + 1 - 3) / 1 + 1 = 5; columns: (6 + 2 + 1 - 3) / 2 + 1 = 4: 20 elements, 9
  // products.
  const NodeWork work = count_one({"Conv",
                                   {data({1, 1, 6, 6}), weight({1, 1, 3, 3})},
                                   {ints("pads", {0, 2, 1, 1}), ints("strides", {1, 2})}});
  EXPECT_EQ(work.macs.value, 20U * 9U);
}

TEST(Conv, RoundsUpUnderSamePadding) {
  // ceil(7 / 2) = 4 in each direction, whichever side gets the odd padding: 16 elements, 9
  // products.
  for (const char* mode : {"SAME_UPPER", "SAME_LOWER"}) {
    const NodeWork work = count_one({"Conv",
                                     {data({1, 1, 7, 7}), weight({1, 1, 3, 3})},
                                     {attr("auto_pad", mode), ints("strides", {2, 2})}});
    EXPECT_EQ(work.macs.value, 16U * 9U) << mode;
  }
}

TEST(Conv, PadsNothingUnderValid) {
  // (7 - 3) / 2 + 1 = 3: 9 elements.
  const NodeWork work = count_one({"Conv",
                                   {data({1, 1, 7, 7}), weight({1, 1, 3, 3})},
                                   {attr("auto_pad", "VALID"), ints("strides", {2, 2})}});
  EXPECT_EQ(work.macs.value, 9U * 9U);
}

TEST(Conv, WorksInOneDimension) {
  // Length (16 - 4) / 4 + 1 = 4, 5 channels: 20 elements, 3 x 4 products.
  const NodeWork work =
      count_one({"Conv", {data({1, 3, 16}), weight({5, 3, 4})}, {ints("strides", {4})}});
  EXPECT_EQ(work.macs.value, 20U * 12U);
}

TEST(Conv, WorksInThreeDimensions) {
  // 2x3x4 over 4x5x6: 3 x 3 x 3 positions, 2 channels out: 54 elements; 1 x 24 products.
  const NodeWork work = count_one({"Conv", {data({1, 1, 4, 5, 6}), weight({2, 1, 2, 3, 4})}});
  EXPECT_EQ(work.macs.value, 54U * 24U);
}

TEST(ConvTranspose, MultipliesEachInputElementWithItsKernels) {
  // Each of 3 x 4 x 4 = 48 input elements meets 2 output channels x 9 positions.
  const NodeWork work = count_one({"ConvTranspose",
                                   {data({1, 3, 4, 4}), weight({3, 2, 3, 3}), weight({2})},
                                   {ints("strides", {2, 2})}});
  EXPECT_EQ(work.macs.value, 48U * 18U);
  // (4 - 1) x 2 + 3 = 9: the bias meets 2 x 81 outputs.
  EXPECT_EQ(other(work, Arithmetic::Add), 162U);
}

TEST(ConvTranspose, MeetsOnlyTheChannelsOfItsGroup) {
  // W is [C, M / group, ...] = [4, 1, 2, 2]: each of 4 x 9 input elements meets 1 x 4 weights.
  const NodeWork work =
      count_one({"ConvTranspose", {data({1, 4, 3, 3}), weight({4, 1, 2, 2})}, {attr("group", 2)}});
  EXPECT_EQ(work.macs.value, 36U * 4U);
}

TEST(DeformConv, AddsTheSamplingBetweenPixels) {
  // 1 x 1 x 2 x 2 outputs, 2x2 kernel: 4 x 4 = 16 MACs. Each product needs a bilinear sample: 16 x
  // 4 products and 16 x 3 sums.
  const NodeWork work =
      count_one({"DeformConv", {data({1, 1, 3, 3}), weight({1, 1, 2, 2}), data({1, 8, 2, 2})}});
  EXPECT_EQ(work.macs.value, 16U);
  EXPECT_EQ(other(work, Arithmetic::Multiply), 64U);
  EXPECT_EQ(other(work, Arithmetic::Add), 48U);
}

TEST(ConvInteger, CountsAsConvAndShiftsTheInput) {
  const NodeWork work = count_one(
      {"ConvInteger",
       {data({1, 2, 5, 5}, kU8), weight({4, 2, 3, 3}, kU8), weight({}, kU8), weight({}, kU8)}});
  EXPECT_EQ(work.macs.value, 36U * 18U);
  // The zero point of 50 input elements; that of the constant weights is no work of a run.
  EXPECT_EQ(other(work, Arithmetic::Add), 50U);
}

TEST(QLinearConv, CountsAsConvWithItsRequantisation) {
  const NodeWork work = count_one(
      {"QLinearConv",
       {data({1, 2, 5, 5}, kU8), weight({}), weight({}, kU8), weight({4, 2, 3, 3}, kI8), weight({}),
        weight({}, kI8), weight({}), weight({}, kU8), weight({4}, ElementType::Int32)}});
  EXPECT_EQ(work.macs.value, 36U * 18U);
  // 36 outputs: a scale and a rounding each; 50 shifts in, 36 biases, 36 shifts out.
  EXPECT_EQ(other(work, Arithmetic::Multiply), 36U);
  EXPECT_EQ(other(work, Arithmetic::Convert), 36U);
  EXPECT_EQ(other(work, Arithmetic::Add), 50U + 36U + 36U);
}

TEST(FusedConv, CountsItsAddendAndItsActivation) {
  const NodeWork work = count_one(
      {.op = "FusedConv",
       .inputs = {data({1, 2, 5, 5}), weight({4, 2, 3, 3}), weight({4}), data({1, 4, 3, 3})},
       .attributes = {attr("activation", "Relu")},
       .domain = "com.microsoft",
       .declared = data({1, 4, 3, 3})});
  EXPECT_EQ(work.macs.value, 36U * 18U);
  EXPECT_EQ(other(work, Arithmetic::Add), 72U);
  EXPECT_EQ(other(work, Arithmetic::Compare), 36U);
}

TEST(NhwcConv, TakesTheKernelFromWeightsWithChannelsLast) {
  const NodeWork work = count_one({.op = "NhwcConv",
                                   .inputs = {data({1, 5, 5, 2}), weight({4, 3, 3, 2})},
                                   .domain = "com.microsoft",
                                   .declared = data({1, 3, 3, 4})});
  EXPECT_EQ(work.macs.value, 36U * 18U);
}

TEST(CausalConvWithState, CountsADepthwiseConvolution) {
  // 3 channels x 10 steps, kernel 4.
  const NodeWork work = count_one({.op = "CausalConvWithState",
                                   .inputs = {data({1, 3, 10}), weight({3, 1, 4}), weight({3})},
                                   .opset = 27,
                                   .declared = data({1, 3, 10})});
  EXPECT_EQ(work.macs.value, 30U * 4U);
  EXPECT_EQ(other(work, Arithmetic::Add), 30U);
}

}  // namespace
}  // namespace headroom::test
