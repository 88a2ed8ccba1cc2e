// SPDX-License-Identifier: Apache-2.0
// The real ONNX Runtime through the adapter; skipped where the build lacks it.
#include <fstream>

#include <gmock/gmock.h>

#include "engine/engine_fixture.h"

namespace headroom {
namespace {

using test::attr;
using test::bind;
using test::elements;
using test::floats;
using test::message_of;
using test::ModelBuilder;
using test::tensor_of;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr ElementType kFloat = ElementType::Float32;

class OnnxRuntime : public test::EngineFixture {
 protected:
  OnnxRuntime() : EngineFixture("onnxruntime") {}
};

TEST_F(OnnxRuntime, RunsAndGivesOutputs) {
  const auto session = load(product());
  EXPECT_EQ(session->inputs().at(0).name, "x");
  EXPECT_EQ(to_string(*session->inputs().at(0).type.shape), "nx2");
  bind(*session, floats("x", {2, 2}, {1, 2, 3, 4}));
  session->run();
  session->run();
  const auto outputs = session->copy_outputs();
  ASSERT_EQ(outputs.size(), 1U);
  EXPECT_EQ(outputs[0].name, "y");
  EXPECT_THAT(outputs[0].shape, ElementsAre(2, 2));
  EXPECT_THAT(elements<float>(outputs[0]), ElementsAre(2, 6, 6, 12));
}

TEST_F(OnnxRuntime, RunsOnOtherShapesAfterAnotherBind) {
  const auto session = load(product());
  bind(*session, floats("x", {2, 2}, {1, 2, 3, 4}));
  session->run();
  bind(*session, floats("x", {1, 2}, {10, 10}));
  EXPECT_THROW(session->copy_outputs(), Error);
  session->run();
  EXPECT_THAT(elements<float>(session->copy_outputs().at(0)), ElementsAre(20, 30));
}

// The engine refuses its own output of the first run as a place for the second, found by this test:
// a wrong declaration must not stop a run.
TEST_F(OnnxRuntime, RunsAModelThatDeclaresAWrongOutputShape) {
  const auto session = load(product({{7, 2}}));
  bind(*session, floats("x", {2, 2}, {1, 2, 3, 4}));
  EXPECT_FALSE(session->effective().contains("outputs"));
  for (int i = 0; i < 3; ++i) session->run();
  EXPECT_THAT(session->copy_outputs().at(0).shape, ElementsAre(2, 2));
  EXPECT_THAT(
      session->effective().at("outputs"),
      testing::AllOf(HasSubstr("bound anew for every run"), testing::EndsWith("(observed)")));
}

// Bernoulli of one half over 64 elements: NonZero finds another number of them in almost every run.
TEST_F(OnnxRuntime, RunsAModelWhoseOutputShapeDiffersFromRunToRun) {
  ModelBuilder model;
  model.input("x", kFloat, {{64}}).node("Bernoulli", {"x"}, {"b"}).node("NonZero", {"b"}, {"y"});
  model.output("y", ElementType::Int64);
  const auto session = load(model);
  bind(*session, floats("x", {64}, std::vector<float>(64, 0.5F)));
  for (int i = 0; i < 20; ++i) session->run();
  EXPECT_EQ(session->copy_outputs().at(0).shape.at(0), 1);
}

TEST_F(OnnxRuntime, TellsReadAndCreateOnceEach) {
  std::vector<LoadPhase> phases;
  load(product(), {}, [&](LoadPhase phase) { phases.push_back(phase); });
  EXPECT_THAT(phases, ElementsAre(LoadPhase::Read, LoadPhase::Create));
}

TEST_F(OnnxRuntime, TellsNothingOfAFileThatItCannotRead) {
  std::vector<LoadPhase> phases;
  ModelBuilder model;
  model.input("x", kFloat, {{1}}).node("Frobnicate", {"x"}, {"y"}).output("y", kFloat);
  EXPECT_THROW(load(model, {}, [&](LoadPhase phase) { phases.push_back(phase); }), Error);
  EXPECT_TRUE(phases.empty());
}

TEST_F(OnnxRuntime, ObservesThreadsAndOptimisationLevel) {
  auto facts = load(product(), {.threads = 2})->effective();
  EXPECT_EQ(facts.at("threads"), "2 (observed)");
  EXPECT_EQ(facts.at("threads_started"), "1 (observed)");
  EXPECT_EQ(facts.at("graph_optimization_level"), "all (observed)");
  facts = load(product(), {.is_optimized = false})->effective();
  EXPECT_EQ(facts.at("threads"), "1 (observed)");
  EXPECT_EQ(facts.at("graph_optimization_level"), "disable (observed)");
  for (const std::string level : {"disable", "basic", "extended", "layout", "all"}) {
    facts = load(product(), {.settings = {{"graph_optimization_level", level}}})->effective();
    EXPECT_EQ(facts.at("graph_optimization_level"), level + " (observed)");
  }
}

TEST_F(OnnxRuntime, TakesSettings) {
  const SessionOptions options{.settings = {{"session.intra_op.allow_spinning", "0"},
                                            {"session.disable_prepacking", "1"},
                                            {"enable_cpu_mem_arena", "0"},
                                            {"enable_mem_pattern", "0"},
                                            {"inter_op_threads", "1"},
                                            {"execution_mode", "sequential"}}};
  const auto session = load(product(), options);
  EXPECT_EQ(session->effective().at("session.intra_op.allow_spinning"), "0 (asked)");
  bind(*session, floats("x", {1, 2}, {1, 1}));
  session->run();
  EXPECT_THAT(elements<float>(session->copy_outputs().at(0)), ElementsAre(2, 3));
}

TEST_F(OnnxRuntime, RefusesSettingsThatItsTableLacks) {
  EXPECT_THAT(
      refusal(ErrorKind::Usage, product(), {.settings = {{"session.disable_prepackng", "1"}}}),
      HasSubstr("did you mean 'session.disable_prepacking'?"));
  EXPECT_THAT(
      refusal(ErrorKind::Usage, product(), {.settings = {{"session.disable_prepacking", "yes"}}}),
      HasSubstr("cannot be 'yes'; give 0 or 1"));
  EXPECT_THAT(
      refusal(ErrorKind::Usage, product(), {.settings = {{"graph_optimization_level", "99"}}}),
      HasSubstr("one of: disable, basic, extended, layout, all"));
  EXPECT_THAT(refusal(ErrorKind::Usage, product(), {.threads = 0}), HasSubstr("at least 1"));
  EXPECT_THAT(refusal(ErrorKind::Unsupported, product(), {.precision = "bf16"}),
              HasSubstr("'bf16'"));
}

TEST_F(OnnxRuntime, TellsBadFilesFromMissingAbilities) {
  EXPECT_THAT(
      message_of(ErrorKind::NotFound, [&] { engine_->load({folder_ / "none.onnx"}, {}, {}); }),
      HasSubstr("none.onnx"));
  std::ofstream(folder_ / "text.onnx") << "this is text";
  EXPECT_THAT(
      message_of(ErrorKind::BadInput, [&] { engine_->load({folder_ / "text.onnx"}, {}, {}); }),
      HasSubstr("could not read"));
  EXPECT_THROW(engine_->load({folder_.path()}, {}, {}), Error);
  ModelBuilder unknown;
  unknown.input("x", kFloat, {{1}}).node("Foo", {"x"}, {"y"}, {}, "my.domain").output("y", kFloat);
  unknown.opset("", 21).opset("my.domain", 1);
  EXPECT_THAT(refusal(ErrorKind::Unsupported, unknown), HasSubstr("my.domain:Foo"));
  EXPECT_THAT(refusal(ErrorKind::Unsupported, product().opset("", 99)), HasSubstr("99"));
  EXPECT_THAT(refusal(ErrorKind::Unsupported, product().ir_version(99)),
              HasSubstr("IR version: 99"));
}

TEST_F(OnnxRuntime, NamesTheNodeThatFailsInARun) {
  ModelBuilder model;
  model.input("a", kFloat, {{"n", "m"}})
      .input("b", kFloat, {{"n", "k"}})
      .node("Concat", {"a", "b"}, {"y"}, {attr("axis", 0)}, "", "join")
      .output("y", kFloat);
  const auto session = load(model);
  bind(*session, floats("a", {1, 2}, {1, 2}), floats("b", {1, 1}, {1}));
  EXPECT_THAT(
      message_of(ErrorKind::Engine, [&] { session->run(); }),
      testing::AllOf(HasSubstr("engine 'onnxruntime' failed in a run of"), HasSubstr("'join'")));
}

TEST_F(OnnxRuntime, RefusesInputsThatDoNotMatchByName) {
  const auto session = load(product());
  EXPECT_THAT(message_of(ErrorKind::Usage,
                         [&] {
                           bind(*session, floats("z", {1, 2}, {1, 1}));
                         }),
              HasSubstr("has no input 'z'; it has: x"));
  EXPECT_THAT(message_of(ErrorKind::Usage, [&] { bind(*session); }), HasSubstr("0 were given"));
  EXPECT_THAT(message_of(ErrorKind::Usage,
                         [&] {
                           bind(*session, floats("x", {1, 2}, {1, 1}), floats("x", {1, 2}, {1, 1}));
                         }),
              HasSubstr("2 were given"));
}

TEST_F(OnnxRuntime, CarriesEveryTypeThroughUnchanged) {
  for (const ElementType type :
       {ElementType::Float16, ElementType::Bfloat16, ElementType::Float64, ElementType::Int8,
        ElementType::Uint8, ElementType::Int16, ElementType::Uint16, ElementType::Int32,
        ElementType::Uint32, ElementType::Int64, ElementType::Uint64, ElementType::Bool,
        ElementType::Float8E4M3FN, ElementType::Float8E5M2}) {
    const auto session = load(passing(type, {{2}}));
    EXPECT_EQ(session->inputs().at(0).type.element, type);
    Tensor tensor = make_tensor("x", type, {2});
    tensor.data.bytes().back() = std::byte{1};
    const auto expected = elements<std::uint8_t>(tensor);
    bind(*session, std::move(tensor));
    session->run();
    const auto outputs = session->copy_outputs();
    EXPECT_EQ(outputs.at(0).type, type);
    EXPECT_EQ(elements<std::uint8_t>(outputs.at(0)), expected) << to_string(type);
  }
}

TEST_F(OnnxRuntime, CarriesStrings) {
  const auto session = load(passing(ElementType::String, {{2}}));
  Tensor tensor = make_tensor("x", ElementType::String, {2});
  tensor.strings = {"", std::string("a\0b", 3)};
  bind(*session, std::move(tensor));
  session->run();
  EXPECT_THAT(session->copy_outputs().at(0).strings, ElementsAre("", std::string("a\0b", 3)));
}

// Packed low nibble first: 0x2F is -1, then 2; halves of them are -0.5 and 1.
TEST_F(OnnxRuntime, CarriesPackedFourBitIntegers) {
  ModelBuilder model;
  model.input("x", ElementType::Int4, {{2}})
      .initializer("scale", {}, std::vector<float>{0.5F})
      .node("DequantizeLinear", {"x", "scale"}, {"y"})
      .output("y", kFloat);
  const auto session = load(model);
  EXPECT_EQ(session->inputs().at(0).type.element, ElementType::Int4);
  bind(*session, tensor_of<std::uint8_t>("x", ElementType::Int4, {2}, {0x2F}));
  session->run();
  EXPECT_THAT(elements<float>(session->copy_outputs().at(0)), ElementsAre(-0.5F, 1.0F));
}

TEST_F(OnnxRuntime, CarriesScalarsAndEmptyTensors) {
  const auto scalar = load(passing(kFloat, test::DimsSpec(std::vector<test::DimSpec>{})));
  bind(*scalar, floats("x", {}, {5}));
  scalar->run();
  EXPECT_TRUE(scalar->copy_outputs().at(0).shape.empty());
  const auto empty = load(passing(kFloat, {{"n"}}));
  bind(*empty, floats("x", {0}, {}));
  empty->run();
  EXPECT_THAT(empty->copy_outputs().at(0).shape, ElementsAre(0));
}

TEST_F(OnnxRuntime, NamesAnOutputThatIsNotATensor) {
  ModelBuilder model;
  model.input("x", kFloat, {{1}})
      .node("SequenceConstruct", {"x", "x"}, {"s"})
      .node("Neg", {"x"}, {"y"})
      .output("s", test::sequence_type(test::tensor_type(kFloat)))
      .output("y", kFloat);
  const auto session = load(model);
  EXPECT_EQ(session->outputs().at(0).type.kind, TypeKind::Sequence);
  bind(*session, floats("x", {1}, {5}));
  session->run();
  session->run();
  const auto outputs = session->copy_outputs();
  ASSERT_EQ(outputs.size(), 2U);
  EXPECT_EQ(outputs[0].name, "s");
  EXPECT_EQ(outputs[0].type, ElementType::Undefined);
  EXPECT_THAT(elements<float>(outputs[1]), ElementsAre(-5.0F));
}

TEST_F(OnnxRuntime, GivesOutIntermediateValues) {
  ModelBuilder model;
  model.input("x", kFloat, {{2}})
      .node("Relu", {"x"}, {"a"})
      .node("Shape", {"a"}, {"b"})
      .node("Neg", {"a"}, {"y"})
      .output("y", kFloat, {{2}});
  model.write(folder_ / "model.onnx");
  const auto session =
      engine_->load({.path = folder_ / "model.onnx", .exposed = {"a", "b"}}, {}, {});
  bind(*session, floats("x", {2}, {-1, 4}));
  session->run();
  const std::vector<Datum> values = session->copy_values();
  ASSERT_EQ(values.size(), 3U);
  EXPECT_EQ(values[0].name, "y");
  EXPECT_THAT(elements<float>(values[0].tensor), ElementsAre(0, -4));
  EXPECT_EQ(values[1].name, "a");
  EXPECT_THAT(elements<float>(values[1].tensor), ElementsAre(0, 4));
  EXPECT_EQ(values[2].name, "b");
  EXPECT_THAT(elements<std::int64_t>(values[2].tensor), ElementsAre(2));
}

TEST_F(OnnxRuntime, FindsExternalWeightsOfAModelThatGivesOutMore) {
  // Such a model is loaded from bytes, which have no folder of their own.
  std::ofstream(folder_ / "weights.bin", std::ios::binary)
      .write(reinterpret_cast<const char*>(std::array<float, 2>{2, 3}.data()), 8);
  ModelBuilder model;
  model.input("x", kFloat, {{2}})
      .initializer(test::external_tensor("w", kFloat, {2}, "weights.bin", 0, 8))
      .node("Mul", {"x", "w"}, {"a"})
      .node("Neg", {"a"}, {"y"})
      .output("y", kFloat, {{2}});
  model.write(folder_ / "model.onnx");
  const auto session = engine_->load({.path = folder_ / "model.onnx", .exposed = {"a"}}, {}, {});
  bind(*session, floats("x", {2}, {10, 10}));
  session->run();
  EXPECT_THAT(elements<float>(session->copy_values().at(1).tensor), ElementsAre(20, 30));
}

TEST_F(OnnxRuntime, GivesTimesByNodeWhenInstrumented) {
  const auto session = load(product(), {.profile_folder = folder_.path()});
  bind(*session, floats("x", {1, 2}, {1, 1}));
  for (int i = 0; i < 3; ++i) session->run();
  const std::vector<ExecutedNode> timings = session->finish_profile(0).nodes;
  ASSERT_EQ(timings.size(), 1U);
  EXPECT_EQ(timings[0].name, "product");
  EXPECT_EQ(timings[0].op, "Mul");
  EXPECT_EQ(timings[0].provider, "CPUExecutionProvider");
  EXPECT_EQ(timings[0].runs, 3U);
  // Warm-up runs were once summed with the others: a node seemed to be called 1.33 times a run.
  EXPECT_EQ(session->finish_profile(1).nodes[0].runs, 2U) << "it can be asked twice";
  EXPECT_THROW(load(product())->finish_profile(0), Error);
}

TEST_F(OnnxRuntime, TracesItsNodesBackToTheFile) {
  ModelBuilder model;
  model.input("x", kFloat, {{1, 3, 8, 8}})
      .initializer("w", {8, 3, 3, 3}, std::vector<float>(216, 0.5F))
      .node("Identity", {"w"}, {"same"}, {}, "", "of_weights")
      .node("Conv", {"x", "same"}, {"c"}, {}, "", "conv")
      .node("Relu", {"c"}, {"r"}, {}, "", "relu")
      .node("Flatten", {"r"}, {"y"}, {}, "", "flatten")
      .output("y", kFloat);
  const auto session = load(model, {.profile_folder = folder_.path()});
  bind(*session, make_tensor("x", kFloat, {1, 3, 8, 8}));
  session->run();
  const ExecutedGraph graph = session->finish_profile(0);
  EXPECT_EQ(graph.untraced, "");
  EXPECT_EQ(graph.file_nodes, 4U);
  EXPECT_THAT(graph.folded, ElementsAre("of_weights"));
  std::map<std::string, const ExecutedNode*> by_op;
  for (const ExecutedNode& node : graph.nodes) by_op.emplace(node.op, &node);
  // Blocked or not, by what the processor offers.
  const ExecutedNode* conv = by_op.contains("Conv") ? by_op["Conv"] : by_op["FusedConv"];
  ASSERT_NE(conv, nullptr);
  EXPECT_THAT(conv->originals, ElementsAre("conv", "relu"));
  EXPECT_EQ(conv->role, NodeRole::Fused);
  EXPECT_EQ(conv->provider, "CPUExecutionProvider");
  EXPECT_EQ(conv->precision, "float32");
  EXPECT_EQ(conv->runs, 1U);
  ASSERT_TRUE(by_op.contains("Flatten") || by_op.contains("Reshape"));
}

TEST_F(OnnxRuntime, ServesSeveralEnginesAndSessionsAtOnce) {
  const auto other = make_engine("onnxruntime");
  const auto first = load(product());
  engine_->load({folder_ / "model.onnx"}, {}, {}).reset();
  const auto second = other->load({folder_ / "model.onnx"}, {}, {});
  bind(*first, floats("x", {1, 2}, {1, 1}));
  bind(*second, floats("x", {1, 2}, {2, 2}));
  first->run();
  second->run();
  EXPECT_THAT(elements<float>(first->copy_outputs().at(0)), ElementsAre(2, 3));
  EXPECT_THAT(elements<float>(second->copy_outputs().at(0)), ElementsAre(4, 6));
}

}  // namespace
}  // namespace headroom
