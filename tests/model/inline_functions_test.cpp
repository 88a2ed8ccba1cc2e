// SPDX-License-Identifier: Apache-2.0
// What a call becomes follows from the ONNX specification (IR.md, functions) and is written out by
// hand.
#include <headroom/model/model.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/model_builder.h"
#include "support/thrown.h"

namespace headroom {
namespace {

using test::attr;
using test::FunctionBuilder;
using test::GraphBuilder;
using test::message_of;
using test::ModelBuilder;
using testing::ElementsAre;
using testing::HasSubstr;

Model inlined(const ModelBuilder& builder) {
  Model model = builder.parse();
  inline_functions(model);
  return model;
}

std::string error_of(const ModelBuilder& builder, ErrorKind kind = ErrorKind::BadInput) {
  Model model = builder.parse();
  return message_of(kind, [&] { inline_functions(model); });
}

/// `op(input, …) -> output, …` of each node.
std::vector<std::string> lines(const Graph& graph) {
  const auto text = [&](const std::vector<ValueId>& ids) {
    std::string names;
    for (const ValueId id : ids) {
      names += (names.empty() ? "" : ",") + (id == kNoValue ? "-" : graph.values.at(id).name);
    }
    return names;
  };
  std::vector<std::string> found;
  for (const Node& node : graph.nodes) {
    found.push_back(node.name + ": " + node.op + "(" + text(node.inputs) + ") -> " +
                    text(node.outputs));
  }
  return found;
}

void expect_indices_are_right(const Graph& graph) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (const ValueId id : graph.nodes[i].outputs) {
      if (id == kNoValue) continue;
      EXPECT_EQ(graph.values.at(id).origin, Origin::Node);
      EXPECT_EQ(graph.values.at(id).index, i);
    }
  }
}

/// b = Relu(Neg(a))
FunctionBuilder neg_relu() {
  return FunctionBuilder("local", "NegRelu")
      .inputs({"a"})
      .outputs({"b"})
      .opset("", 21)
      .node("Neg", {"a"}, {"t"}, {}, "", "neg")
      .node("Relu", {"t"}, {"b"}, {}, "", "relu");
}

ModelBuilder model_with(const std::vector<FunctionBuilder>& functions) {
  ModelBuilder builder;
  builder.opset("", 21).opset("local", 1);
  for (const FunctionBuilder& function : functions) builder.function(function);
  builder.input("x", ElementType::Float32);
  return builder;
}

TEST(InlineFunctions, ReplacesACallByItsBody) {
  ModelBuilder builder = model_with({neg_relu()});
  builder.node("Abs", {"x"}, {"h"}, {}, "", "abs");
  builder.node("NegRelu", {"h"}, {"y"}, {}, "local", "call");
  builder.node("Exp", {"y"}, {"z"}, {}, "", "exp");
  const Model model = inlined(builder);
  EXPECT_THAT(lines(model.graph), ElementsAre("abs: Abs(x) -> h", "call/neg: Neg(h) -> call/t",
                                              "call/relu: Relu(call/t) -> y", "exp: Exp(y) -> z"));
  expect_indices_are_right(model.graph);
  EXPECT_TRUE(model.functions.empty());
  EXPECT_TRUE(model.diagnostics.empty());
}

TEST(InlineFunctions, KeepsNamesApartWhenAFunctionIsCalledTwice) {
  ModelBuilder builder = model_with({neg_relu()});
  builder.node("NegRelu", {"x"}, {"h"}, {}, "local", "c");
  builder.node("NegRelu", {"h"}, {"y"}, {}, "local", "c");
  builder.node("NegRelu", {"y"}, {"z"}, {}, "local");
  EXPECT_THAT(
      lines(inlined(builder).graph),
      ElementsAre("c/neg: Neg(x) -> c/t", "c/relu: Relu(c/t) -> h", "c/neg: Neg(h) -> c/t_2",
                  "c/relu: Relu(c/t_2) -> y", "NegRelu_2/neg: Neg(y) -> NegRelu_2/t",
                  "NegRelu_2/relu: Relu(NegRelu_2/t) -> z"));
}

TEST(InlineFunctions, ReplacesCallsInFunctionsAndInSubgraphs) {
  FunctionBuilder outer("local", "Outer");
  outer.inputs({"p"}).outputs({"q"}).opset("", 21).opset("local", 1);
  outer.node("NegRelu", {"p"}, {"q"}, {}, "local", "in");
  GraphBuilder branch("branch");
  branch.node("Outer", {"x"}, {"r"}, {}, "local", "call").output("r");
  ModelBuilder builder = model_with({outer, neg_relu()});
  builder.input("c", ElementType::Bool);
  builder.node("If", {"c"}, {"y"}, {attr("then_branch", branch)}, "", "if");
  const Model model = inlined(builder);
  const Graph& body = *model.graph.nodes.at(0).bodies().at(0);
  EXPECT_THAT(lines(body), ElementsAre("call/in/neg: Neg(x) -> call/in/t",
                                       "call/in/relu: Relu(call/in/t) -> r"));
  expect_indices_are_right(body);
}

