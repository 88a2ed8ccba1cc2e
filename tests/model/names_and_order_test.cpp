// SPDX-License-Identifier: Apache-2.0
// Names, scopes and the order of nodes. What is expected follows from the ONNX specification
// (IR.md: names, subgraphs, topological order) and is written out by hand.
#include <headroom/model/model.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/model_builder.h"
#include "support/thrown.h"

namespace headroom {
namespace {

using test::attr;
using test::GraphBuilder;
using test::message_of;
using test::ModelBuilder;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string error_of(const ModelBuilder& model) {
  return message_of(ErrorKind::BadInput, [&] { model.parse(); });
}

std::vector<std::string> names_of_nodes(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node& node : graph.nodes) names.push_back(node.name);
  return names;
}

const Value& value_named(const Graph& graph, std::string_view name) {
  for (const Value& value : graph.values) {
    if (value.name == name) return value;
  }
  ADD_FAILURE() << "no value " << name;
  return graph.values.at(0);
}

std::vector<std::string> codes(const Model& model) {
  std::vector<std::string> found;
  for (const Diagnostic& diagnostic : model.diagnostics) found.push_back(diagnostic.code);
  return found;
}

TEST(Names, ResolveToInputsInitializersAndOutputsOfNodes) {
  ModelBuilder builder;
  builder.input("x", ElementType::Float32, {{2}});
  builder.initializer("w", {2}, std::vector<float>{1, 2});
  builder.node("Add", {"x", "w"}, {"s"}, {}, "", "add");
  builder.node("Relu", {"s"}, {"y"}, {}, "", "relu");
  builder.output("y");
  const Graph graph = builder.parse().graph;
  EXPECT_EQ(value_named(graph, "x").origin, Origin::Input);
  EXPECT_EQ(value_named(graph, "w").origin, Origin::Initializer);
  EXPECT_EQ(to_string(*value_named(graph, "w").type.shape), "2");
  EXPECT_EQ(value_named(graph, "s").origin, Origin::Node);
  EXPECT_EQ(value_named(graph, "y").index, 1U);
  EXPECT_EQ(graph.nodes[1].inputs, graph.nodes[0].outputs);
  EXPECT_EQ(graph.required_inputs(), graph.inputs);
}

TEST(Names, OmitOptionalInputsAndOutputsThatAreEmpty) {
  ModelBuilder builder;
  builder.input("x", ElementType::Float32);
  builder.node("Clip", {"x", "", "x"}, {"", "y"});
  const Graph graph = builder.parse().graph;
  EXPECT_EQ(graph.nodes[0].inputs[1], kNoValue);
  EXPECT_EQ(graph.nodes[0].outputs[0], kNoValue);
  EXPECT_EQ(graph.values[graph.nodes[0].outputs[1]].name, "y");
}

TEST(Names, MakeAnInputWithAnInitializerOverridable) {
  ModelBuilder builder;
  builder.input("x", ElementType::Float32, {{2}}).input("w", ElementType::Float32, {{2}});
  builder.initializer("w", {2}, std::vector<float>{1, 2});
  builder.node("Add", {"x", "w"}, {"y"});
  const Graph graph = builder.parse().graph;
  const Value& w = value_named(graph, "w");
  EXPECT_EQ(w.origin, Origin::Initializer);
  EXPECT_TRUE(w.is_overridable);
  EXPECT_EQ(graph.inputs.size(), 2U);
  ASSERT_EQ(graph.required_inputs().size(), 1U);
  EXPECT_EQ(graph.values[graph.required_inputs()[0]].name, "x");
}

TEST(Names, TakeTypesFromValueInfoAndIgnoreTheRest) {
  ModelBuilder builder;
  builder.input("x", ElementType::Float32);
  builder.node("Relu", {"x"}, {"h"}).node("Relu", {"h"}, {"y"});
  builder.value_info("h", ElementType::Float32, {{4, "n"}});
  builder.value_info("gone", ElementType::Float32);
  const Graph graph = builder.parse().graph;
  EXPECT_EQ(to_string(*value_named(graph, "h").type.shape), "4xn");
}

TEST(Names, AreRefusedWhereUnknownWithNodeAndInput) {
  ModelBuilder builder;
  builder.input("x", ElementType::Float32);
  builder.node("Add", {"x", "weight"}, {"y"}, {}, "", "add_1");
  EXPECT_THAT(error_of(builder), HasSubstr("node 'add_1': its input 1, 'weight', is not"));
}

TEST(Names, ShowNumberAndOperatorOfANodeWithoutName) {
  ModelBuilder builder;
  builder.input("x", ElementType::Float32);
  builder.node("Relu", {"x"}, {"h"}).node("Sigmoid", {"z"}, {"y"});
  EXPECT_THAT(error_of(builder), HasSubstr("node #1 (Sigmoid): its input 0, 'z'"));
}

TEST(Names, AreRefusedForAnOutputThatNothingDefines) {
  ModelBuilder builder;
  builder.input("x", ElementType::Float32).output("y");
  EXPECT_THAT(error_of(builder), HasSubstr("output 'y': no node, input or initializer defines it"));
}

TEST(Names, AreRefusedWhenTwoNodesDefineThem) {
  ModelBuilder builder;
  builder.input("x", ElementType::Float32);
  builder.node("Relu", {"x"}, {"y"}, {}, "", "a").node("Relu", {"x"}, {"y"}, {}, "", "b");
  EXPECT_THAT(error_of(builder),
              HasSubstr("node 'b': 'y' is defined twice: it is already the output"));
}

TEST(Names, AreRefusedWhenANodeDefinesAnInputOrInitializer) {
  ModelBuilder input;
  input.input("x", ElementType::Float32).node("Relu", {"x"}, {"x"});
  EXPECT_THAT(error_of(input), HasSubstr("'x' is defined twice: it is already an input"));
  ModelBuilder initializer;
  initializer.initializer("w", {1}, std::vector<float>{1}).node("Relu", {"w"}, {"w"});
  EXPECT_THAT(error_of(initializer), HasSubstr("it is already an initializer"));
}

TEST(Names, AreRefusedForTwoInputsOrTwoInitializers) {
  ModelBuilder inputs;
  inputs.input("x", ElementType::Float32).input("x", ElementType::Float32);
  EXPECT_THAT(error_of(inputs), HasSubstr("input 'x': 'x' is defined twice"));
  ModelBuilder initializers;
  initializers.initializer("w", {1}, std::vector<float>{1});
  initializers.initializer("w", {1}, std::vector<float>{2});
  EXPECT_THAT(error_of(initializers), HasSubstr("'w' is defined twice"));
}

TEST(Names, OfNodesMayRepeatWithADiagnostic) {
  ModelBuilder builder;
  builder.input("x", ElementType::Float32);
  builder.node("Relu", {"x"}, {"a"}, {}, "", "n").node("Relu", {"x"}, {"b"}, {}, "", "n");
  builder.node("Relu", {"x"}, {"c"}, {}, "", "m");
  const Model model = builder.parse();
  ASSERT_THAT(codes(model), ElementsAre("duplicate_node_name"));
  EXPECT_EQ(model.diagnostics[0].place, "node 'n'");
  EXPECT_THAT(model.diagnostics[0].message, HasSubstr("2 nodes"));
}

TEST(Nodes, NeedAnOperator) {
  ModelBuilder builder;
  builder.input("x", ElementType::Float32).node("", {"x"}, {"y"}, {}, "", "n");
  EXPECT_THAT(error_of(builder), HasSubstr("node 'n': it has no operator"));
}

TEST(Nodes, UseTheDefaultDomainUnderBothItsNames) {
  ModelBuilder builder;
  builder.input("x", ElementType::Float32);
  builder.node("Relu", {"x"}, {"y"}, {}, "ai.onnx").node("F", {"x"}, {"z"}, {}, "d", "", "o");
  const Graph graph = builder.parse().graph;
  EXPECT_EQ(graph.nodes[0].domain, "");
  EXPECT_EQ(graph.nodes[1].domain, "d");
  EXPECT_EQ(graph.nodes[1].overload, "o");
}

TEST(NodeOrder, IsThatOfTheFileWhereItIsTopological) {
  ModelBuilder builder;
  builder.input("x", ElementType::Float32);
  builder.node("Relu", {"x"}, {"a"}, {}, "", "2").node("Relu", {"x"}, {"b"}, {}, "", "1");
  builder.node("Add", {"b", "a"}, {"c"}, {}, "", "0");
  const Model model = builder.parse();
  EXPECT_THAT(names_of_nodes(model.graph), ElementsAre("2", "1", "0"));
  EXPECT_THAT(model.diagnostics, IsEmpty());
}

TEST(NodeOrder, IsRepairedStablyWithAWarning) {
  ModelBuilder builder;
  builder.input("x", ElementType::Float32);
  builder.node("Add", {"b", "c"}, {"d"}, {}, "", "add");
  builder.node("Relu", {"x"}, {"a"}, {}, "", "first");
  builder.node("Relu", {"a"}, {"b"}, {}, "", "second");
  builder.node("Relu", {"x"}, {"c"}, {}, "", "third");
  builder.output("d");
  const Model model = builder.parse();
  EXPECT_THAT(codes(model), ElementsAre("nodes_not_in_order"));
  EXPECT_THAT(names_of_nodes(model.graph), ElementsAre("first", "second", "third", "add"));
  EXPECT_EQ(value_named(model.graph, "d").index, 3U);
  EXPECT_EQ(value_named(model.graph, "a").index, 0U);
}

TEST(NodeOrder, NamesTheNodesOfACycle) {
  ModelBuilder builder;
  builder.input("x", ElementType::Float32);
  builder.node("Relu", {"x"}, {"start"}, {}, "", "outside");
  builder.node("Add", {"start", "c"}, {"a"}, {}, "", "n1");
  builder.node("Relu", {"a"}, {"b"}, {}, "", "n2");
  builder.node("Relu", {"b"}, {"c"}, {}, "", "n3");
  builder.node("Relu", {"c"}, {"after"}, {}, "", "after");
  const std::string message = error_of(builder);
  EXPECT_THAT(message, AllOf(HasSubstr("cycle"), HasSubstr("node 'n1' needs node 'n3' needs node "
                                                           "'n2' needs node 'n1'")));
  EXPECT_THAT(message, testing::Not(HasSubstr("outside")));
}

TEST(NodeOrder, FindsANodeThatNeedsItself) {
  ModelBuilder builder;
  builder.node("Relu", {"a"}, {"a"}, {}, "", "n");
  EXPECT_THAT(error_of(builder), HasSubstr("node 'n' needs node 'n'"));
}

GraphBuilder branch_reading(const std::string& outer) {
  GraphBuilder branch("branch");
  branch.node("Relu", {outer}, {"inner"}).output("inner");
  return branch;
}

TEST(Subgraphs, TakeValuesOfTheGraphAroundThem) {
  ModelBuilder builder;
  builder.input("c", ElementType::Bool, {std::vector<test::DimSpec>{}});
  builder.input("x", ElementType::Float32);
  builder.node(
      "If", {"c"}, {"y"},
      {attr("then_branch", branch_reading("x")), attr("else_branch", branch_reading("x"))});
  const Graph graph = builder.parse().graph;
  const auto bodies = graph.nodes[0].bodies();
  ASSERT_EQ(bodies.size(), 2U);
  const Value& captured = value_named(*bodies[0], "x");
  EXPECT_EQ(captured.origin, Origin::OuterScope);
  EXPECT_EQ(graph.values[captured.index].name, "x");
  EXPECT_EQ(bodies[0]->values[bodies[0]->nodes[0].inputs[0]].name, "x");
  EXPECT_EQ(bodies[0]->values[bodies[0]->outputs[0]].name, "inner");
}

TEST(Subgraphs, TakeValuesThroughTheGraphsBetween) {
  GraphBuilder outer_branch("outer");
  outer_branch.node(
      "If", {"c"}, {"o"},
      {attr("then_branch", branch_reading("x")), attr("else_branch", branch_reading("x"))});
  outer_branch.output("o");
  ModelBuilder builder;
  builder.input("c", ElementType::Bool).input("x", ElementType::Float32);
  builder.node("If", {"c"}, {"y"},
               {attr("then_branch", outer_branch), attr("else_branch", outer_branch)});
  const Graph graph = builder.parse().graph;
  const Graph& middle = *graph.nodes[0].bodies()[0];
  const Graph& inner = *middle.nodes[0].bodies()[1];
  const Value& in_inner = value_named(inner, "x");
  ASSERT_EQ(in_inner.origin, Origin::OuterScope);
  const Value& in_middle = middle.values[in_inner.index];
  ASSERT_EQ(in_middle.origin, Origin::OuterScope);
  EXPECT_EQ(in_middle.name, "x");
  EXPECT_EQ(graph.values[in_middle.index].name, "x");
}

TEST(Subgraphs, MayShadowOuterNames) {
  GraphBuilder body("body");
  body.input("x").node("Relu", {"x"}, {"y"}).output("y");
  ModelBuilder builder;
  builder.input("x", ElementType::Float32);
  builder.node("Custom", {"x"}, {"y"}, {attr("body", body)}, "d");
  const Graph graph = builder.parse().graph;
  const Graph& inner = *graph.nodes[0].bodies()[0];
  EXPECT_EQ(value_named(inner, "x").origin, Origin::Input);
  EXPECT_EQ(value_named(inner, "y").origin, Origin::Node);
}

TEST(Subgraphs, CountForTheOrderOfTheNodesAroundThem) {
  ModelBuilder builder;
  builder.input("c", ElementType::Bool).input("x", ElementType::Float32);
  builder.node("If", {"c"}, {"y"},
               {attr("then_branch", branch_reading("h")), attr("else_branch", branch_reading("h"))},
               "", "if");
  builder.node("Relu", {"x"}, {"h"}, {}, "", "late");
  const Model model = builder.parse();
  EXPECT_THAT(names_of_nodes(model.graph), ElementsAre("late", "if"));
  EXPECT_THAT(codes(model), ElementsAre("nodes_not_in_order"));
}

TEST(Subgraphs, CannotReadTheOutputOfTheirOwnNode) {
  ModelBuilder builder;
  builder.input("c", ElementType::Bool);
  builder.node("If", {"c"}, {"y"},
               {attr("then_branch", branch_reading("y")), attr("else_branch", branch_reading("y"))},
               "", "if");
  EXPECT_THAT(error_of(builder), HasSubstr("node 'if' needs node 'if'"));
}

TEST(Subgraphs, NameThePlaceOfAnErrorFromTheOutside) {
  ModelBuilder builder;
  builder.input("c", ElementType::Bool);
  builder.node("If", {"c"}, {"y"}, {attr("then_branch", branch_reading("nowhere"))}, "", "if");
  EXPECT_THAT(
      error_of(builder),
      HasSubstr("node 'if', attribute 'then_branch', node #0 (Relu): its input 0, 'nowhere'"));
}

GraphBuilder nested(int levels) {
  GraphBuilder graph("leaf");
  for (int i = 0; i < levels; ++i) {
    GraphBuilder around("g");
    around.node("If", {}, {}, {attr("then_branch", graph)});
    graph = around;
  }
  return graph;
}

TEST(Subgraphs, AreRefusedBelow64Levels) {
  ModelBuilder deepest;
  deepest.node("If", {}, {}, {attr("then_branch", nested(63))});
  EXPECT_EQ(deepest.parse().graph.nodes.size(), 1U);
  ModelBuilder deeper;
  deeper.node("If", {}, {}, {attr("then_branch", nested(64))});
  EXPECT_THAT(error_of(deeper), HasSubstr("subgraphs are nested deeper than 64 levels"));
}

TEST(Diagnostics, OfOneKindAreCutAt100) {
  ModelBuilder builder;
  builder.input("x", ElementType::Float32);
  for (int i = 0; i < 120; ++i) {
    const std::string name = "n" + std::to_string(i);
    builder.node("Relu", {"x"}, {name + "a"}, {}, "", name);
    builder.node("Relu", {"x"}, {name + "b"}, {}, "", name);
  }
  const Model model = builder.parse();
  ASSERT_EQ(model.diagnostics.size(), 101U);
  EXPECT_THAT(model.diagnostics.back().message, HasSubstr("20 more"));
}

}  // namespace
}  // namespace headroom
