// SPDX-License-Identifier: Apache-2.0
// What is not known is said, never counted as zero.
#include <headroom/base/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cost/counted.h"

namespace headroom::test {
namespace {

using ::testing::HasSubstr;

TEST(Status, ListsOperatorsWithoutAFormula) {
  ModelBuilder builder;
  builder.opset("", 21).opset("acme", 1);
  builder.input("x", kF32, {{4}})
      .node("Mystery", {"x"}, {"a"}, {}, "acme")
      .node("Mystery", {"a"}, {"b"}, {}, "acme")
      .node("Relu", {"x"}, {"y"})
      .output("b", kF32, {{4}})
      .output("y", kF32);
  const Work work = count(builder);
  EXPECT_EQ(work.uncounted.at("acme.Mystery").nodes, 2U);
  EXPECT_EQ(work.uncounted.at("acme.Mystery").reason, "");
  EXPECT_EQ(work.nodes[0].status, CountStatus::Uncounted);
  EXPECT_EQ(work.nodes[0].reason, "there is no formula for acme.Mystery");
  EXPECT_EQ(work.nodes[0].name, "Mystery of a");
  EXPECT_EQ(work.by_op.at("acme.Mystery").unknown_nodes(), 2U);
  EXPECT_FALSE(work.is_complete());
}

TEST(Status, SaysWhyAnOperatorHasNoFormula) {
  ModelBuilder builder;
  builder.input("boxes", kF32, {{1, 6, 4}})
      .input("scores", kF32, {{1, 1, 6}})
      .initializer("most", {1}, std::vector<std::int64_t>{3})
      .node("NonMaxSuppression", {"boxes", "scores", "most"}, {"y"})
      .output("y", kI64);
  const Work work = count(builder);
  const std::string reason = "how many boxes are compared depends on their scores and overlaps";
  EXPECT_EQ(work.nodes[0].status, CountStatus::Uncounted);
  EXPECT_EQ(work.nodes[0].reason, reason);
  EXPECT_EQ(work.uncounted.at("NonMaxSuppression").reason, reason);
  EXPECT_EQ(work.parameters, 0U);  // `most` is a setting.
}

TEST(Status, SaysWhichDimensionIsOpen) {
  ModelBuilder builder;
  builder.input("x", kF32, {{"batch", 5}})
      .initializer(zero_tensor("w", kF32, {5, 7}))
      .node("MatMul", {"x", "w"}, {"y"})
      .output("y", kF32);
  const Work work = count(builder);
  EXPECT_EQ(work.nodes[0].status, CountStatus::UnknownShape);
  EXPECT_EQ(work.nodes[0].open_dimension, "batch");
  EXPECT_EQ(work.nodes[0].reason, "output 0 'y': dimension 0 is open: batch");
  EXPECT_EQ(work.nodes[0].macs.value, 0U);
  EXPECT_EQ(work.parameters, 35U);  // Known all the same.
  EXPECT_EQ(count(builder, {.dims = {{"batch", 3}}}).macs.value, 105U);
  EXPECT_EQ(count(builder, {.shapes = {{"x", {3, 5}}}}).macs.value, 105U);
}

TEST(Status, NamesTheNodeWhoseWorkDoesNotFit64Bits) {
  ModelBuilder builder;
  builder.input("x", kF32, {{std::int64_t{1} << 40}})
      .input("z", kF32, {{std::int64_t{1} << 40}})
      .node("Einsum", {"x", "z"}, {"y"}, {attr("equation", "i,j->")}, "", "outer")
      .output("y", kF32, std::vector<DimSpec>{});
  try {
    count(builder);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_THAT(error.what(), HasSubstr("node 'outer': its work does not fit 64 bits"));
  }
}

TEST(Status, RefusesASumThatDoesNotFit64Bits) {
  // Each product takes 2^62 MACs; the FLOPs of two of them are 2^64.
  ModelBuilder builder;
  const std::int64_t side = std::int64_t{1} << 31;
  builder.input("x", kF32, {{1, side}})
      .input("z", kF32, {{side, side}})
      .node("MatMul", {"x", "z"}, {"a"}, {}, "", "first")
      .node("MatMul", {"x", "z"}, {"b"}, {}, "", "second")
      .output("a", kF32)
      .output("b", kF32);
  EXPECT_THROW(count(builder), Error);
}

TEST(Status, CountsAnEmptyTensorAsNothing) {
  ModelBuilder builder;
  builder.input("x", kF32, {{4}})
      .initializer(zero_tensor("none", kF32, {0}))
      .node("Concat", {"x", "none"}, {"y"}, {attr("axis", 0)})
      .output("y", kF32);
  const Work work = count(builder);
  EXPECT_EQ(work.nodes[0].status, CountStatus::Counted);
  EXPECT_EQ(work.nodes[0].read.value, 16U);
}

}  // namespace
}  // namespace headroom::test
