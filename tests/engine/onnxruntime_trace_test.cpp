// SPDX-License-Identifier: Apache-2.0
// Optimised graphs as ONNX Runtime 1.32 saves them, traced back by hand.
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "engine/onnxruntime/node_trace.h"
#include "support/model_builder.h"

namespace headroom::onnxruntime {
namespace {

using test::attr;
using test::GraphBuilder;
using test::ModelBuilder;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr ElementType kFloat = ElementType::Float32;
constexpr const char* kBlocked = "com.microsoft.nchwc";

ExecutedGraph trace(const ModelBuilder& file, const ModelBuilder& optimized) {
  Model before = file.parse();
  Model after = optimized.parse();
  infer_shapes(before, {});
  infer_shapes(after, {});
  return trace_nodes(before.graph, after.graph);
}

// `OP ROLE: ORIGINALS`.
std::vector<std::string> lines(const ExecutedGraph& traced) {
  std::vector<std::string> texts;
  for (const ExecutedNode& node : traced.nodes) {
    std::string text = node.op + " " + std::string(to_string(node.role)) + ":";
    for (const std::string& original : node.originals) text += " " + original;
    texts.push_back(text);
  }
  return texts;
}

// a = Conv, b = Relu, c = Conv, d = Add of both branches, e = Relu.
ModelBuilder residual() {
  ModelBuilder model;
  model.input("x", kFloat, {{1, 8, 4, 4}})
      .initializer("w1", {8, 8, 1, 1}, std::vector<float>(64, 1))
      .initializer("w2", {8, 8, 1, 1}, std::vector<float>(64, 2))
      .node("Conv", {"x", "w1"}, {"a"}, {}, "", "conv1")
      .node("Relu", {"a"}, {"b"}, {}, "", "relu1")
      .node("Conv", {"b", "w2"}, {"c"}, {}, "", "conv2")
      .node("Add", {"c", "b"}, {"d"}, {}, "", "add")
      .node("Relu", {"d"}, {"e"}, {}, "", "relu2")
      .output("e", kFloat);
  return model;
}

TEST(TraceNodes, KeepsNodesThatAreAsInTheFile) {
  const ExecutedGraph traced = trace(residual(), residual());
  EXPECT_THAT(lines(traced), ElementsAre("Conv kept: conv1", "Relu kept: relu1", "Conv kept: conv2",
                                         "Add kept: add", "Relu kept: relu2"));
  EXPECT_EQ(traced.file_nodes, 5U);
  EXPECT_THAT(traced.folded, IsEmpty());
  EXPECT_THAT(traced.removed, IsEmpty());
}

TEST(TraceNodes, FindsWhatAFusedNodeStandsFor) {
  ModelBuilder optimized;
  optimized.input("x", kFloat, {{1, 8, 4, 4}})
      .initializer("w1", {8, 8, 1, 1}, std::vector<float>(64, 1))
      .initializer("w2", {8, 8, 1, 1}, std::vector<float>(64, 2))
      .node("FusedConv", {"x", "w1"}, {"b"}, {attr("activation", "Relu")}, "com.microsoft")
      .node("FusedConv", {"b", "w2", "", "b"}, {"e"}, {attr("activation", "Relu")}, "com.microsoft")
      .output("e", kFloat);
  EXPECT_THAT(lines(trace(residual(), optimized)),
              ElementsAre("FusedConv fused: conv1 relu1", "FusedConv fused: conv2 add relu2"));
}

// The blocked node is named after its Conv; the sum and the activation that it took over are told
// by its fourth input and its attribute alone.
TEST(TraceNodes, FollowsABlockedConvolutionPastItsName) {
  ModelBuilder optimized;
  optimized.input("x", kFloat, {{1, 8, 4, 4}})
      .initializer("reorder", {8, 8, 1, 1}, std::vector<float>(64, 1))
      .initializer("reorder_token_2", {8, 8, 1, 1}, std::vector<float>(64, 2))
      .node("ReorderInput", {"x"}, {"reorder_token_0"}, {}, kBlocked, "ReorderInput")
      .node("Conv", {"reorder_token_0", "reorder"}, {"reorder_token_1"},
            {attr("activation", "Relu")}, kBlocked, "a_nchwc")
      .node("Conv", {"reorder_token_1", "reorder_token_2", "", "reorder_token_1"},
            {"reorder_token_3"}, {attr("activation", "Relu")}, kBlocked, "c_nchwc")
      .node("ReorderOutput", {"reorder_token_3"}, {"e"}, {}, kBlocked, "ReorderOutput")
      .output("e", kFloat);
  const ExecutedGraph traced = trace(residual(), optimized);
  EXPECT_THAT(lines(traced), ElementsAre("ReorderInput inserted:", "Conv fused: conv1 relu1",
                                         "Conv fused: conv2 add relu2", "ReorderOutput inserted:"));
  EXPECT_EQ(traced.nodes[1].layout, "NCHWc");
  EXPECT_EQ(traced.nodes[3].layout, "");
}

TEST(TraceNodes, TellsFoldedFromRemovedNodes) {
  ModelBuilder file;
  file.input("x", kFloat, {{2, 3}})
      .initializer("w", {3}, std::vector<float>{1, 2, 3})
      .node("Neg", {"w"}, {"negated"}, {}, "", "of_weights")
      .node("Identity", {"x"}, {"same"}, {}, "", "without_effect")
      .node("Mul", {"same", "negated"}, {"y"}, {}, "", "product")
      .node("Shape", {"x"}, {"shape"}, {}, "", "shape_of")
      .node("Mul", {"shape", "one"}, {"sizes"}, {}, "", "of_known_shape")
      .initializer("one", {1}, std::vector<std::int64_t>{1})
      .node("Reshape", {"y", "sizes"}, {"z"}, {}, "", "reshape")
      .node("Exp", {"x"}, {"unused"}, {}, "", "dead")
      .output("z", kFloat);
  ModelBuilder optimized;
  optimized.input("x", kFloat, {{2, 3}})
      .initializer("negated", {3}, std::vector<float>{-1, -2, -3})
      .initializer("sizes", {2}, std::vector<std::int64_t>{2, 3})
      .node("Mul", {"x", "negated"}, {"y"}, {}, "", "product")
      .node("Reshape", {"y", "sizes"}, {"z"}, {}, "", "reshape")
      .output("z", kFloat);
  const ExecutedGraph traced = trace(file, optimized);
  EXPECT_THAT(lines(traced), ElementsAre("Mul kept: product", "Reshape kept: reshape"));
  EXPECT_THAT(traced.folded, ElementsAre("of_weights", "shape_of", "of_known_shape"));
  EXPECT_THAT(traced.removed, ElementsAre("without_effect", "dead"));
  EXPECT_EQ(traced.file_nodes, 7U);
}

// Two equal branches, their weights made by equal nodes: the second was once said to be fused into
// the Concat that joins them.
TEST(TraceNodes, SeesThatEqualNodesWereMerged) {
  const auto sizes = [](ModelBuilder& model, const std::string& name) {
    model.initializer(name + "_shape", {1}, std::vector<std::int64_t>{3})
        .node("ConstantOfShape", {name + "_shape"}, {name}, {}, "", "make_" + name);
  };
  ModelBuilder file;
  file.input("x", kFloat, {{2, 3}});
  sizes(file, "w1");
  sizes(file, "w2");
  file.node("Mul", {"x", "w1"}, {"a1"}, {}, "", "mul1")
      .node("Relu", {"a1"}, {"b1"}, {}, "", "relu1")
      .node("Mul", {"x", "w2"}, {"a2"}, {}, "", "mul2")
      .node("Relu", {"a2"}, {"b2"}, {}, "", "relu2")
      .node("Concat", {"b1", "b2"}, {"y"}, {attr("axis", 0)}, "", "join")
      .output("y", kFloat);
  ModelBuilder optimized;
  optimized.input("x", kFloat, {{2, 3}})
      .initializer("w1", {3}, std::vector<float>{0, 0, 0})
      .node("FusedMul", {"x", "w1"}, {"b1"}, {}, "com.microsoft")
      .node("Concat", {"b1", "b1"}, {"y"}, {attr("axis", 0)}, "", "join")
      .output("y", kFloat);
  const ExecutedGraph traced = trace(file, optimized);
  EXPECT_THAT(lines(traced), ElementsAre("FusedMul fused: mul1 relu1", "Concat kept: join"));
  EXPECT_THAT(traced.removed, UnorderedElementsAre("mul2", "relu2"));
  EXPECT_THAT(traced.folded, UnorderedElementsAre("make_w1", "make_w2"));
}

// Quantised nodes are named after the float node in their middle. Their type tells that they reach
// to the QuantizeLinear behind it; weights that they read as they are belong to them.
TEST(TraceNodes, GathersAQuantisedNodeFromItsPairs) {
  ModelBuilder file;
  file.input("x", ElementType::Uint8, {{1, 3, 4, 4}})
      .initializer("s", {}, std::vector<float>{0.5})
      .initializer(test::raw_tensor("z", ElementType::Uint8, {}, std::string(1, '\0')))
      .initializer(test::raw_tensor("wq", ElementType::Uint8, {3, 3, 1, 1}, std::string(9, '\1')))
      .node("DequantizeLinear", {"x", "s", "z"}, {"xf"}, {}, "", "dq_x")
      .node("DequantizeLinear", {"wq", "s", "z"}, {"wf"}, {}, "", "dq_w")
      .node("Conv", {"xf", "wf"}, {"c"}, {}, "", "conv")
      .node("QuantizeLinear", {"c", "s", "z"}, {"q"}, {}, "", "q_c")
      .node("Flatten", {"q"}, {"y"}, {}, "", "flatten")
      .output("y", ElementType::Uint8);
  ModelBuilder optimized;
  optimized.opset("", 21).opset("com.microsoft", 1);
  optimized.input("x", ElementType::Uint8, {{1, 3, 4, 4}})
      .initializer("s", {}, std::vector<float>{0.5})
      .initializer(test::raw_tensor("z", ElementType::Uint8, {}, std::string(1, '\0')))
      .initializer(test::raw_tensor("wq", ElementType::Uint8, {3, 3, 1, 1}, std::string(9, '\1')))
      .node("QLinearConv", {"x", "s", "z", "wq", "s", "z", "s", "z"}, {"conv"}, {}, "",
            "conv_token_7")
      .node("Flatten", {"conv"}, {"y"}, {}, "", "flatten")
      .output("y", ElementType::Uint8);
  EXPECT_THAT(lines(trace(file, optimized)),
              ElementsAre("QLinearConv fused: dq_x dq_w conv q_c", "Flatten kept: flatten"));
}

TEST(TraceNodes, SharesTheNodesOfASplitThatReplacesThem) {
  ModelBuilder file;
  file.input("x", kFloat, {{2, 3}})
      .initializer("zero", {}, std::vector<std::int64_t>{0})
      .initializer("one", {}, std::vector<std::int64_t>{1})
      .node("Gather", {"x", "zero"}, {"g0"}, {}, "", "gather0")
      .node("Gather", {"x", "one"}, {"g1"}, {}, "", "gather1")
      .node("Sub", {"g0", "g1"}, {"y"}, {}, "", "sub")
      .output("y", kFloat);
  ModelBuilder optimized;
  optimized.input("x", kFloat, {{2, 3}})
      .node("Split", {"x"}, {"split_output", "split_output_token_0"}, {}, "",
            "gather1/GatherSliceToSplitFusion")
      .node("Squeeze", {"split_output"}, {"gather0"}, {}, "", "Squeeze")
      .node("Squeeze", {"split_output_token_0"}, {"gather1"}, {}, "", "Squeeze_token_2")
      .node("Sub", {"gather0", "gather1"}, {"y"}, {}, "", "sub")
      .output("y", kFloat);
  EXPECT_THAT(lines(trace(file, optimized)),
              ElementsAre("Split fused: gather0 gather1", "Squeeze kept: gather0",
                          "Squeeze kept: gather1", "Sub kept: sub"));
}

// A Transpose that is pushed behind its reader has been moved, not removed and inserted.
TEST(TraceNodes, FollowsATransposeToTheOtherSide) {
  ModelBuilder file;
  file.input("x", kFloat, {{2, 3}})
      .node("Transpose", {"x"}, {"t"}, {}, "", "transpose")
      .node("Relu", {"t"}, {"r"}, {}, "", "relu")
      .node("Exp", {"r"}, {"y"}, {}, "", "exp")
      .output("y", kFloat);
  ModelBuilder optimized;
  optimized.input("x", kFloat, {{2, 3}})
      .node("Relu", {"x"}, {"Transpose_out0"}, {}, "", "relu")
      .node("Transpose", {"Transpose_out0"}, {"r"}, {}, "", "Transpose")
      .node("Exp", {"r"}, {"y"}, {}, "", "exp")
      .output("y", kFloat);
  const ExecutedGraph traced = trace(file, optimized);
  EXPECT_THAT(lines(traced),
              ElementsAre("Relu kept: relu", "Transpose kept: transpose", "Exp kept: exp"));
  EXPECT_THAT(traced.removed, IsEmpty());
}

// The engine saves attributes in the order of their names, the file may hold them in any.
TEST(TraceNodes, PairsBodiesByTheNameOfTheirAttribute) {
  GraphBuilder negate;
  negate.node("Neg", {"x"}, {"n"}, {}, "", "negate").output("n", kFloat);
  GraphBuilder twice;
  twice.node("Add", {"x", "x"}, {"t"}, {}, "", "twice").output("t", kFloat);
  const auto choice = [&](bool has_else_first) {
    ModelBuilder model;
    std::vector<test::AttributeSpec> bodies = {attr("then_branch", negate),
                                               attr("else_branch", twice)};
    if (has_else_first) std::swap(bodies[0], bodies[1]);
    model.input("x", kFloat, {{2}})
        .input("c", ElementType::Bool, {{}})
        .node("If", {"c"}, {"y"}, bodies, "", "choose")
        .output("y", kFloat);
    return model;
  };
  const ExecutedGraph traced = trace(choice(false), choice(true));
  EXPECT_THAT(lines(traced), ElementsAre("Add kept: twice", "Neg kept: negate", "If kept: choose"));
  EXPECT_EQ(traced.file_nodes, 3U);
}

TEST(TraceNodes, SaysWhatItCannotTrace) {
  ModelBuilder optimized;
  optimized.input("x", kFloat, {{1, 8, 4, 4}})
      .node("Mystery", {"x"}, {"m"}, {}, "com.microsoft", "m1")
      .node("Mystery", {"m"}, {"other"}, {}, "com.microsoft", "m2")
      .output("other", kFloat);
  const ExecutedGraph traced = trace(residual(), optimized);
  EXPECT_THAT(lines(traced), ElementsAre("Mystery untraced:", "Mystery untraced:"));
  EXPECT_EQ(traced.removed.size(), 5U);
}

}  // namespace
}  // namespace headroom::onnxruntime
