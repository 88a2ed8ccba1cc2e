// SPDX-License-Identifier: Apache-2.0
// What a part holds follows from the graphs below by hand: a value is an input where nothing in the
// part makes it, and given out where something outside of the part uses it.
#include <headroom/model/extract.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/extracted.h"

namespace headroom {
namespace {

using test::attr;
using test::bytes_of;
using test::FunctionBuilder;
using test::GraphBuilder;
using test::initializers;
using test::message_of;
using test::ModelBuilder;
using test::names_of;
using test::Texts;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
namespace fs = std::filesystem;

constexpr ElementType kF32 = ElementType::Float32;

using Extract = test::ExtractFixture;

/// x → a → t1 → b → t2 → c → y, and t1 → d → z. `b` reads a weight, and the constant `k`.
ModelBuilder chain() {
  ModelBuilder builder;
  builder.metadata("author", "someone")
      .input("x", kF32, {{"batch", 4}})
      .initializer("w", {4}, std::vector<float>{1, 2, 3, 4})
      .initializer("unused", {1}, std::vector<float>{7})
      .node("Relu", {"x"}, {"t1"}, {}, "", "a")
      .node("Constant", {}, {"k"}, {attr("value", test::float_tensor("", {}, {2}))})
      .node("Sum", {"t1", "w", "k"}, {"t2"}, {}, "", "b")
      .node("Neg", {"t2"}, {"y"}, {}, "", "c")
      .node("Abs", {"t1"}, {"z"})
      .output("y", kF32)
      .output("z", kF32);
  return builder;
}

TEST_F(Extract, TakesANodeWithTheWeightsAndConstantsThatItReads) {
  const Model part = by_node(chain(), {"b"});
  EXPECT_THAT(node_labels(part.graph), ElementsAre("k", "b"));
  EXPECT_THAT(names_of(part.graph, part.graph.inputs), ElementsAre("t1"));
  EXPECT_THAT(names_of(part.graph, part.graph.outputs), ElementsAre("t2"));
  EXPECT_THAT(initializers(part.graph), ElementsAre("w"));
  EXPECT_EQ(part.ir_version, 10);
  EXPECT_EQ(part.opset(), 21);
  EXPECT_EQ(part.metadata.at("author"), "someone");
  EXPECT_THAT(part.diagnostics, IsEmpty());
}

TEST_F(Extract, CopiesTheBytesOfNodesAndInitializers) {
  const Model model = loaded(chain());
  const Model part = written(model, part_of(model.graph, nodes_named(model, Texts{"b"})));
  EXPECT_EQ(bytes_of(part.graph.nodes.at(1).message), bytes_of(model.graph.nodes.at(2).message));
  EXPECT_EQ(bytes_of(part.graph.initializers.at(0).message),
            bytes_of(model.graph.initializers.at(0).message));
}

TEST_F(Extract, GivesInputsTheInferredTypeAndKeepsSymbols) {
  const Model part = by_node(chain(), {"b"});
  const ValueType& type = part.graph.values.at(part.graph.inputs.at(0)).type;
  EXPECT_EQ(type.element, kF32);
  ASSERT_TRUE(type.shape);
  EXPECT_EQ(*type.shape, (Shape{{std::nullopt, "batch"}, {4, ""}}));
}

TEST_F(Extract, NamesComputedDimensionsAnewAndEqualOnesTheSame) {
  ModelBuilder builder;
  builder.input("x", kF32, {{"n", 2}})
      .node("Concat", {"x", "x"}, {"t"}, {attr("axis", 0)}, "", "twice")
      .node("Neg", {"t"}, {"u"}, {}, "", "n")
      .node("Add", {"t", "u"}, {"y"}, {}, "", "sum")
      .output("y", kF32);
  const Model part = by_node(builder, {"sum"});
  for (const ValueId id : part.graph.inputs)
    EXPECT_EQ(part.graph.values.at(id).type.shape->at(0).symbol, "t.dim0");
}

TEST_F(Extract, GivesOutWhatIsUsedOutside) {
  // t1 is read by `b` inside of the part and by `Abs` outside of it.
  const Model part = by_node(chain(), {"a,b"});
  EXPECT_THAT(names_of(part.graph, part.graph.inputs), ElementsAre("x"));
  EXPECT_THAT(names_of(part.graph, part.graph.outputs), ElementsAre("t1", "t2"));
}

TEST_F(Extract, GivesOutWhatIsMadeWhereNothingIsUsedOutside) {
  ModelBuilder builder;
  builder.input("x", kF32, {{2}})
      .node("Relu", {"x"}, {"y"}, {}, "", "used")
      .node("Relu", {"x"}, {"t"}, {}, "", "first")
      .node("Neg", {"t"}, {"dead"}, {}, "", "second")
      .output("y", kF32);
  const Model part = by_node(builder, {"first", "second"});
  EXPECT_THAT(names_of(part.graph, part.graph.outputs), ElementsAre("dead"));
}

TEST_F(Extract, AddressesNodesWithoutANameByTheirFirstOutput) {
  for (const char* address : {"z", "Abs of z"}) {
    const Model part = by_node(chain(), {address});
    EXPECT_EQ(part.graph.nodes.at(0).op, "Abs") << address;
  }
}

TEST_F(Extract, TakesNamesWithCommasAsTheyAre) {
  ModelBuilder builder;
  builder.input("x", kF32, {{2}})
      .node("Relu", {"x"}, {"t"}, {}, "", "a,b")
      .node("Neg", {"t"}, {"y"}, {}, "", "a")
      .output("y", kF32);
  EXPECT_EQ(by_node(builder, {"a,b"}).graph.nodes.at(0).op, "Relu");
  EXPECT_EQ(by_node(builder, {"a,t"}).graph.nodes.size(), 2U);
}

TEST_F(Extract, TakesWhatLiesBetweenValues) {
  const Model part = between(chain(), {"t1"}, {"y"});
  EXPECT_THAT(node_labels(part.graph), ElementsAre("k", "b", "c"));
  EXPECT_THAT(names_of(part.graph, part.graph.inputs), ElementsAre("t1"));
  EXPECT_THAT(names_of(part.graph, part.graph.outputs), ElementsAre("y"));
  const Model ends = between(chain(), {"t2"}, {});
  EXPECT_THAT(node_labels(ends.graph), ElementsAre("a", "c", "z"));
  EXPECT_THAT(names_of(ends.graph, ends.graph.inputs), UnorderedElementsAre("x", "t2"));
}

TEST_F(Extract, CutsAtWeightsAndConstantsThatAreNamed) {
  const Model part = between(chain(), {"w", "k"}, {"t2"});
  EXPECT_THAT(node_labels(part.graph), ElementsAre("a", "b"));
  EXPECT_THAT(names_of(part.graph, part.graph.inputs), UnorderedElementsAre("x", "w", "k"));
  EXPECT_THAT(initializers(part.graph), IsEmpty());
}

TEST_F(Extract, SortsNodesThatAreNotInOrder) {
  ModelBuilder builder;
  builder.input("x", kF32, {{2}})
      .node("Neg", {"t"}, {"y"}, {}, "", "second")
      .node("Relu", {"x"}, {"t"}, {}, "", "first")
      .output("y", kF32);
  const Model part = by_node(builder, {"second", "first"});
  EXPECT_THAT(node_labels(part.graph), ElementsAre("first", "second"));
  EXPECT_THAT(part.diagnostics, IsEmpty());
}

TEST_F(Extract, KeepsOmittedInputsAndOutputs) {
  ModelBuilder builder;
  builder.input("x", kF32, {{1, 2, 3}})
      .input("roi", kF32, {{0}})
      .initializer("s", {3}, std::vector<float>{1, 1, 2})
      .node("Resize", {"x", "", "s"}, {"r"}, {}, "", "resize")
      .node("Dropout", {"r"}, {"", "mask"}, {}, "", "drop")
      .output("r", kF32)
      .output("mask", ElementType::Bool);
  const Model resize = by_node(builder, {"resize"});
  EXPECT_EQ(resize.graph.nodes.at(0).inputs.at(1), kNoValue);
  EXPECT_THAT(names_of(resize.graph, resize.graph.inputs), ElementsAre("x"));
  const Model drop = by_node(builder, {"mask"});
  EXPECT_EQ(drop.graph.nodes.at(0).outputs.at(0), kNoValue);
  EXPECT_THAT(names_of(drop.graph, drop.graph.outputs), ElementsAre("mask"));
}

TEST_F(Extract, MakesInputsOfWhatBodiesSeeOutsideOfThem) {
  GraphBuilder inner("inner");
  inner.node("Mul", {"t", "w"}, {"i"}).output("i", kF32);
  GraphBuilder then_branch("then");
  // The value is seen by a body inside of the body.
  then_branch.node("If", {"c"}, {"m"}, {attr("then_branch", inner), attr("else_branch", inner)})
      .output("m", kF32);
  GraphBuilder else_branch("else");
  else_branch.node("Add", {"x", "k"}, {"e"}).output("e", kF32);
  ModelBuilder builder;
  builder.input("x", kF32, {{2}})
      .input("c", ElementType::Bool, test::DimsSpec{std::vector<test::DimSpec>{}})
      .initializer("w", {2}, std::vector<float>{1, 2})
      .node("Constant", {}, {"k"}, {attr("value", test::float_tensor("", {}, {2}))})
      .node("Relu", {"x"}, {"t"}, {}, "", "relu")
      .node("If", {"c"}, {"y"},
            {attr("then_branch", then_branch), attr("else_branch", else_branch)}, "", "choice")
      .output("y", kF32);
  const Model part = by_node(builder, {"choice"});
  EXPECT_THAT(node_labels(part.graph), ElementsAre("k", "choice"));
  EXPECT_THAT(names_of(part.graph, part.graph.inputs), UnorderedElementsAre("c", "t", "x"));
  EXPECT_THAT(initializers(part.graph), ElementsAre("w"));
  // The other way round: what only a body reads is used outside.
  EXPECT_THAT(names_of(part.graph, by_node(builder, {"relu"}).graph.outputs).size(), 1U);
}

TEST_F(Extract, TakesTheFunctionsThatAreCalled) {
  const FunctionBuilder inner = FunctionBuilder("local", "Inner")
                                    .inputs({"a"})
                                    .outputs({"b"})
                                    .opset("", 21)
                                    .node("Neg", {"a"}, {"b"});
  const FunctionBuilder outer = FunctionBuilder("local", "Outer")
                                    .inputs({"a"})
                                    .outputs({"b"})
                                    .opset("", 21)
                                    .opset("local", 1)
                                    .node("Inner", {"a"}, {"b"}, {}, "local");
  const FunctionBuilder other = FunctionBuilder("local", "Other")
                                    .inputs({"a"})
                                    .outputs({"b"})
                                    .opset("", 21)
                                    .node("Abs", {"a"}, {"b"});
  ModelBuilder builder;
  builder.opset("", 21).opset("local", 1).function(inner).function(outer).function(other);
  builder.input("x", kF32, {{2}})
      .node("Outer", {"x"}, {"t"}, {}, "local", "call")
      .node("Other", {"t"}, {"y"}, {}, "local", "last")
      .output("y", kF32);
  const Model part = by_node(builder, {"call"});
  Texts functions;
  for (const Function& function : part.functions) functions.push_back(function.name);
  EXPECT_THAT(functions, ElementsAre("Inner", "Outer"));
  EXPECT_EQ(part.opset("local"), 1);
  // Types of values that only a function makes are inferred through it.
  const Model last = by_node(builder, {"last"});
  EXPECT_EQ(*last.graph.values.at(last.graph.inputs.at(0)).type.shape, (Shape{{2, ""}}));
  EXPECT_THAT(usage_error(builder, {"call/Inner_0"}),
              HasSubstr("in the function that is called by 'call'"));
}

TEST_F(Extract, ListsInitializersThatACallerMayReplace) {
  ModelBuilder builder;
  builder.ir_version(3)
      .input("x", kF32, {{2}})
      .input("w", kF32, {{2}})
      .initializer("w", {2}, std::vector<float>{1, 2})
      .node("Add", {"x", "w"}, {"y"}, {}, "", "add")
      .output("y", kF32);
  const Model part = by_node(builder, {"add"});
  EXPECT_THAT(names_of(part.graph, part.graph.inputs), UnorderedElementsAre("x", "w"));
  EXPECT_THAT(names_of(part.graph, part.graph.required_inputs()), ElementsAre("x"));
}

TEST_F(Extract, TakesSparseInitializers) {
  ModelBuilder builder;
  builder.input("x", kF32, {{3}})
      .sparse_initializer(test::sparse_tensor(test::float_tensor("s", {1}, {5}),
                                              test::int64_tensor("", {1}, {2}), {3}))
      .node("Add", {"x", "s"}, {"y"}, {}, "", "add")
      .output("y", kF32);
  const Model part = by_node(builder, {"add"});
  ASSERT_EQ(part.graph.sparse_initializers.size(), 1U);
  EXPECT_THAT(names_of(part.graph, part.graph.inputs), ElementsAre("x"));
}

TEST_F(Extract, RefusesAnInputWhoseTypeIsNotKnown) {
  ModelBuilder builder;
  builder.opset("", 21).opset("custom", 1);
  builder.input("x", kF32, {{2}})
      .node("Strange", {"x"}, {"t"}, {}, "custom", "strange")
      .node("Relu", {"t"}, {"y"}, {}, "", "relu")
      .output("y", kF32);
  const Model model = loaded(builder);
  const Part part = part_of(model.graph, nodes_named(model, Texts{"relu"}));
  EXPECT_THAT(message_of(ErrorKind::Unsupported, [&] { write_part(model, part, output()); }),
              HasSubstr("take the node that makes it along: strange"));
  EXPECT_FALSE(fs::exists(output()));
  const Part first = part_of(model.graph, nodes_named(model, Texts{"strange"}));
  EXPECT_THAT(write_part(model, first, output()).incomplete, ElementsAre("t"));
}

TEST_F(Extract, WritesTypesOfEveryKind) {
  const test::TypeSpec pairs = test::map_type(ElementType::Int64, test::tensor_type(kF32, {{2}}));
  ModelBuilder builder;
  builder.opset("", 21).opset("custom", 1);
  builder.input("s", test::sequence_type(test::tensor_type(kF32, {{"n", 3}})))
      .input("o", test::optional_type(test::tensor_type(ElementType::Int64)))
      .input("m", pairs)
      .input("p", test::sparse_tensor_type(kF32, {{4}}))
      .node("Strange", {"s", "o", "m", "p"}, {"y"}, {}, "custom", "strange")
      .output("y", kF32);
  const Model model = loaded(builder);
  const Model part = written(model, part_of(model.graph, nodes_named(model, Texts{"strange"})));
  ASSERT_EQ(part.graph.inputs.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const ValueType& was = model.graph.values.at(model.graph.inputs[i]).type;
    const ValueType& is = part.graph.values.at(part.graph.inputs[i]).type;
    EXPECT_EQ(is.kind, was.kind);
    EXPECT_EQ(is.element, was.element);
    EXPECT_EQ(is.inner.size(), was.inner.size());
    EXPECT_EQ(is.shape, was.shape);
    if (!was.inner.empty()) {
      EXPECT_EQ(is.inner[0].element, was.inner[0].element);
      EXPECT_EQ(is.inner[0].shape, was.inner[0].shape);
    }
  }
}

TEST_F(Extract, SuggestsTheNearestName) {
  EXPECT_THAT(usage_error(chain(), {"t11"}), HasSubstr("did you mean 't1'?"));
  EXPECT_THAT(usage_error(chain(), {"a,quite different"}), HasSubstr("inspect --nodes"));
  EXPECT_THAT(usage_error(chain(), {""}), HasSubstr("no node ''"));
  const Model model = loaded(chain());
  EXPECT_THAT(message_of(ErrorKind::Usage, [&] { part_between(model.graph, Texts{"unusd"}, {}); }),
              HasSubstr("--from: the model has no value 'unusd'; did you mean 'unused'?"));
}

TEST_F(Extract, RefusesCutsThatCutNothing) {
  const Model model = loaded(chain());
  const auto error = [&](const Texts& from, const Texts& to) {
    return message_of(ErrorKind::Usage, [&] { part_between(model.graph, from, to); });
  };
  EXPECT_THAT(error({"t2"}, {"t1"}), HasSubstr("'t2' is not needed"));
  EXPECT_THAT(error({}, {"x"}), HasSubstr("'x' is an input of the model"));
  EXPECT_THAT(error({}, {"w"}), HasSubstr("'w' is an initializer of the model"));
  EXPECT_THAT(message_of(ErrorKind::Usage, [&] { part_of(model.graph, {}); }),
              HasSubstr("no node is chosen"));
}

TEST_F(Extract, RefusesACutThroughTheOutputsOfOneNode) {
  ModelBuilder builder;
  builder.input("x", kF32, {{4}})
      .node("Split", {"x"}, {"l", "r"}, {attr("num_outputs", 2)}, "", "split")
      .node("Add", {"l", "r"}, {"y"}, {}, "", "add")
      .output("y", kF32);
  const Model model = loaded(builder);
  EXPECT_THAT(message_of(ErrorKind::Usage, [&] { part_between(model.graph, Texts{"l"}, {}); }),
              HasSubstr("the node that makes it ('split')"));
  EXPECT_THAT(node_labels(between(builder, {"l,r"}, {}).graph), ElementsAre("add"));
}

TEST_F(Extract, RefusesNamesThatSeveralNodesHave) {
  ModelBuilder builder;
  builder.input("x", kF32, {{4}})
      .node("Relu", {"x"}, {"t"}, {}, "", "same")
      .node("Neg", {"t"}, {"y"}, {}, "", "same")
      .output("y", kF32);
  EXPECT_THAT(usage_error(builder, {"same"}), HasSubstr("2 nodes have the name 'same'"));
  EXPECT_EQ(by_node(builder, {"y"}).graph.nodes.at(0).op, "Neg");
  EXPECT_THAT(node_labels(loaded(builder).graph), ElementsAre("t", "y"));
}

}  // namespace
}  // namespace headroom
