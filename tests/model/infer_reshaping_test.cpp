// SPDX-License-Identifier: Apache-2.0
// Shapes of operators that keep their elements or cut and join them. Expected shapes follow from
// the operator specification, by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/inferred.h"
#include "support/thrown.h"

namespace headroom {
namespace {

using test::attr;
using test::ints;
using test::message_of;
using test::OneNode;
using testing::HasSubstr;

constexpr std::int64_t kToTheEnd = INT64_MAX;

std::string error_of(const OneNode& node) {
  return message_of(ErrorKind::BadInput, [&] { node.infer(); });
}

TEST(InferReshape, FillsInOneSizeAndCopiesZeros) {
  EXPECT_EQ(OneNode("Reshape", {{2, 3, 4}}).list({6, -1}).y(), "float32 6x4");   // 24 / 6
  EXPECT_EQ(OneNode("Reshape", {{2, 3, 4}}).list({0, -1}).y(), "float32 2x12");  // 24 / 2
  EXPECT_EQ(OneNode("Reshape", {{2, 3, 4}}).list({0, 0, 2, 2}).y(), "float32 2x3x2x2");
  EXPECT_EQ(OneNode("Reshape", {{0, 3, 4}}).list({3, 0}).with(attr("allowzero", 1)).y(),
            "float32 3x0");
  EXPECT_EQ(OneNode("Reshape", {{2, 3}}).opset(1).with(ints("shape", {3, 2})).y(), "float32 3x2");
  EXPECT_EQ(OneNode("Reshape", {{1, 1}}).list({}).y(), "float32 scalar");
}

TEST(InferReshape, CancelsOpenSizes) {
  // batch·12·64 elements over batch·12: 64.
  EXPECT_EQ(OneNode("Reshape", {{"batch", 12, 64}}).list({0, 12, -1}).y(), "float32 batchx12x64");
  // batch·1·8 over 8: batch itself.
  EXPECT_EQ(OneNode("Reshape", {{"batch", 1, 8}}).list({-1, 8}).y(), "float32 batchx8");
  // batch·16 over 8 is 2·batch, a number of its own.
  const Model model = OneNode("Reshape", {{"batch", 16}}).list({-1, 8}).infer();
  EXPECT_THAT(test::open_dims(model, "y"),
              testing::ElementsAre("batch -> n output 0, dimension 0"));
}

TEST(InferReshape, KnowsTheRankWhenOnlyARunKnowsTheSizes) {
  const Model model = OneNode("Reshape", {{2, 3}}).input({{3}}, ElementType::Int64).infer();
  EXPECT_EQ(test::type_of(model, "y"), "float32 ?x?x?");
  EXPECT_EQ(test::open_dims(model, "y").at(1), "depends on data: n output 0, dimension 1");
}

TEST(InferReshape, RefusesAnotherElementCount) {
  EXPECT_EQ(
      error_of(OneNode("Reshape", {{2, 3}}).list({4, 2})),
      "node 'n' (Reshape): the input cannot have the shape 4x2; inputs: 'x' float32 2x3, 'i1' "
      "int64 2");
  EXPECT_THAT(error_of(OneNode("Reshape", {{2, 3}}).list({4, -1})), HasSubstr("cannot be divided"));
  EXPECT_THAT(error_of(OneNode("Reshape", {{2, 3}}).list({-1, -1})), HasSubstr("more than once"));
  EXPECT_THAT(error_of(OneNode("Reshape", {{6}}).list({6, 0})), HasSubstr("has rank 1"));
}

TEST(InferFlatten, MultipliesBothSidesOfTheAxis) {
  EXPECT_EQ(OneNode("Flatten", {{2, 3, 4, 5}}).with(attr("axis", 2)).y(), "float32 6x20");
  EXPECT_EQ(OneNode("Flatten", {{2, 3, 4, 5}}).with(attr("axis", -1)).y(), "float32 24x5");
  EXPECT_EQ(OneNode("Flatten", {{2, 3}}).with(attr("axis", 0)).y(), "float32 1x6");
  EXPECT_EQ(OneNode("Flatten", {{"n", 512, 7, 7}}).y(), "float32 nx25088");  // 512·49
}

TEST(InferSqueeze, RemovesTheNamedDimensions) {
  EXPECT_EQ(OneNode("Squeeze", {{1, 3, 1, 4}}).list({0, -2}).y(), "float32 3x4");
  EXPECT_EQ(OneNode("Squeeze", {{1, 3, 1, 4}}).opset(11).with(ints("axes", {2})).y(),
            "float32 1x3x4");
  EXPECT_EQ(OneNode("Squeeze", {{1, 3, 1}}).y(), "float32 3");
  // Without axes, an open dimension may vanish too: not even the rank is known.
  EXPECT_EQ(OneNode("Squeeze", {{1, "n"}}).y(), "float32 of unknown rank");
  EXPECT_THAT(error_of(OneNode("Squeeze", {{1, 3}}).list({1})), HasSubstr("cannot be squeezed"));
  EXPECT_THAT(error_of(OneNode("Squeeze", {{1, 3}}).list({2})),
              HasSubstr("axis 2 is outside [-2, 2)"));
}

TEST(InferUnsqueeze, CountsAxesInTheResult) {
  EXPECT_EQ(OneNode("Unsqueeze", {{3, 4}}).list({0, -1}).y(), "float32 1x3x4x1");
  EXPECT_EQ(OneNode("Unsqueeze", {{3}}).opset(11).with(ints("axes", {1})).y(), "float32 3x1");
  EXPECT_THAT(error_of(OneNode("Unsqueeze", {{3}}).list({0, 0})), HasSubstr("twice"));
  EXPECT_THAT(error_of(OneNode("Unsqueeze", {{3}}).opset(11)), HasSubstr("the axes are missing"));
}

TEST(InferTranspose, PermutesTheSizes) {
  EXPECT_EQ(OneNode("Transpose", {{2, "n", 4}}).with(ints("perm", {2, 0, 1})).y(), "float32 4x2xn");
  EXPECT_EQ(OneNode("Transpose", {{2, 3, 4}}).y(), "float32 4x3x2");
  EXPECT_THAT(error_of(OneNode("Transpose", {{2, 3}}).with(ints("perm", {0, 0}))),
              HasSubstr("holds 0 twice"));
}

TEST(InferSlice, CountsThePositionsThatItTakes) {
  // Axis 1 from 1 to 8 by 3: 1, 4, 7.
  EXPECT_EQ(OneNode("Slice", {{2, 10}}).list({1}).list({8}).list({1}).list({3}).y(), "float32 2x3");
  // Backwards from the last to behind the first, by 2, of 5: 4, 2, 0.
  EXPECT_EQ(OneNode("Slice", {{5}}).list({-1}).list({INT64_MIN}).list({0}).list({-2}).y(),
            "float32 3");
  EXPECT_EQ(OneNode("Slice", {{5}}).list({3}).list({1}).y(), "float32 0");
  // Clamped: −100 means 0, 100 means 5.
  EXPECT_EQ(OneNode("Slice", {{5}}).list({-100}).list({100}).y(), "float32 5");
  EXPECT_EQ(
      OneNode("Slice", {{5, 6}}).opset(1).with(ints("starts", {1})).with(ints("ends", {-1})).y(),
      "float32 3x6");
}

TEST(InferSlice, KeepsAWholeOpenDimension) {
  EXPECT_EQ(OneNode("Slice", {{"n", 6}}).list({0}).list({kToTheEnd}).list({0}).y(), "float32 nx6");
  const Model model = OneNode("Slice", {{"n", 6}}).list({0}).list({4}).list({0}).infer();
  EXPECT_THAT(test::open_dims(model, "y"), testing::ElementsAre("n -> n output 0, dimension 0"));
}

TEST(InferSlice, RefusesAStepOfZeroAndLengthsThatDiffer) {
  EXPECT_THAT(error_of(OneNode("Slice", {{5}}).list({0}).list({5}).list({0}).list({0})),
              HasSubstr("the step along axis 0 is 0"));
  EXPECT_THAT(error_of(OneNode("Slice", {{5}}).list({0, 1}).list({5})),
              HasSubstr("2 starts and 1 ends"));
}

TEST(InferSplit, GivesEachPartItsSize) {
  const auto parts = [](const OneNode& node, const std::vector<std::string>& outputs) {
    const Model model = node.infer(outputs);
    std::string text;
    for (const std::string& output : outputs) text += test::type_of(model, output) + "; ";
    return text;
  };
  EXPECT_EQ(parts(OneNode("Split", {{7, 2}}).list({3, 0, 4}), {"a", "b", "c"}),
            "float32 3x2; float32 0x2; float32 4x2; ");
  EXPECT_EQ(parts(OneNode("Split", {{2, 6}}).opset(11).with(attr("axis", -1)), {"a", "b"}),
            "float32 2x3; float32 2x3; ");
  // From opset 18 on the last part may be smaller: ceil(7 / 3) = 3.
  EXPECT_EQ(parts(OneNode("Split", {{7}}).with(attr("num_outputs", 3)), {"a", "b", "c"}),
            "float32 3; float32 3; float32 1; ");
  EXPECT_THAT(message_of(ErrorKind::BadInput,
                         [] {
                           OneNode("Split", {{7}}).list({3, 3}).infer({"a", "b"});
                         }),
              HasSubstr("do not sum up to the dimension's size 7"));
}

TEST(InferConcat, AddsAlongTheAxis) {
  EXPECT_EQ(OneNode("Concat", {{2, 3}}).input({{2, 4}}).with(attr("axis", 1)).y(), "float32 2x7");
  // Beside the axis, one known size tells the other.
  EXPECT_EQ(OneNode("Concat", {{"n", 3}}).input({{2, 4}}).with(attr("axis", -1)).y(),
            "float32 2x7");
  EXPECT_THAT(error_of(OneNode("Concat", {{2, 3}}).input({{3, 4}}).with(attr("axis", 1))),
              HasSubstr("the sizes beside the axis: 2 and 3 differ"));
  EXPECT_THAT(error_of(OneNode("Concat", {{2, 3}}).input({{6}}).with(attr("axis", 0))),
              HasSubstr("one rank"));
  EXPECT_THAT(error_of(OneNode("Concat", {{2, 3}})), HasSubstr("attribute 'axis' is missing"));
}

TEST(InferPad, AddsBothSides) {
  EXPECT_EQ(OneNode("Pad", {{2, 5}}).list({0, 1, 0, 3}).y(), "float32 2x9");
  EXPECT_EQ(OneNode("Pad", {{2, 5}}).opset(2).with(ints("pads", {1, -1, 0, -2})).y(),
            "float32 3x2");
  // Only axis −1.
  EXPECT_EQ(OneNode("Pad", {{"n", 5}}).list({2, 2}).omitted().list({-1}).y(), "float32 nx9");
}

TEST(InferExpand, BroadcastsBothWays) {
  EXPECT_EQ(OneNode("Expand", {{3, 1}}).list({2, 1, 6}).y(), "float32 2x3x6");
  EXPECT_EQ(OneNode("Expand", {{"n", 1}}).list({1, 4}).y(), "float32 nx4");
  EXPECT_THAT(error_of(OneNode("Expand", {{3}}).list({4})), HasSubstr("cannot be broadcast"));
}

TEST(InferTile, MultipliesEachSize) {
  EXPECT_EQ(OneNode("Tile", {{2, 3}}).list({1, 4}).y(), "float32 2x12");
  EXPECT_THAT(error_of(OneNode("Tile", {{2, 3}}).list({4})), HasSubstr("1 repeats for rank 2"));
}

TEST(InferGather, PutsTheIndicesInPlaceOfTheAxis) {
  EXPECT_EQ(OneNode("Gather", {{5, "n", 7}})
                .input({{2, 3}}, ElementType::Int64)
                .with(attr("axis", 1))
                .y(),
            "float32 5x2x3x7");
  // Tuples of 2 fix two of four dimensions.
  EXPECT_EQ(OneNode("GatherND", {{2, 3, 4, 5}}).input({{6, 2}}, ElementType::Int64).y(),
            "float32 6x4x5");
  // One batch dimension, tuples of 1.
  EXPECT_EQ(OneNode("GatherND", {{2, 3, 4}})
                .input({{2, 1}}, ElementType::Int64)
                .with(attr("batch_dims", 1))
                .y(),
            "float32 2x4");
}

TEST(InferTopK, TakesKFromAttributeOrInput) {
  const Model model = OneNode("TopK", {{3, 10}}).list({4}).infer({"y", "indices"});
  EXPECT_EQ(test::type_of(model, "y"), "float32 3x4");
  EXPECT_EQ(test::type_of(model, "indices"), "int64 3x4");
  EXPECT_EQ(OneNode("TopK", {{3, 10}}).opset(1).with(attr("k", 2)).with(attr("axis", 0)).y(),
            "float32 2x10");
  EXPECT_THAT(error_of(OneNode("TopK", {{3}}).list({4})), HasSubstr("k is 4"));
}

TEST(InferResize, ScalesOrTakesSizes) {
  // floor(5·2.5) = 12; empty lists stand for omitted inputs.
  EXPECT_EQ(OneNode("Resize", {{1, 3, 4, 5}}).omitted().reals({1, 1, 2, 2.5F}).y(),
            "float32 1x3x8x12");
  EXPECT_EQ(OneNode("Resize", {{1, 3, 4, 5}}).opset(11).reals({}).reals({}).list({1, 3, 7, 9}).y(),
            "float32 1x3x7x9");
  EXPECT_EQ(OneNode("Resize", {{"n", 3, 4, "w"}}).opset(10).reals({1, 1, 2, 1}).y(),
            "float32 nx3x8xw");
}

TEST(InferDepthToSpace, MovesChannelsToPixels) {
  EXPECT_EQ(OneNode("DepthToSpace", {{1, 12, 2, 3}}).with(attr("blocksize", 2)).y(),
            "float32 1x3x4x6");
  EXPECT_EQ(OneNode("SpaceToDepth", {{1, 3, 4, 6}}).with(attr("blocksize", 2)).y(),
            "float32 1x12x2x3");
}

}  // namespace
}  // namespace headroom
