// SPDX-License-Identifier: Apache-2.0
// Parameters: constant elements that a run uses, each once, as stored. By hand.
#include <gtest/gtest.h>

#include "cost/counted.h"

namespace headroom::test {
namespace {

TEST(Parameters, CountASharedInitializerOnceAndItsWorkEachTime) {
  ModelBuilder builder;
  builder.input("x", kF32, {{4, 4}})
      .initializer(zero_tensor("w", kF32, {4, 4}))
      .node("MatMul", {"x", "w"}, {"h"})
      .node("MatMul", {"h", "w"}, {"y"})
      .output("y", kF32);
  const Work work = count(builder);
  EXPECT_EQ(work.parameters, 16U);
  EXPECT_EQ(work.parameter_bytes.value, 64U);
  EXPECT_EQ(work.macs.value, 2U * 64U);
  EXPECT_EQ(work.nodes[0].parameters, 16U);
  EXPECT_EQ(work.nodes[1].parameters, 0U);
  EXPECT_EQ(work.nodes[1].read.value, 64U + 64U);  // Read again, since the node needs it.
}

TEST(Parameters, LookThroughATransposition) {
  // A table that embeds, and transposed projects back: stored once.
  ModelBuilder builder;
  builder.input("ids", kI64, {{3}})
      .initializer(zero_tensor("table", kF32, {10, 4}))
      .node("Gather", {"table", "ids"}, {"h"})
      .node("Transpose", {"table"}, {"projection"})
      .node("MatMul", {"h", "projection"}, {"y"})
      .output("y", kF32);
  const Work work = count(builder);
  EXPECT_EQ(work.nodes[1].status, CountStatus::Constant);
  EXPECT_EQ(work.parameters, 40U);
  EXPECT_EQ(work.macs.value, 3U * 10U * 4U);
}

TEST(Parameters, CountWhatConstantNodesMake) {
  ModelBuilder builder;
  builder.input("x", kF32, {{2, 3}})
      .initializer("shape", {2}, std::vector<std::int64_t>{3, 5})
      .node("ConstantOfShape", {"shape"}, {"w"})
      .node("Gemm", {"x", "w"}, {"y"})
      .output("y", kF32);
  const Work work = count(builder);
  EXPECT_EQ(work.nodes[0].status, CountStatus::Constant);
  EXPECT_EQ(work.nodes[0].constant_elements, 15U);
  EXPECT_EQ(work.nodes[0].written.value, 0U);
  EXPECT_EQ(work.by_op.at("ConstantOfShape").constant_elements, 15U);
  EXPECT_EQ(work.nodes[1].parameters, 15U);
  EXPECT_EQ(work.parameters, 15U);
  EXPECT_EQ(work.parameter_bytes.value, 60U);
}

TEST(Parameters, CountQuantisedWeightsAsStored) {
  // 4 x 8 weights of one byte with a scale and a zero point: not the 32 floats they stand for.
  ModelBuilder builder;
  builder.input("x", kF32, {{2, 4}})
      .initializer(zero_tensor("w", kI8, {4, 8}))
      .initializer("scale", {}, std::vector<float>{0.5F})
      .initializer(zero_tensor("zero", kI8, {}))
      .node("DequantizeLinear", {"w", "scale", "zero"}, {"wf"})
      .node("MatMul", {"x", "wf"}, {"y"})
      .output("y", kF32);
  const Work work = count(builder);
  EXPECT_EQ(work.nodes[0].status, CountStatus::Constant);
  EXPECT_EQ(work.parameters, 32U + 1U + 1U);
  EXPECT_EQ(work.parameter_bytes.value, 32U + 4U + 1U);
  EXPECT_EQ(work.nodes[1].read.value, 2U * 4U * 4U + 37U);
}

TEST(Parameters, LeaveOutSettings) {
  // The same model whether axes and bounds are attributes (opset 10) or inputs (13).
  ModelBuilder builder;
  builder.input("x", kF32, {{1, 6}})
      .initializer("axes", {1}, std::vector<std::int64_t>{0})
      .initializer("low", {}, std::vector<float>{0})
      .node("Squeeze", {"x", "axes"}, {"s"})
      .node("Clip", {"s", "low"}, {"y"})
      .output("y", kF32);
  EXPECT_EQ(count(builder).parameters, 0U);
}

TEST(Parameters, LeaveOutInitializersThatNothingUses) {
  ModelBuilder builder;
  builder.input("x", kF32, {{6}})
      .initializer(zero_tensor("unused", kF32, {1000}))
      .node("Relu", {"x"}, {"y"})
      .output("y", kF32);
  EXPECT_EQ(count(builder).parameters, 0U);
}

TEST(Parameters, CountWhatASparseInitializerStores) {
  // 3 of 64 elements; indices of 8 bytes.
  ModelBuilder builder;
  builder.input("x", kF32, {{2, 8}})
      .sparse_initializer(sparse_tensor(float_tensor("w", {3}, {1, 2, 3}),
                                        int64_tensor("", {3}, {0, 9, 63}), {8, 8}))
      .node("MatMul", {"x", "w"}, {"y"})
      .output("y", kF32);
  const Work work = count(builder);
  EXPECT_EQ(work.parameters, 3U);
  EXPECT_EQ(work.parameter_bytes.value, 3U * 4U + 3U * 8U);
  EXPECT_EQ(work.macs.value, 2U * 8U * 8U);  // The direct algorithm.
}

TEST(Parameters, CountAnOverridableInitializerAsAConstant) {
  ModelBuilder builder;
  builder.input("x", kF32, {{6}})
      .input("w", kF32, {{6}})
      .initializer(zero_tensor("w", kF32, {6}))
      .node("Mul", {"x", "w"}, {"y"})
      .output("y", kF32);
  EXPECT_EQ(count(builder).parameters, 6U);
}

TEST(Constants, IncludeTheShapeOfWhatIsKnown) {
  // Shape, Gather, Concat: all known when x is, so Reshape is left with a view.
  ModelBuilder builder;
  builder.input("x", kF32, {{4, 6}})
      .initializer("zero", {1}, std::vector<std::int64_t>{0})
      .initializer("rest", {1}, std::vector<std::int64_t>{-1})
      .node("Shape", {"x"}, {"shape"})
      .node("Gather", {"shape", "zero"}, {"rows"})
      .node("Concat", {"rows", "rest"}, {"target"}, {attr("axis", 0)})
      .node("Reshape", {"x", "target"}, {"y"})
      .output("y", kF32);
  const Work work = count(builder);
  for (const std::size_t i : {0U, 1U, 2U})
    EXPECT_EQ(work.nodes[i].status, CountStatus::Constant) << work.nodes[i].name;
  EXPECT_EQ(work.nodes[3].status, CountStatus::Counted);
  EXPECT_EQ(work.parameters, 0U);
  EXPECT_EQ(work.read.value + work.written.value, 0U);
}

TEST(Constants, ExcludeWhatFollowsFromTheValuesOfInputs) {
  // Inference knows every element, a run still has to compute them: only the shape is free.
  ModelBuilder builder;
  builder.input("n", kI64, {{2}})
      .initializer("one", {1}, std::vector<std::int64_t>{1})
      .node("Add", {"n", "one"}, {"sum"})
      .node("Shape", {"sum"}, {"y"})
      .output("sum", kI64)
      .output("y", kI64);
  const ShapeOptions options{.values = {{"n", {.elements = {2, 3}}}}};
  const Work work = count(builder, options);
  EXPECT_EQ(work.nodes[0].status, CountStatus::Counted);
  EXPECT_EQ(other(work.nodes[0], Arithmetic::Add), 2U);
  EXPECT_EQ(work.nodes[1].status, CountStatus::Constant);
}

TEST(Constants, ExcludeWhatABodyMakesOfTheValuesOfInputs) {
  GraphBuilder body("body");
  body.node("Add", {"n", "n"}, {"sum"}, {}, "", "add").output("sum", kI64, {{2}});
  ModelBuilder builder;
  builder.input("n", kI64, {{2}})
      .initializer(int32_data_tensor("c", ElementType::Bool, {}, {1}))
      .node("If", {"c"}, {"y"}, {attr("then_branch", body), attr("else_branch", body)}, "",
            "choose")
      .output("y", kI64);
  const Work work = count(builder, {.values = {{"n", {.elements = {2, 3}}}}});
  EXPECT_EQ(work.nodes[0].status, CountStatus::Counted);
  EXPECT_EQ(work.nodes[1].status, CountStatus::Counted);
  EXPECT_EQ(other(work.nodes[1], Arithmetic::Add), 2U);
}

TEST(Constants, ExcludeWhatOnlyARunTells) {
  // The shape of what NonZero finds is known once it was seen, and still made in every run.
  ModelBuilder builder;
  builder.input("x", kF32, {{6}})
      .node("NonZero", {"x"}, {"n"})
      .node("Shape", {"n"}, {"y"})
      .output("y", kI64);
  const ObservedType seen{.type = {.kind = TypeKind::Tensor,
                                   .element = kI64,
                                   .shape = Shape{Dim{.size = 1}, Dim{.size = 4}}}};
  const Work work = count(builder, {.observed = {{"n", seen}}});
  EXPECT_TRUE(work.nodes[0].is_observed);
  EXPECT_FALSE(work.nodes[1].is_observed);
  EXPECT_EQ(work.nodes[0].written.value, 32U);
  EXPECT_EQ(work.nodes[1].status, CountStatus::Counted);
}

TEST(Constants, ExcludeRandomNumbers) {
  ModelBuilder builder;
  builder.node("RandomNormal", {}, {"noise"}, {ints("shape", {3})})
      .node("Relu", {"noise"}, {"y"})
      .output("y", kF32);
  const Work work = count(builder);
  EXPECT_EQ(work.nodes[0].status, CountStatus::Uncounted);
  EXPECT_EQ(work.nodes[1].status, CountStatus::Counted);
}

}  // namespace
}  // namespace headroom::test
