// SPDX-License-Identifier: Apache-2.0
// Compulsory bytes: each element that is needed read once, each output written once. By hand.
#include <gtest/gtest.h>

#include "cost/counted.h"
#include "cost/window.h"

namespace headroom::test {
namespace {

using cost::touched_positions;
using cost::WindowAxis;

TEST(Bytes, ReadEachInputAndWriteEachOutput) {
  const NodeWork work = count_one({"Gemm", {data({3, 5}), weight({5, 7}), weight({7})}});
  EXPECT_EQ(work.read.value, 4U * (15U + 35U + 7U));
  EXPECT_EQ(work.written.value, 4U * 21U);
}

TEST(Bytes, ReadAnInputThatIsUsedTwiceOnce) {
  ModelBuilder builder;
  builder.input("x", kF32, {{8}}).node("Mul", {"x", "x"}, {"y"}).output("y", kF32);
  EXPECT_EQ(count(builder).read.value, 32U);
}

TEST(Bytes, AreNoneForAView) {
  const std::vector<OneNode> views = {
      {"Identity", {data({2, 3})}},
      {"Flatten", {data({2, 3})}},
      {"Dropout", {data({2, 3})}},
      {.op = "Squeeze", .inputs = {data({1, 6})}, .attributes = {ints("axes", {0})}, .opset = 11},
  };
  for (const OneNode& view : views) {
    const NodeWork work = count_one(view);
    EXPECT_EQ(work.status, CountStatus::Counted) << view.op << work.reason;
    EXPECT_EQ(work.read.value + work.written.value, 0U) << view.op;
    EXPECT_EQ(all_other(work), 0U) << view.op;
  }
}

TEST(Bytes, AreBothWaysForATransposition) {
  const NodeWork work = count_one({"Transpose", {data({2, 3})}});
  EXPECT_EQ(work.read.value, 24U);
  EXPECT_EQ(work.written.value, 24U);
}

TEST(Bytes, OfAGatherAreTheRowsThatItNames) {
  // 3 of 100 rows of 8 floats, and 3 indices of 8 bytes.
  const NodeWork work = count_one({"Gather", {weight({100, 8}), data({3}, kI64)}});
  EXPECT_EQ(work.read.value, 3U * 32U + 24U);
  EXPECT_EQ(work.written.value, 96U);
  EXPECT_EQ(work.parameters, 800U);
}

TEST(Bytes, OfAGatherAreAtMostTheTable) {
  const NodeWork work = count_one({"Gather", {weight({4, 8}), data({50}, kI64)}});
  EXPECT_EQ(work.read.value, 4U * 32U + 400U);
}

TEST(Bytes, OfASliceAreWhatItGives) {
  ModelBuilder builder;
  builder.input("x", kF32, {{100}})
      .initializer("starts", {1}, std::vector<std::int64_t>{10})
      .initializer("ends", {1}, std::vector<std::int64_t>{15})
      .node("Slice", {"x", "starts", "ends"}, {"y"})
      .output("y", kF32);
  const Work work = count(builder);
  EXPECT_EQ(work.read.value, 20U);
  EXPECT_EQ(work.written.value, 20U);
}

TEST(Bytes, PackFourBitTypes) {
  // 7 elements of 4 bits fill 4 bytes.
  const NodeWork work =
      count_one({"DequantizeLinear", {data({7}, ElementType::Uint4), weight({})}});
  EXPECT_EQ(work.read.value, 4U + 4U);
  EXPECT_EQ(work.written.value, 28U);
}

TEST(Bytes, OfAStridedPointwiseConvolutionAreAQuarterOfItsInput) {
  // 1x1, stride 2 over 8x8: rows and columns 0, 2, 4, 6. 4 x 4 x 2 channels, 3 x 2 weights.
  const NodeWork work =
      count_one({"Conv", {data({1, 2, 8, 8}), weight({3, 2, 1, 1})}, {ints("strides", {2, 2})}});
  EXPECT_EQ(work.read.value, 4U * (32U + 6U));
  EXPECT_EQ(work.written.value, 4U * 48U);
}

TEST(Window, TouchesWhatItsPositionsCover) {
  struct Row {
    const char* what;
    WindowAxis axis;
    std::int64_t touched;
  };
  const std::vector<Row> rows = {
      {"whole", {.input = 5, .output = 3, .kernel = 3}, 5},
      {"padding outside", {.input = 5, .output = 5, .kernel = 3, .pad_begin = 1}, 5},
      // 0..2 and 2..4 of 6: the last is not reached.
      {"a rest", {.input = 6, .output = 2, .kernel = 3, .stride = 2}, 5},
      // 0 1, 4 5, 8 9 of 10.
      {"gaps", {.input = 10, .output = 3, .kernel = 2, .stride = 4}, 6},
      // From -1: {-1 0}, {3 4}, {7 8}.
      {"gaps and padding", {.input = 9, .output = 3, .kernel = 2, .stride = 4, .pad_begin = 1}, 5},
      // {0 2 4} and {3 5 7}.
      {"dilated", {.input = 8, .output = 2, .kernel = 3, .stride = 3, .dilation = 2}, 6},
      {"dilated, one by one", {.input = 7, .output = 3, .kernel = 3, .dilation = 2}, 7},
      {"beyond exactness", {.input = 9, .output = 3, .kernel = std::int64_t{1} << 40}, 9},
  };
  for (const Row& row : rows) EXPECT_EQ(touched_positions(row.axis), row.touched) << row.what;
}

TEST(Bytes, OfStringsAreUnknown) {
  const NodeWork work = count_one({"Concat",
                                   {data({2}, ElementType::String), data({3}, ElementType::String)},
                                   {attr("axis", 0)}});
  EXPECT_EQ(work.status, CountStatus::UnknownShape);
  EXPECT_EQ(work.reason, "input 0 'x0': it holds strings, whose sizes only a run knows");
}

TEST(Bytes, OfMapsAreThoseOfTheirEntries) {
  // 3 rows of 2 classes: 6 entries of an int64 and a float32.
  ModelBuilder builder;
  builder.opset("", 21).opset("ai.onnx.ml", 1);
  builder.input("p", kF32, {{3, 2}})
      .node("ZipMap", {"p"}, {"y"}, {ints("classlabels_int64s", {0, 1})}, "ai.onnx.ml")
      .output("y", sequence_type(map_type(kI64, tensor_type(kF32, std::vector<DimSpec>{}))));
  const Work work = count(builder);
  EXPECT_EQ(work.nodes[0].status, CountStatus::Counted) << work.nodes[0].reason;
  EXPECT_EQ(work.written.value, 6U * 12U);
  EXPECT_EQ(work.read.value, 24U);
}

TEST(Bytes, OfASequenceAreThoseOfItsParts) {
  // 24 floats, read and written once each, whatever the parts are.
  ModelBuilder builder;
  builder.input("x", kF32, {{6, 4}})
      .node("SplitToSequence", {"x"}, {"s"}, {attr("axis", 0)})
      .output("s");
  const NodeWork work = count(builder).nodes[0];
  EXPECT_EQ(work.status, CountStatus::Counted) << work.reason;
  EXPECT_EQ(work.read.value, 96U);
  EXPECT_EQ(work.written.value, 96U);
}

}  // namespace
}  // namespace headroom::test