TEST(InlineFunctions, BindsAttributesFromTheCallThenTheDefaultThenDropsThem) {
  FunctionBuilder function("local", "F");
  function.inputs({"a"}).outputs({"b"}).opset("", 21).attribute("given").attribute("absent");
  function.default_attribute(attr("fallback", 3));
  function.node("Op", {"a"}, {"b"},
                {test::reference("one", "given", 2), test::reference("two", "fallback", 2),
                 test::reference("three", "absent", 2), attr("four", 4)});
  ModelBuilder builder = model_with({function});
  builder.node("F", {"x"}, {"y"}, {attr("given", 1)}, "local", "call");
  const Model model = inlined(builder);
  const Node& node = model.graph.nodes.at(0);
  EXPECT_EQ(node.integer("one", 0), 1);
  EXPECT_EQ(node.integer("two", 0), 3);
  EXPECT_EQ(node.find("three"), nullptr);
  EXPECT_EQ(node.integer("four", 0), 4);
}

TEST(InlineFunctions, UsesTheInnerDefaultWhereTheOuterCallLeavesTheAttributeOut) {
  FunctionBuilder inner("local", "Inner");
  inner.inputs({"a"}).outputs({"b"}).opset("", 21).default_attribute(attr("k", 7));
  inner.node("Op", {"a"}, {"b"}, {test::reference("k", "k", 2)});
  FunctionBuilder outer("local", "Outer");
  outer.inputs({"a"}).outputs({"b"}).opset("local", 1).attribute("n");
  outer.node("Inner", {"a"}, {"b"}, {test::reference("k", "n", 2)}, "local");
  ModelBuilder builder = model_with({inner, outer});
  builder.node("Outer", {"x"}, {"y"}, {attr("n", 5)}, "local");
  builder.node("Outer", {"x"}, {"z"}, {}, "local");
  const Model model = inlined(builder);
  EXPECT_EQ(model.graph.nodes.at(0).integer("k", 0), 5);
  EXPECT_EQ(model.graph.nodes.at(1).integer("k", 0), 7);
}

TEST(InlineFunctions, OmitsParametersThatTheCallLeavesOut) {
  FunctionBuilder function("local", "F");
  function.inputs({"a", "min"}).outputs({"b", "unused"}).opset("", 21);
  function.node("Clip", {"a", "min"}, {"b"}, {}, "", "clip");
  function.node("Relu", {"b"}, {"unused"}, {}, "", "relu");
  ModelBuilder builder = model_with({function});
  builder.node("F", {"x"}, {"y"}, {}, "local", "call");
  EXPECT_THAT(lines(inlined(builder).graph),
              ElementsAre("call/clip: Clip(x,-) -> y", "call/relu: Relu(y) -> call/unused"));
}

TEST(InlineFunctions, OmitsThemInSubgraphsToo) {
  GraphBuilder branch("branch");
  branch.node("Clip", {"a", "min"}, {"r"}).output("r");
  FunctionBuilder function("local", "F");
  function.inputs({"c", "min", "a"}).outputs({"b"}).opset("", 21);
  function.node("If", {"c"}, {"b"}, {attr("then_branch", branch)}, "", "if");
  ModelBuilder builder = model_with({function});
  builder.input("c", ElementType::Bool);
  builder.node("F", {"c", "", "x"}, {"y"}, {}, "local", "call");
  const Model model = inlined(builder);
  const Graph& body = *model.graph.nodes.at(0).bodies().at(0);
  EXPECT_THAT(lines(body), ElementsAre(": Clip(a,-) -> r"));
  const Value& a = body.values.at(body.nodes[0].inputs[0]);
  ASSERT_EQ(a.origin, Origin::OuterScope);
  EXPECT_EQ(model.graph.values.at(a.index).name, "x");
}

