// SPDX-License-Identifier: Apache-2.0
// If, Loop and Scan: what their bodies say about their outputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/inferred.h"
#include "support/thrown.h"

namespace headroom {
namespace {

using test::attr;
using test::GraphBuilder;
using test::inferred;
using test::int64_tensor;
using test::ModelBuilder;
using test::type_of;
using testing::ElementsAre;
using testing::HasSubstr;

// `first` and `second` are branches with the output `out`.
ModelBuilder choice(const GraphBuilder& first, const GraphBuilder& second) {
  ModelBuilder model;
  model.input("x", ElementType::Float32, {{1, 4}});
  model.initializer(int64_tensor("axis", {1}, {0}));
  model.node("If", {"c"}, {"y"}, {attr("then_branch", first), attr("else_branch", second)}, "",
             "if");
  model.output("y");
  return model;
}

GraphBuilder branch(std::string_view op, const std::vector<std::string>& inputs) {
  GraphBuilder body;
  body.node(op, inputs, {"out"}, {}, "", std::string(op));
  body.output("out");
  return body;
}

ModelBuilder& condition(ModelBuilder& model) {
  model.input("c", ElementType::Bool, test::kScalar);
  return model;
}

TEST(InferIf, MergesTheBranches) {
  ModelBuilder same = choice(branch("Relu", {"x"}), branch("Neg", {"x"}));
  EXPECT_EQ(type_of(inferred(condition(same)), "y"), "float32 1x4");
  // [1, 4] or [4]: only the element type is common.
  ModelBuilder other = choice(branch("Relu", {"x"}), branch("Squeeze", {"x", "axis"}));
  EXPECT_EQ(type_of(inferred(condition(other)), "y"), "float32 of unknown rank");
}

TEST(InferIf, OpensASizeThatDiffers) {
  GraphBuilder twice;
  twice.node("Concat", {"x", "x"}, {"out"}, {attr("axis", 1)});
  twice.output("out");
  ModelBuilder model = choice(branch("Relu", {"x"}), twice);
  const Model result = inferred(condition(model));
  EXPECT_EQ(type_of(result, "y"), "float32 1x?");
  EXPECT_THAT(test::open_dims(result, "y"),
              ElementsAre("depends on data: if output 0, dimension 1"));
}

TEST(InferIf, FollowsAConditionThatIsKnown) {
  // The first size of x is 1: the dimension is removed, as PyTorch exports squeeze.
  ModelBuilder model;
  model.input("x", ElementType::Float32, {{1, 4}});
  model.initializer(int64_tensor("zero", {}, {0}));
  model.initializer(int64_tensor("one", {}, {1}));
  model.initializer(int64_tensor("axis", {1}, {0}));
  model.node("Shape", {"x"}, {"s"});
  model.node("Gather", {"s", "zero"}, {"first"});
  model.node("Equal", {"first", "one"}, {"c"});
  model.node("If", {"c"}, {"y"},
             {attr("then_branch", branch("Squeeze", {"x", "axis"})),
              attr("else_branch", branch("Identity", {"x"}))});
  EXPECT_EQ(type_of(inferred(model), "y"), "float32 4");
}

TEST(InferIf, KnowsThatABranchThatCannotRunIsNotTaken) {
  // Axis 0 of [3, 4] cannot be squeezed: a run that succeeds takes the other branch.
  ModelBuilder model;
  condition(model).input("x", ElementType::Float32, {{3, 4}});
  model.initializer(int64_tensor("axis", {1}, {0}));
  model.node("If", {"c"}, {"y"},
             {attr("then_branch", branch("Squeeze", {"x", "axis"})),
              attr("else_branch", branch("Identity", {"x"}))});
  const Model result = inferred(model);
  EXPECT_EQ(type_of(result, "y"), "float32 3x4");
  ASSERT_EQ(result.diagnostics.size(), 1U);
  EXPECT_EQ(result.diagnostics[0].severity, Severity::Note);
  EXPECT_EQ(result.diagnostics[0].code, "contradiction_in_body");
  EXPECT_THAT(result.diagnostics[0].message, HasSubstr("cannot be squeezed"));
}

// A Loop over `body`, M times where `trips` is given as a constant.
GraphBuilder loop_body() {
  GraphBuilder body;
  body.input("i", ElementType::Int64).input("go", ElementType::Bool).input("state");
  return body;
}

TEST(InferLoop, StacksWhatEachRoundGives) {
  // Five rounds: the condition is passed on, so nothing ends them early.
  GraphBuilder body = loop_body();
  body.node("Identity", {"go"}, {"goes_on"});
  body.node("Relu", {"state"}, {"next"});
  body.node("Neg", {"state"}, {"row"});
  body.output("goes_on").output("next").output("row");
  ModelBuilder model;
  model.input("x", ElementType::Float32, {{"n", 3}});
  model.initializer(int64_tensor("five", {}, {5}));
  model.node("Loop", {"five", "", "x"}, {"last", "rows"}, {attr("body", body)}, "", "loop");
  const Model result = inferred(model);
  EXPECT_EQ(type_of(result, "last"), "float32 nx3");
  EXPECT_EQ(type_of(result, "rows"), "float32 5xnx3");
}

TEST(InferLoop, OpensAStateThatGrows) {
  GraphBuilder body = loop_body();
  body.node("Identity", {"go"}, {"goes_on"});
  body.node("Concat", {"state", "state"}, {"next"}, {attr("axis", 0)});
  body.output("goes_on").output("next");
  ModelBuilder model;
  model.input("x", ElementType::Float32, {{2, 3}});
  model.input("m", ElementType::Int64, test::kScalar);
  model.node("Loop", {"m", "", "x"}, {"last"}, {attr("body", body)}, "", "loop");
  const Model result = inferred(model);
  EXPECT_EQ(type_of(result, "last"), "float32 ?x3");
  EXPECT_THAT(test::open_dims(result, "last"),
              ElementsAre("depends on data: loop output 0, dimension 0"));
}

TEST(InferLoop, LeavesTheNumberOfRoundsToARun) {
  GraphBuilder body = loop_body();
  body.node("Less", {"i", "limit"}, {"goes_on"});
  body.node("Identity", {"state"}, {"next"});
  body.node("Identity", {"state"}, {"row"});
  body.output("goes_on").output("next").output("row");
  ModelBuilder model;
  model.input("x", ElementType::Float32, {{3}});
  model.input("limit", ElementType::Int64, test::kScalar);
  model.initializer(int64_tensor("five", {}, {5}));
  model.node("Loop", {"five", "", "x"}, {"last", "rows"}, {attr("body", body)}, "", "loop");
  const Model result = inferred(model);
  EXPECT_EQ(type_of(result, "last"), "float32 3");
  EXPECT_EQ(type_of(result, "rows"), "float32 ?x3");
}

TEST(InferScan, RemovesAndInsertsTheScannedDimension) {
  // State [3]; slices of [7, 3] along axis 0 are [3]; results are stacked along axis 1.
  GraphBuilder body;
  body.input("state").input("slice");
  body.node("Add", {"state", "slice"}, {"next"});
  body.node("Identity", {"next"}, {"row"});
  body.output("next").output("row");
  ModelBuilder model;
  model.input("s", ElementType::Float32, {{3}});
  model.input("x", ElementType::Float32, {{7, 3}});
  model.node("Scan", {"s", "x"}, {"last", "rows"},
             {attr("body", body), attr("num_scan_inputs", 1), test::ints("scan_output_axes", {1})});
  const Model result = inferred(model);
  EXPECT_EQ(type_of(result, "last"), "float32 3");
  EXPECT_EQ(type_of(result, "rows"), "float32 3x7");
}

TEST(InferSequence, MergesElementsAndTakesThemOut) {
  ModelBuilder model;
  model.input("a", ElementType::Float32, {{2, 3}});
  model.input("b", ElementType::Float32, {{4, 3}});
  model.initializer(int64_tensor("zero", {}, {0}));
  model.node("SequenceConstruct", {"a", "b"}, {"s"});
  model.node("SequenceAt", {"s", "zero"}, {"y"});
  model.node("ConcatFromSequence", {"s"}, {"all"}, {attr("axis", 0)});
  model.node("SequenceLength", {"s"}, {"n"});
  const Model result = inferred(model);
  EXPECT_EQ(type_of(result, "s"), "sequence of float32 ?x3");
  EXPECT_EQ(type_of(result, "y"), "float32 ?x3");
  EXPECT_EQ(type_of(result, "all"), "float32 ?x3");
  EXPECT_EQ(type_of(result, "n"), "int64 scalar");
}

}  // namespace
}  // namespace headroom
