// SPDX-License-Identifier: Apache-2.0
// If counts one branch, loops count their body as often as it runs. By hand.
#include <algorithm>

#include <gtest/gtest.h>

#include "cost/counted.h"

namespace headroom::test {
namespace {

// `x` [4, 4] is captured; the product takes 64 MACs, the sum none.
GraphBuilder product_branch() {
  GraphBuilder body("product");
  body.initializer(zero_tensor("w", kF32, {4, 4}))
      .node("MatMul", {"x", "w"}, {"p"}, {}, "", "mm")
      .output("p", kF32, {{4, 4}});
  return body;
}
GraphBuilder sum_branch() {
  GraphBuilder body("sum");
  body.node("Add", {"x", "x"}, {"s"}, {}, "", "add").output("s", kF32, {{4, 4}});
  return body;
}

ModelBuilder branching(const GraphBuilder& then_branch, const GraphBuilder& else_branch) {
  ModelBuilder builder;
  builder.input("x", kF32, {{4, 4}})
      .input("c", ElementType::Bool, std::vector<DimSpec>{})
      .node("If", {"c"}, {"y"},
            {attr("then_branch", then_branch), attr("else_branch", else_branch)}, "", "choose")
      .output("y", kF32);
  return builder;
}

const NodeWork& find(const Work& work, std::string_view name) {
  const auto found = std::find_if(work.nodes.begin(), work.nodes.end(),
                                  [&](const NodeWork& node) { return node.name == name; });
  if (found == work.nodes.end()) throw std::out_of_range(std::string(name));
  return *found;
}

TEST(If, CountsTheBranchWithMoreMacs) {
  for (const bool is_first : {true, false}) {
    const Work work = is_first ? count(branching(product_branch(), sum_branch()))
                               : count(branching(sum_branch(), product_branch()));
    EXPECT_EQ(work.macs.value, 64U);
    EXPECT_EQ(work.other, ArithmeticCounts{});
    const std::string heavy = is_first ? "then_branch" : "else_branch";
    const std::string light = is_first ? "else_branch" : "then_branch";
    EXPECT_EQ(find(work, "choose").reason,
              "counted as taking " + heavy + ", the branch with more work");
    EXPECT_EQ(find(work, "choose/" + heavy + "/mm").status, CountStatus::Counted);
    EXPECT_EQ(find(work, "choose/" + light + "/add").status, CountStatus::NotTaken);
  }
}

TEST(If, KeepsTheParametersOfBothBranches) {
  const Work work = count(branching(product_branch(), product_branch()));
  EXPECT_EQ(work.parameters, 32U);
  EXPECT_EQ(work.macs.value, 64U);
}

TEST(If, CountsTheBranchThatIsKnownToBeTaken) {
  ModelBuilder builder;
  builder.input("x", kF32, {{4, 4}})
      .initializer(int32_data_tensor("c", ElementType::Bool, {}, {0}))
      .node("If", {"c"}, {"y"},
            {attr("then_branch", product_branch()), attr("else_branch", sum_branch())}, "",
            "choose")
      .output("y", kF32);
  const Work work = count(builder);
  EXPECT_EQ(work.macs.value, 0U);
  EXPECT_EQ(other(find(work, "choose/else_branch/add"), Arithmetic::Add), 16U);
  EXPECT_EQ(find(work, "choose/then_branch/mm").status, CountStatus::NotTaken);
  EXPECT_EQ(work.parameters, 0U);  // A branch that no input reaches holds none.
}

TEST(If, CountsTheBranchThatTheValuesOfInputsChoose) {
  for (const bool is_then : {true, false}) {
    const ShapeOptions options{.values = {{"c", {.elements = {is_then ? 1 : 0}}}}};
    const Work work = count(branching(product_branch(), sum_branch()), options);
    EXPECT_EQ(work.macs.value, is_then ? 64U : 0U);
    EXPECT_EQ(find(work, "choose/then_branch/mm").status,
              is_then ? CountStatus::Counted : CountStatus::NotTaken);
  }
}

TEST(If, CountsTheBranchThatTheShapesAllow) {
  // The other one would have to squeeze a dimension of 4.
  GraphBuilder impossible("impossible");
  impossible.initializer("axes", {1}, std::vector<std::int64_t>{0})
      .node("Squeeze", {"x", "axes"}, {"q"}, {}, "", "sq")
      .node("Relu", {"q"}, {"r"}, {}, "", "after")
      .output("r", kF32);
  const Work work = count(branching(sum_branch(), impossible));
  EXPECT_TRUE(work.is_complete());
  EXPECT_EQ(find(work, "choose").reason, "then_branch is the only branch that can run");
  EXPECT_EQ(find(work, "choose/else_branch/after").status, CountStatus::NotTaken);
  EXPECT_EQ(other(find(work, "choose/then_branch/add"), Arithmetic::Add), 16U);
}

TEST(If, SaysWhatIsUncountedInEitherBranch) {
  GraphBuilder custom("custom");
  custom.node("Mystery", {"x"}, {"m"}, {}, "acme", "m").output("m", kF32, {{4, 4}});
  ModelBuilder builder = branching(product_branch(), custom);
  builder.opset("", 21).opset("acme", 1);
  const Work work = count(builder);
  EXPECT_EQ(work.macs.value, 64U);
  EXPECT_EQ(work.uncounted.at("acme.Mystery").nodes, 1U);
  EXPECT_FALSE(work.is_complete());
}

// The state [4, 4] goes through one product in each iteration.
GraphBuilder loop_body() {
  GraphBuilder body("body");
  body.input("i", kI64, std::vector<DimSpec>{})
      .input("go", ElementType::Bool, std::vector<DimSpec>{})
      .input("state", kF32, {{4, 4}})
      .initializer(zero_tensor("w", kF32, {4, 4}))
      .node("Identity", {"go"}, {"go_on"}, {}, "", "id")
      .node("MatMul", {"state", "w"}, {"next"}, {}, "", "mm")
      .output("go_on", ElementType::Bool, std::vector<DimSpec>{})
      .output("next", kF32, {{4, 4}});
  return body;
}

TEST(Loop, CountsItsBodyForEachIteration) {
  ModelBuilder builder;
  builder.input("x", kF32, {{4, 4}})
      .initializer("trips", {}, std::vector<std::int64_t>{5})
      .node("Loop", {"trips", "", "x"}, {"y"}, {attr("body", loop_body())}, "", "loop")
      .output("y", kF32);
  const Work work = count(builder);
  EXPECT_EQ(work.macs.value, 5U * 64U);
  EXPECT_EQ(find(work, "loop/body/mm").runs, 5U);
  EXPECT_EQ(work.parameters, 16U);
  EXPECT_EQ(find(work, "loop/body/mm").read.value, 5U * 128U);
}

TEST(Loop, MultipliesNestedIterations) {
  GraphBuilder outer("outer");
  outer.input("j", kI64, std::vector<DimSpec>{})
      .input("run", ElementType::Bool, std::vector<DimSpec>{})
      .input("s", kF32, {{4, 4}})
      .initializer("inner_trips", {}, std::vector<std::int64_t>{3})
      .node("Identity", {"run"}, {"run_on"})
      .node("Loop", {"inner_trips", "", "s"}, {"t"}, {attr("body", loop_body())}, "", "inner")
      .output("run_on", ElementType::Bool, std::vector<DimSpec>{})
      .output("t", kF32, {{4, 4}});
  ModelBuilder builder;
  builder.input("x", kF32, {{4, 4}})
      .initializer("trips", {}, std::vector<std::int64_t>{5})
      .node("Loop", {"trips", "", "x"}, {"y"}, {attr("body", outer)}, "", "loop")
      .output("y", kF32);
  const Work work = count(builder);
  EXPECT_EQ(work.macs.value, 15U * 64U);
  EXPECT_EQ(find(work, "loop/body/inner/body/mm").runs, 15U);
}

TEST(Loop, IsUnknownWithoutAKnownTripCount) {
  ModelBuilder builder;
  builder.input("x", kF32, {{4, 4}})
      .input("trips", kI64, std::vector<DimSpec>{})
      .node("Loop", {"trips", "", "x"}, {"y"}, {attr("body", loop_body())}, "", "loop")
      .output("y", kF32);
  const Work work = count(builder);
  EXPECT_EQ(work.macs.value, 0U);
  EXPECT_EQ(find(work, "loop").status, CountStatus::UnknownShape);
  EXPECT_EQ(find(work, "loop").reason, "the trip count of the loop is not known");
  EXPECT_EQ(find(work, "loop/body/mm").status, CountStatus::UnknownShape);
  EXPECT_EQ(work.unknown_shape.at("MatMul"), 1U);
}

TEST(Loop, CountsTheTripsThatTheValuesOfInputsSay) {
  ModelBuilder builder;
  builder.input("x", kF32, {{4, 4}})
      .input("trips", kI64, std::vector<DimSpec>{})
      .node("Loop", {"trips", "", "x"}, {"y"}, {attr("body", loop_body())}, "", "loop")
      .output("y", kF32);
  const Work work = count(builder, {.values = {{"trips", {.elements = {5}}}}});
  EXPECT_EQ(find(work, "loop/body/mm").runs, 5U);
  EXPECT_EQ(work.macs.value, 5 * 64U);
}

TEST(Loop, IsUnknownWhenEachIterationDecides) {
  GraphBuilder body("body");
  body.input("i", kI64, std::vector<DimSpec>{})
      .input("go", ElementType::Bool, std::vector<DimSpec>{})
      .input("state", kF32, std::vector<DimSpec>{})
      .initializer("limit", {}, std::vector<float>{1})
      .node("Less", {"state", "limit"}, {"go_on"})
      .node("Identity", {"state"}, {"next"})
      .output("go_on", ElementType::Bool, std::vector<DimSpec>{})
      .output("next", kF32, std::vector<DimSpec>{});
  ModelBuilder builder;
  builder.input("x", kF32, std::vector<DimSpec>{})
      .initializer("trips", {}, std::vector<std::int64_t>{5})
      .node("Loop", {"trips", "", "x"}, {"y"}, {attr("body", body)}, "", "loop")
      .output("y", kF32);
  EXPECT_EQ(count(builder).nodes[0].reason, "each iteration decides whether another follows");
}

// Each iteration decides by data, and its product is stacked.
ModelBuilder deciding_loop() {
  GraphBuilder body("body");
  body.input("i", kI64, std::vector<DimSpec>{})
      .input("go", ElementType::Bool, std::vector<DimSpec>{})
      .input("state", kF32, {{4, 4}})
      .initializer(zero_tensor("w", kF32, {4, 4}))
      .node("MatMul", {"state", "w"}, {"next"}, {}, "", "mm")
      .node("ReduceSum", {"next"}, {"sum"}, {attr("keepdims", 0)})
      .node("Cast", {"sum"}, {"go_on"}, {attr("to", 9)})
      .node("Identity", {"next"}, {"slice"})
      .output("go_on", ElementType::Bool, std::vector<DimSpec>{})
      .output("next", kF32, {{4, 4}})
      .output("slice", kF32, {{4, 4}});
  ModelBuilder builder;
  builder.input("x", kF32, {{4, 4}})
      .node("Loop", {"", "", "x"}, {"y", "slices"}, {attr("body", body)}, "", "loop")
      .node("Relu", {"slices"}, {"z"})
      .output("y", kF32)
      .output("z", kF32);
  return builder;
}

TEST(Loop, CountsTheTripsThatAnObservedStackShows) {
  EXPECT_EQ(find(count(deciding_loop()), "loop/body/mm").status, CountStatus::UnknownShape);
  const ValueType stack{.kind = TypeKind::Tensor,
                        .element = kF32,
                        .shape = Shape{{.size = 5}, {.size = 4}, {.size = 4}}};
  ShapeOptions options;
  options.observed["slices"] = {.type = stack};
  const Work work = count(deciding_loop(), options);
  EXPECT_TRUE(work.is_complete());
  EXPECT_EQ(find(work, "loop/body/mm").runs, 5U);
  EXPECT_EQ(work.macs.value, 5 * 64U);
}

TEST(If, CountsTheBranchThatARunTook) {
  // The condition is made of data; the run that was observed saw it hold or not.
  for (const bool is_then : {true, false}) {
    ModelBuilder builder;
    builder.input("x", kF32, {{4, 4}})
        .node("ReduceSum", {"x"}, {"sum"}, {attr("keepdims", 0)})
        .node("Cast", {"sum"}, {"c"}, {attr("to", 9)})
        .node("If", {"c"}, {"y"},
              {attr("then_branch", product_branch()), attr("else_branch", sum_branch())}, "",
              "choose")
        .output("y", kF32);
    ShapeOptions options;
    options.observed["c"] = {
        .type = {.kind = TypeKind::Tensor, .element = ElementType::Bool, .shape = Shape{}},
        .elements = KnownElements{.elements = {is_then ? 1 : 0}}};
    const Work work = count(builder, options);
    EXPECT_EQ(work.macs.value, is_then ? 64U : 0U);
    EXPECT_EQ(find(work, "choose/else_branch/add").status,
              is_then ? CountStatus::NotTaken : CountStatus::Counted);
  }
}

TEST(SequenceMap, IsUnknownWithoutTheLengthOfItsSequence) {
  GraphBuilder body("body");
  body.input("element", kF32, {{4}}).node("Relu", {"element"}, {"r"}).output("r", kF32, {{4}});
  ModelBuilder builder;
  builder.input("x", kF32, {{4}})
      .node("SequenceConstruct", {"x", "x"}, {"s"})
      .node("SequenceMap", {"s"}, {"y"}, {attr("body", body)}, "", "map")
      .output("y");
  EXPECT_EQ(find(count(builder), "map").reason, "the length of the sequence is not known");
}

TEST(Scan, CountsItsBodyForEachSlice) {
  // 7 slices of [4] along axis 0, a product of 4 x 4 each.
  GraphBuilder body("body");
  body.input("row", kF32, {{1, 4}})
      .initializer(zero_tensor("w", kF32, {4, 4}))
      .node("MatMul", {"row", "w"}, {"out"}, {}, "", "mm")
      .output("out", kF32, {{1, 4}});
  ModelBuilder builder;
  builder.input("x", kF32, {{7, 1, 4}})
      .node("Scan", {"x"}, {"y"}, {attr("num_scan_inputs", 1), attr("body", body)}, "", "scan")
      .output("y", kF32);
  EXPECT_EQ(count(builder).macs.value, 7U * 16U);
}

TEST(Scan, FollowsItsAxis) {
  GraphBuilder body("body");
  body.input("row", kF32, {{7, 4}})
      .initializer(zero_tensor("w", kF32, {4, 4}))
      .node("MatMul", {"row", "w"}, {"out"}, {}, "", "mm")
      .output("out", kF32, {{7, 4}});
  ModelBuilder builder;
  builder.input("x", kF32, {{7, 3, 4}})
      .node("Scan", {"x"}, {"y"},
            {attr("num_scan_inputs", 1), ints("scan_input_axes", {1}), attr("body", body)}, "",
            "scan")
      .output("y", kF32);
  EXPECT_EQ(count(builder).macs.value, 3U * 7U * 16U);
}

TEST(Functions, CountTheirInlinedBodies) {
  FunctionBuilder twice("acme", "Twice");
  twice.inputs({"a", "w"})
      .outputs({"b"})
      .opset("", 21)
      .node("MatMul", {"a", "w"}, {"m"}, {}, "", "first")
      .node("MatMul", {"m", "w"}, {"b"}, {}, "", "second");
  ModelBuilder builder;
  builder.opset("", 21).opset("acme", 1).function(twice);
  builder.input("x", kF32, {{4, 4}})
      .initializer(zero_tensor("w", kF32, {4, 4}))
      .node("Twice", {"x", "w"}, {"y"}, {}, "acme", "call")
      .output("y", kF32);
  const Work work = count(builder);
  EXPECT_EQ(work.macs.value, 128U);
  EXPECT_EQ(work.parameters, 16U);
  EXPECT_EQ(work.nodes[0].name, "call/first");
}

}  // namespace
}  // namespace headroom::test
