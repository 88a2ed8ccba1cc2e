// SPDX-License-Identifier: Apache-2.0
// Shapes of convolutions and pools. Each row derives its sizes; with extent e = dilation·(kernel −
// 1) + 1 a window fits floor((in + pads − e) / stride) + 1 times.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/inferred.h"
#include "support/thrown.h"

namespace headroom {
namespace {

using test::attr;
using test::DimsSpec;
using test::ints;
using test::message_of;
using test::OneNode;
using testing::HasSubstr;

OneNode conv(const DimsSpec& x, const DimsSpec& weight) {
  return OneNode("Conv", x).input(weight);
}

TEST(InferConv, GivesTheSizeOfEachSpatialDimension) {
  // 224 + 3 + 3 − 7 = 223; floor(223 / 2) + 1 = 112. (ResNet's first layer.)
  EXPECT_EQ(conv({{"batch", 3, 224, 224}}, {{64, 3, 7, 7}})
                .with(ints("pads", {3, 3, 3, 3}))
                .with(ints("strides", {2, 2}))
                .y(),
            "float32 batchx64x112x112");
  // One dimension, dilation 3: e = 3·(5 − 1) + 1 = 13; (20 + 1 + 2 − 13) / 2 = 5; 6.
  EXPECT_EQ(conv({{1, 2, 20}}, {{4, 2, 5}})
                .with(ints("pads", {1, 2}))
                .with(ints("dilations", {3}))
                .with(ints("strides", {2}))
                .y(),
            "float32 1x4x6");
  // Three dimensions, no padding: 5 − 2 + 1, 6 − 3 + 1, 7 − 1 + 1.
  EXPECT_EQ(conv({{1, 1, 5, 6, 7}}, {{1, 1, 2, 3, 1}}).y(), "float32 1x1x4x4x7");
}

TEST(InferConv, PadsByItselfWhereAskedTo) {
  // SAME: ceil(7 / 2) = 4, ceil(8 / 2) = 4. VALID: floor((7 − 3) / 2) + 1 = 3, floor(5 / 2) + 1
  // = 3.
  for (const char* mode : {"SAME_UPPER", "SAME_LOWER"})
    EXPECT_EQ(conv({{1, 1, 7, 8}}, {{1, 1, 3, 3}})
                  .with(attr("auto_pad", mode))
                  .with(ints("strides", {2, 2}))
                  .y(),
              "float32 1x1x4x4")
        << mode;
  EXPECT_EQ(conv({{1, 1, 7, 8}}, {{1, 1, 3, 3}})
                .with(attr("auto_pad", "VALID"))
                .with(ints("strides", {2, 2}))
                .y(),
            "float32 1x1x3x3");
}

TEST(InferConv, KeepsAnOpenSizeThatDoesNotChange) {
  // 3·3, one pixel on each side: the output is as high as the input.
  EXPECT_EQ(
      conv({{"batch", 3, "height", 224}}, {{8, 3, 3, 3}}).with(ints("pads", {1, 1, 1, 1})).y(),
      "float32 batchx8xheightx224");
}

TEST(InferConv, NamesTheRootOfASizeThatFollowsFromAnOpenOne) {
  const Model model =
      conv({{1, 3, "height", 224}}, {{8, 3, 3, 3}}).with(ints("strides", {2, 2})).infer();
  EXPECT_THAT(test::open_dims(model, "y"),
              testing::ElementsAre("height -> n output 0, dimension 2"));
  EXPECT_EQ(root_of(test::find_value(model, "y")->type.shape->at(2)), "height");
}

TEST(InferConv, RefusesWhatContradictsItself) {
  const auto error = [](const OneNode& node) {
    return message_of(ErrorKind::BadInput, [&] { node.infer(); });
  };
  EXPECT_EQ(
      error(conv({{1, 4, 8, 8}}, {{8, 3, 3, 3}})),
      "node 'n' (Conv): the input has 4 channels, the weight needs 3 in each of 1 group; inputs: "
      "'x' float32 1x4x8x8, 'i1' float32 8x3x3x3");
  EXPECT_THAT(error(conv({{1, 4, 8, 8}}, {{9, 2, 3, 3}}).with(attr("group", 2))),
              HasSubstr("9 filters cannot be split into 2 groups"));
  EXPECT_THAT(error(conv({{1, 3, 2, 8}}, {{8, 3, 3, 3}})),
              HasSubstr("the kernel is larger than the padded input"));
  EXPECT_THAT(error(conv({{1, 3, 8}}, {{8, 3, 3, 3}})), HasSubstr("rank"));
  EXPECT_THAT(error(conv({{1, 3, 8, 8}}, {{8, 3, 3, 3}}).with(ints("strides", {0, 1}))),
              HasSubstr("attribute 'strides' holds 0"));
  EXPECT_THAT(error(conv({{1, 3, 8, 8}}, {{8, 3, 3, 3}}).with(ints("kernel_shape", {5, 3}))),
              HasSubstr("5 and 3 differ"));
}

TEST(InferConv, CoversTheIntegerForms) {
  EXPECT_EQ(OneNode("ConvInteger", {{1, 1, 3, 3}}, ElementType::Uint8)
                .input({{1, 1, 2, 2}}, ElementType::Uint8)
                .y(),
            "int32 1x1x2x2");
  // Input, scale and zero point; weight, scale and zero point; the output's, which sets its type.
  EXPECT_EQ(OneNode("QLinearConv", {{1, 1, 7, 7}}, ElementType::Uint8)
                .input(test::kScalar)
                .input(test::kScalar, ElementType::Uint8)
                .input({{2, 1, 1, 1}}, ElementType::Int8)
                .input({{2}})
                .input({{2}}, ElementType::Int8)
                .input(test::kScalar)
                .input(test::kScalar, ElementType::Int8)
                .y(),
            "int8 1x2x7x7");
}

TEST(InferConvTranspose, UndoesTheStride) {
  const auto up = [] { return OneNode("ConvTranspose", {{1, 3, 5, 5}}).input({{3, 4, 3, 3}}); };
  // 2·(5 − 1) + 3 = 11.
  EXPECT_EQ(up().with(ints("strides", {2, 2})).y(), "float32 1x4x11x11");
  // … + 1 (output padding) − 1 − 1 (pads) = 10.
  EXPECT_EQ(up().with(ints("strides", {2, 2}))
                .with(ints("pads", {1, 1, 1, 1}))
                .with(ints("output_padding", {1, 1}))
                .y(),
            "float32 1x4x10x10");
  EXPECT_EQ(up().with(ints("strides", {2, 2})).with(attr("auto_pad", "SAME_UPPER")).y(),
            "float32 1x4x10x10");
  EXPECT_EQ(up().with(ints("strides", {3, 2})).with(ints("output_shape", {16, 9})).y(),
            "float32 1x4x16x9");
}

TEST(InferConvTranspose, MultipliesTheChannelsByTheGroups) {
  EXPECT_EQ(OneNode("ConvTranspose", {{1, 6, 4}}).input({{6, 5, 1}}).with(attr("group", 3)).y(),
            "float32 1x15x4");
}

TEST(InferPool, RoundsUpInCeilMode) {
  const auto pool = [](int size, int ceil, int pad) {
    return OneNode("MaxPool", {{1, 1, size}})
        .opset(12)
        .with(ints("kernel_shape", {3}))
        .with(ints("strides", {2}))
        .with(ints("pads", {pad, pad}))
        .with(attr("ceil_mode", ceil))
        .y();
  };
  EXPECT_EQ(pool(6, 0, 0), "float32 1x1x2");  // (6 − 3) / 2 = 1.5; 1 + 1.
  EXPECT_EQ(pool(6, 1, 0), "float32 1x1x3");  // 2 + 1: the last window starts at 4, inside.
  // (6 + 2 − 3) / 2 = 2.5; the fourth window would start at 6 = 6 + 1 − 1: inside.
  EXPECT_EQ(pool(6, 1, 1), "float32 1x1x4");
  // Kernel 1, stride 2, pads 1 and 1 on 4: the window at position 5 starts behind the input.
  EXPECT_EQ(OneNode("MaxPool", {{1, 1, 4}})
                .opset(12)
                .with(ints("kernel_shape", {2}))
                .with(ints("strides", {5}))
                .with(ints("pads", {1, 1}))
                .with(attr("ceil_mode", 1))
                .y(),
            "float32 1x1x1");
}

TEST(InferPool, GivesIndicesOfTheSameShape) {
  const Model model =
      OneNode("MaxPool", {{2, 3, 4, 4}}).with(ints("kernel_shape", {2, 2})).infer({"y", "indices"});
  EXPECT_EQ(test::type_of(model, "y"), "float32 2x3x3x3");
  EXPECT_EQ(test::type_of(model, "indices"), "int64 2x3x3x3");
}

TEST(InferPool, NeedsItsKernel) {
  EXPECT_THAT(message_of(ErrorKind::BadInput,
                         [] {
                           OneNode("MaxPool", {{1, 1, 4}}).infer();
                         }),
              HasSubstr("attribute 'kernel_shape' is missing"));
}

TEST(InferPool, ReducesAWholeImage) {
  EXPECT_EQ(OneNode("GlobalAveragePool", {{"n", 8, "h", "w"}}).y(), "float32 nx8x1x1");
}

TEST(InferPool, ClaimsNothingWhereEnginesDiffer) {
  // A dilated window padded to the same size.
  EXPECT_EQ(OneNode("MaxPool", {{1, 1, 6}})
                .with(ints("kernel_shape", {4}))
                .with(ints("dilations", {2}))
                .with(attr("auto_pad", "SAME_UPPER"))
                .y(),
            "float32 1x1x?");
}

}  // namespace
}  // namespace headroom