TEST(InlineFunctions, GivesOutAParameterOrAValueTwiceThroughIdentity) {
  FunctionBuilder function("local", "F");
  function.inputs({"a"}).outputs({"a", "b", "b"}).opset("", 21);
  function.node("Relu", {"a"}, {"b"}, {}, "", "relu");
  ModelBuilder builder = model_with({function});
  builder.node("F", {"x"}, {"p", "q", "r"}, {}, "local", "call");
  const Model model = inlined(builder);
  EXPECT_THAT(lines(model.graph), ElementsAre("call/relu: Relu(x) -> q", "call/a: Identity(x) -> p",
                                              "call/b: Identity(q) -> r"));
  expect_indices_are_right(model.graph);
}

TEST(InlineFunctions, DistinguishesOverloadsAndDomains) {
  FunctionBuilder one("local", "F", "1");
  one.inputs({"a"}).outputs({"b"}).opset("", 21).node("Neg", {"a"}, {"b"}, {}, "", "n");
  FunctionBuilder two("local", "F", "2");
  two.inputs({"a"}).outputs({"b"}).opset("", 21).node("Exp", {"a"}, {"b"}, {}, "", "e");
  ModelBuilder builder = model_with({one, two});
  builder.node("F", {"x"}, {"p"}, {}, "local", "a", "2").node("F", {"x"}, {"q"}, {}, "", "b");
  EXPECT_THAT(lines(inlined(builder).graph), ElementsAre("a/e: Exp(x) -> p", "b: F(x) -> q"));
}

TEST(InlineFunctions, WarnsWhereAFunctionIsWrittenForOtherOperators) {
  FunctionBuilder function = neg_relu();
  function.opset("", 13).opset("com.microsoft", 1);
  ModelBuilder builder = model_with({function});
  builder.node("NegRelu", {"x"}, {"y"}, {}, "local").node("NegRelu", {"y"}, {"z"}, {}, "local");
  const Model model = inlined(builder);
  ASSERT_EQ(model.diagnostics.size(), 1U);
  EXPECT_EQ(model.diagnostics[0].code, "function_opset_differs");
  EXPECT_EQ(model.opset("com.microsoft"), 1);
}

TEST(InlineFunctions, RefusesAFunctionThatCallsItself) {
  FunctionBuilder function("local", "F");
  function.inputs({"a"}).outputs({"b"}).node("F", {"a"}, {"b"}, {}, "local");
  ModelBuilder builder = model_with({function});
  builder.node("F", {"x"}, {"y"}, {}, "local");
  EXPECT_THAT(error_of(builder), HasSubstr("function 'F' calls itself"));
}

TEST(InlineFunctions, RefusesFunctionsThatCallEachOtherInACircle) {
  FunctionBuilder f("local", "F");
  f.inputs({"a"}).outputs({"b"}).node("G", {"a"}, {"b"}, {}, "local");
  FunctionBuilder g("local", "G");
  g.inputs({"a"}).outputs({"b"}).node("F", {"a"}, {"b"}, {}, "local");
  ModelBuilder builder = model_with({f, g});
  builder.node("F", {"x"}, {"y"}, {}, "local");
  EXPECT_THAT(error_of(builder), HasSubstr("function 'F' calls itself through others"));
}

TEST(InlineFunctions, RefusesMoreParametersThanTheFunctionHas) {
  ModelBuilder inputs = model_with({neg_relu()});
  inputs.node("NegRelu", {"x", "x"}, {"y"}, {}, "local", "call");
  EXPECT_THAT(error_of(inputs), HasSubstr("node 'call': the call has 2 inputs and 1 outputs, "
                                          "function 'NegRelu' has 1 and 1"));
  ModelBuilder outputs = model_with({neg_relu()});
  outputs.node("NegRelu", {"x"}, {"y", "z"}, {}, "local", "call");
  EXPECT_THAT(error_of(outputs), HasSubstr("the call has 1 inputs and 2 outputs"));
}

TEST(InlineFunctions, StopsWhereFunctionsGrowWithoutMeasure) {
  // Each of 40 functions calls the next ten times: 10^40 nodes from a few kilobytes.
  std::vector<FunctionBuilder> functions;
  for (int level = 0; level < 40; ++level) {
    FunctionBuilder function("local", "F" + std::to_string(level));
    function.inputs({"a"}).outputs({"v9"}).opset("", 21);
    const std::string inner = "F" + std::to_string(level + 1);
    for (int i = 0; i < 10; ++i) {
      function.node(inner, {i == 0 ? "a" : "v" + std::to_string(i - 1)}, {"v" + std::to_string(i)},
                    {}, "local");
    }
    functions.push_back(function);
  }
  ModelBuilder builder = model_with(functions);
  builder.node("F0", {"x"}, {"y"}, {}, "local");
  EXPECT_THAT(error_of(builder, ErrorKind::Limit), HasSubstr("expand to more than 256 MiB"));
}

}  // namespace
}  // namespace headroom
