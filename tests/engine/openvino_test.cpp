// SPDX-License-Identifier: Apache-2.0
// The real OpenVINO through the adapter; skipped where the build lacks it.
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
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr ElementType kFloat = ElementType::Float32;

class OpenVino : public test::EngineFixture {
 protected:
  OpenVino() : EngineFixture("openvino") {}
};

// The engine calls the input of a model whose first operator does no work by that operator's
// output, and `x` was then said to be no input. Dropout loses the name wholly, Max of one keeps it
// on the node.
TEST_F(OpenVino, KeepsTheNameOfAnInputThatIsHandedOn) {
  for (const char* op : {"Dropout", "Max"}) {
    ModelBuilder model;
    model.input("x", kFloat, {{2}}).input("z", kFloat, {{2}});
    model.node(op, {"x"}, {"same"}).node("Sub", {"same", "z"}, {"y"}).output("y", kFloat);
    const auto session = load(model);
    bind(*session, floats("z", {2}, {1, 2}), floats("x", {2}, {5, 7}));
    session->run();
    EXPECT_THAT(elements<float>(session->copy_outputs().at(0)), ElementsAre(4, 5)) << op;
    EXPECT_EQ(session->effective().count("inputs_dropped"), 0U) << op;
  }
}

TEST_F(OpenVino, RunsAndGivesOutputs) {
  const auto session = load(product());
  EXPECT_EQ(session->inputs().at(0).name, "x");
  EXPECT_EQ(to_string(*session->inputs().at(0).type.shape), "?x2");
  bind(*session, floats("x", {2, 2}, {1, 2, 3, 4}));
  session->run();
  session->run();
  const auto outputs = session->copy_outputs();
  ASSERT_EQ(outputs.size(), 1U);
  EXPECT_EQ(outputs[0].name, "y");
  EXPECT_THAT(outputs[0].shape, ElementsAre(2, 2));
  EXPECT_THAT(elements<float>(outputs[0]), ElementsAre(2, 6, 6, 12));
}

TEST_F(OpenVino, RunsOnOtherShapesAfterAnotherBind) {
  const auto session = load(product());
  EXPECT_THROW(session->copy_outputs(), Error);
  bind(*session, floats("x", {2, 2}, {1, 2, 3, 4}));
  session->run();
  bind(*session, floats("x", {1, 2}, {10, 10}));
  EXPECT_THROW(session->copy_outputs(), Error);
  session->run();
  EXPECT_THAT(elements<float>(session->copy_outputs().at(0)), ElementsAre(20, 30));
}

TEST_F(OpenVino, GivesOutputsInTheOrderOfTheFile) {
  ModelBuilder model;
  model.input("x", kFloat, {{1}})
      .node("Neg", {"x"}, {"z"})
      .node("Abs", {"z"}, {"a"})
      .output("z", kFloat)
      .output("a", kFloat);
  const auto session = load(model);
  bind(*session, floats("x", {1}, {5}));
  session->run();
  const auto outputs = session->copy_outputs();
  ASSERT_EQ(outputs.size(), 2U);
  EXPECT_EQ(outputs[0].name, "z");
  EXPECT_THAT(elements<float>(outputs[0]), ElementsAre(-5));
  EXPECT_EQ(outputs[1].name, "a");
  EXPECT_THAT(elements<float>(outputs[1]), ElementsAre(5));
}

TEST_F(OpenVino, TellsReadAndCreateOnceEach) {
  std::vector<LoadPhase> phases;
  load(product(), {}, [&](LoadPhase phase) { phases.push_back(phase); });
  EXPECT_THAT(phases, ElementsAre(LoadPhase::Read, LoadPhase::Create));
}

TEST_F(OpenVino, TellsNothingOfAFileThatItCannotRead) {
  std::vector<LoadPhase> phases;
  ModelBuilder model;
  model.input("x", kFloat, {{1}}).node("Frobnicate", {"x"}, {"y"}).output("y", kFloat);
  EXPECT_THROW(load(model, {}, [&](LoadPhase phase) { phases.push_back(phase); }), Error);
  EXPECT_TRUE(phases.empty());
}

TEST_F(OpenVino, TakesAnInputThatNothingUses) {
  ModelBuilder model;
  model.input("unused", kFloat, {{1}})
      .input("x", kFloat, {{1}})
      .node("Neg", {"x"}, {"y"})
      .output("y", kFloat);
  const auto session = load(model);
  bind(*session, floats("x", {1}, {5}), floats("unused", {1}, {7}));
  session->run();
  EXPECT_THAT(elements<float>(session->copy_outputs().at(0)), ElementsAre(-5));
}

TEST_F(OpenVino, ReadsPrecisionThreadsAndStreamsBack) {
  auto facts = load(product(), {.threads = 1})->effective();
  EXPECT_EQ(facts.at("threads"), "1 (observed)");
  EXPECT_EQ(facts.at("precision"), "f32 (observed)");
  // A decoder's keys and values came back in 8 bits, 2 % away.
  EXPECT_EQ(facts.at("KEY_CACHE_PRECISION"), "f32 (observed)");
  EXPECT_EQ(facts.at("VALUE_CACHE_PRECISION"), "f32 (observed)");
  EXPECT_EQ(facts.at("DYNAMIC_QUANTIZATION_GROUP_SIZE"), "0 (observed)");
  EXPECT_EQ(facts.at("NUM_STREAMS"), "1 (observed)");
  EXPECT_EQ(facts.at("EXECUTION_DEVICES"), "CPU (observed)");
  for (const auto& [key, value] : facts)
    EXPECT_THAT(value, testing::AnyOf(EndsWith(" (observed)"), EndsWith(" (asked)"))) << key;
  // No machine has that many: the engine takes fewer without a word.
  facts = load(product(), {.threads = 99'999})->effective();
  EXPECT_THAT(facts.at("threads"), AllOf(EndsWith(" (observed)"), Not(HasSubstr("99999"))));
}

// Which of the two 16-bit types runs is the processor's matter; that it is told is ours.
TEST_F(OpenVino, TellsThePrecisionThatTookEffect) {
  for (const std::string asked : {"bf16", "f16"}) {
    const auto session = load(product(), {.precision = asked});
    EXPECT_THAT(session->effective().at("precision"), EndsWith(" (observed)"));
    bind(*session, floats("x", {1, 2}, {1, 1}));
    session->run();
    EXPECT_THAT(elements<float>(session->copy_outputs().at(0)), ElementsAre(2, 3));
  }
  EXPECT_THAT(refusal(ErrorKind::Unsupported, product(), {.precision = "int8"}),
              HasSubstr("one of: f32, bf16, f16"));
}

TEST_F(OpenVino, HasNoReferenceOfItsOwn) {
  EXPECT_THAT(refusal(ErrorKind::Unsupported, product(), {.is_optimized = false}),
              HasSubstr("cannot be its own reference"));
}

// The engine refuses a value that it does not know. What it makes of threads and cores is the
// machine's matter, so that only the rest is compared.
TEST_F(OpenVino, TakesSettings) {
  const std::vector<std::map<std::string, std::string>> sets = {
      {{"PERFORMANCE_HINT", "LATENCY"},
       {"EXECUTION_MODE_HINT", "ACCURACY"},
       {"NUM_STREAMS", "1"},
       {"ENABLE_CPU_PINNING", "YES"},
       {"ENABLE_HYPER_THREADING", "YES"},
       {"SCHEDULING_CORE_TYPE", "ANY_CORE"},
       {"TBB_PARTITIONER", "STATIC"},
       {"CPU_DENORMALS_OPTIMIZATION", "YES"},
       {"KV_CACHE_PRECISION", "f16"},
       {"KEY_CACHE_PRECISION", "u8"},
       {"VALUE_CACHE_PRECISION", "u4"},
       {"CACHE_MODE", "OPTIMIZE_SIZE"}},
      {{"PERFORMANCE_HINT", "THROUGHPUT"},
       {"PERFORMANCE_HINT_NUM_REQUESTS", "2"},
       {"EXECUTION_MODE_HINT", "PERFORMANCE"},
       {"NUM_STREAMS", "2"},
       {"ENABLE_CPU_PINNING", "NO"},
       {"ENABLE_CPU_RESERVATION", "NO"},
       {"ENABLE_HYPER_THREADING", "NO"},
       {"SCHEDULING_CORE_TYPE", "PCORE_ONLY"},
       {"ENABLE_TENSOR_PARALLEL", "NO"},
       {"TBB_PARTITIONER", "AUTO"},
       {"CPU_DENORMALS_OPTIMIZATION", "NO"},
       {"DYNAMIC_QUANTIZATION_GROUP_SIZE", "64"},
       {"KV_CACHE_PRECISION", "bf16"},
       {"KEY_CACHE_PRECISION", "f32"},
       {"KEY_CACHE_GROUP_SIZE", "32"},
       {"VALUE_CACHE_GROUP_SIZE", "32"},
       {"CPU_SPARSE_WEIGHTS_DECOMPRESSION_RATE", "0.8"},
       {"CACHE_MODE", "OPTIMIZE_SPEED"}}};
  const std::vector<std::string> of_the_machine = {
      "NUM_STREAMS", "ENABLE_CPU_PINNING", "ENABLE_HYPER_THREADING", "SCHEDULING_CORE_TYPE"};
  for (const auto& settings : sets) {
    const auto facts = load(product(), {.settings = settings})->effective();
    for (const auto& [key, value] : settings) {
      if (testing::Value(of_the_machine, testing::Contains(key))) continue;
      EXPECT_THAT(facts.at(key), testing::StartsWith(value + " (")) << key;
    }
  }
}

TEST_F(OpenVino, SaysWhetherTheModelCameFromTheCache) {
  const SessionOptions options{.settings = {{"CACHE_DIR", (folder_ / "cache").string()}}};
  EXPECT_EQ(load(product(), options)->effective().at("loaded_from_cache"), "0 (observed)");
  EXPECT_EQ(load(product(), options)->effective().at("loaded_from_cache"), "1 (observed)");
}

TEST_F(OpenVino, RefusesSettingsThatItsTableLacks) {
  EXPECT_THAT(refusal(ErrorKind::Usage, product(), {.settings = {{"NUM_STREAM", "1"}}}),
              HasSubstr("did you mean 'NUM_STREAMS'?"));
  EXPECT_THAT(refusal(ErrorKind::Usage, product(), {.settings = {{"ENABLE_CPU_PINNING", "1"}}}),
              HasSubstr("cannot be '1'; give one of: YES, NO"));
  EXPECT_THAT(refusal(ErrorKind::Usage, product(), {.threads = 0}), HasSubstr("at least 1"));
}

TEST_F(OpenVino, TellsBadFilesFromMissingAbilities) {
  EXPECT_THAT(
      message_of(ErrorKind::NotFound, [&] { engine_->load({folder_ / "none.onnx"}, {}, {}); }),
      HasSubstr("none.onnx"));
  std::ofstream(folder_ / "text.onnx") << "this is text";
  EXPECT_THAT(
      message_of(ErrorKind::BadInput, [&] { engine_->load({folder_ / "text.onnx"}, {}, {}); }),
      HasSubstr("engine 'openvino' could not read"));
  EXPECT_THROW(engine_->load({folder_.path()}, {}, {}), Error);
  ModelBuilder unknown;
  unknown.input("x", kFloat, {{1}}).node("Foo", {"x"}, {"y"}, {}, "my.domain").output("y", kFloat);
  unknown.opset("", 21).opset("my.domain", 1);
  EXPECT_THAT(refusal(ErrorKind::Unsupported, unknown),
              AllOf(HasSubstr("No conversion rule found for operations: my.domain.Foo"),
                    Not(HasSubstr(".cpp")), Not(HasSubstr("\n"))));
}

// With one thread the engine dropped the exception and left the outputs of an earlier run.
TEST_F(OpenVino, NamesTheNodeThatFailsInARunWithAnyNumberOfThreads) {
  ModelBuilder model;
  model.input("a", kFloat, {{"n", "m"}})
      .input("b", kFloat, {{"n", "k"}})
      .node("Concat", {"a", "b"}, {"y"}, {attr("axis", 0)}, "", "join")
      .output("y", kFloat);
  for (const int threads : {1, 2}) {
    const auto session = load(model, {.threads = threads});
    bind(*session, floats("a", {1, 2}, {1, 2}), floats("b", {1, 2}, {3, 4}));
    session->run();
    bind(*session, floats("a", {1, 2}, {1, 2}), floats("b", {1, 1}, {1}));
    EXPECT_THAT(message_of(ErrorKind::Engine, [&] { session->run(); }),
                AllOf(HasSubstr("engine 'openvino' failed in a run of"),
                      HasSubstr("Concat node with name 'y'"), Not(HasSubstr("src/"))));
    EXPECT_THROW(session->copy_outputs(), Error);
  }
}

TEST_F(OpenVino, RefusesInputsThatDoNotMatch) {
  const auto session = load(product());
  EXPECT_THAT(message_of(ErrorKind::Usage,
                         [&] {
                           bind(*session, floats("z", {1, 2}, {1, 1}));
                         }),
              HasSubstr("has no input 'z'; it has: x"));
  EXPECT_THAT(message_of(ErrorKind::Usage, [&] { bind(*session); }), HasSubstr("0 were given"));
  EXPECT_THAT(message_of(ErrorKind::Engine,
                         [&] {
                           bind(*session, floats("x", {1, 3}, {1, 1, 1}));
                         }),
              AllOf(HasSubstr("refused the inputs of"), HasSubstr("incompatible")));
  EXPECT_THAT(
      message_of(ErrorKind::Engine,
                 [&] {
                   bind(*session, tensor_of<std::int32_t>("x", ElementType::Int32, {1, 2}, {1, 1}));
                 }),
      HasSubstr("precision: i32"));
  EXPECT_THAT(message_of(ErrorKind::Unsupported,
                         [&] {
                           bind(*session, make_tensor("x", ElementType::Complex64, {1, 2}));
                         }),
              HasSubstr("no values of type complex64"));
}

TEST_F(OpenVino, CarriesEveryTypeThroughUnchanged) {
  for (const ElementType type :
       {ElementType::Float16, ElementType::Bfloat16, ElementType::Float64, ElementType::Int8,
        ElementType::Uint8, ElementType::Int16, ElementType::Uint16, ElementType::Int32,
        ElementType::Uint32, ElementType::Int64, ElementType::Uint64, ElementType::Bool,
        ElementType::Float8E4M3FN, ElementType::Float8E5M2, ElementType::Int4,
        ElementType::Uint4}) {
    const auto session = load(passing(type, {{2}}));
    EXPECT_EQ(session->inputs().at(0).type.element, type);
    Tensor tensor = make_tensor("x", type, {2});
    tensor.data.bytes().front() = std::byte{1};
    const auto expected = elements<std::uint8_t>(tensor);
    bind(*session, std::move(tensor));
    session->run();
    const auto outputs = session->copy_outputs();
    EXPECT_EQ(outputs.at(0).type, type);
    EXPECT_EQ(elements<std::uint8_t>(outputs.at(0)), expected) << to_string(type);
  }
}

TEST_F(OpenVino, RefusesComplexNumbersInItsOwnWords) {
  EXPECT_THAT(refusal(ErrorKind::Unsupported, passing(ElementType::Complex64, {{2}})),
              HasSubstr("Unsupported type"));
}

// Packed low nibble first: 0x2F is -1, then 2; halves of them are -0.5 and 1.
TEST_F(OpenVino, CarriesPackedFourBitIntegers) {
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

TEST_F(OpenVino, ComputesIndicesAndComparisons) {
  ModelBuilder model;
  model.input("x", kFloat, {{3}})
      .node("NonZero", {"x"}, {"where"})
      .node("Greater", {"x", "limit"}, {"above"})
      .initializer("limit", {}, std::vector<float>{1})
      .output("where", ElementType::Int64)
      .output("above", ElementType::Bool);
  const auto session = load(model);
  bind(*session, floats("x", {3}, {0, 1, 2}));
  session->run();
  auto outputs = session->copy_outputs();
  EXPECT_THAT(outputs.at(0).shape, ElementsAre(1, 2));
  EXPECT_THAT(elements<std::int64_t>(outputs[0]), ElementsAre(1, 2));
  EXPECT_THAT(elements<std::uint8_t>(outputs.at(1)), ElementsAre(0, 0, 1));
  bind(*session, floats("x", {3}, {0, 0, 2}));
  session->run();
  outputs = session->copy_outputs();
  EXPECT_THAT(elements<std::int64_t>(outputs.at(0)), ElementsAre(2))
      << "a shape that depends on data";
}

TEST_F(OpenVino, CarriesScalarsAndEmptyTensors) {
  const auto scalar = load(passing(kFloat, test::DimsSpec(std::vector<test::DimSpec>{})));
  bind(*scalar, floats("x", {}, {5}));
  scalar->run();
  EXPECT_TRUE(scalar->copy_outputs().at(0).shape.empty());
  EXPECT_THAT(elements<float>(scalar->copy_outputs().at(0)), ElementsAre(5));
  const auto empty = load(passing(kFloat, {{"n"}}));
  bind(*empty, floats("x", {0}, {}));
  empty->run();
  EXPECT_THAT(empty->copy_outputs().at(0).shape, ElementsAre(0));
}

// 256 x 256 by 256 x 256 takes 16,777,216 multiply-adds: above the microsecond that the engine's
// times resolve, on any machine of today.
TEST_F(OpenVino, GivesTimesByNodeWhenInstrumented) {
  ModelBuilder model;
  model.input("x", kFloat, {{256, 256}})
      .input("z", kFloat, {{256, 256}})
      .node("MatMul", {"x", "z"}, {"p"}, {}, "", "multiply")
      .node("Relu", {"p"}, {"y"}, {}, "", "clamp")
      .output("y", kFloat);
  const auto session = load(model, {.profile_folder = folder_.path()});
  bind(*session, make_tensor("x", kFloat, {256, 256}), make_tensor("z", kFloat, {256, 256}));
  for (int i = 0; i < 3; ++i) session->run();
  const std::vector<ExecutedNode> timings = session->finish_profile(0).nodes;
  ASSERT_FALSE(timings.empty());
  EXPECT_THAT(timings[0].originals, testing::Contains("multiply"));
  EXPECT_EQ(timings[0].op, "MatMul");
  EXPECT_THAT(timings[0].implementation, HasSubstr("f32"));
  EXPECT_EQ(timings[0].runs, 3U);
  EXPECT_EQ(session->finish_profile(1).nodes[0].runs, 2U) << "it can be asked twice";
  EXPECT_THROW(load(product())->finish_profile(0), Error);
}

// The engine lists only some of the nodes that it has fused into one: the convolution of a batch
// normalisation was once said to be removed.
TEST_F(OpenVino, TracesItsNodesBackToTheFile) {
  ModelBuilder model;
  model.input("x", kFloat, {{1, 3, 8, 8}})
      .initializer("w", {8, 3, 3, 3}, std::vector<float>(216, 0.5F))
      .initializer("scale", {8}, std::vector<float>(8, 2))
      .initializer("shift", {8}, std::vector<float>(8, 1))
      .initializer("mean", {8}, std::vector<float>(8, 0.25F))
      .initializer("variance", {8}, std::vector<float>(8, 4))
      .node("Neg", {"w"}, {"negated"}, {}, "", "of_weights")
      .node("Conv", {"x", "negated"}, {"c"}, {}, "", "conv")
      .node("BatchNormalization", {"c", "scale", "shift", "mean", "variance"}, {"b"}, {}, "",
            "norm")
      .node("Relu", {"b"}, {"r"}, {}, "", "relu")
      .node("Identity", {"r"}, {"i"}, {}, "", "same")
      .node("Softmax", {"i"}, {"y"}, {test::attr("axis", 1)}, "", "softmax")
      .output("y", kFloat);
  const auto session = load(model, {.profile_folder = folder_.path()});
  bind(*session, make_tensor("x", kFloat, {1, 3, 8, 8}));
  session->run();
  const ExecutedGraph graph = session->finish_profile(0);
  EXPECT_EQ(graph.untraced, "");
  EXPECT_EQ(graph.file_nodes, 6U);
  EXPECT_THAT(graph.folded, testing::ElementsAre("of_weights"));
  EXPECT_THAT(graph.removed, testing::ElementsAre("same"));
  std::map<std::string, const ExecutedNode*> by_op;
  for (const ExecutedNode& node : graph.nodes) by_op.emplace(node.op, &node);
  ASSERT_TRUE(by_op.contains("Convolution"));
  EXPECT_THAT(by_op["Convolution"]->originals, testing::ElementsAre("conv", "norm", "relu"));
  EXPECT_EQ(by_op["Convolution"]->precision, "float32");
  EXPECT_NE(by_op["Convolution"]->layout, "");
  ASSERT_TRUE(by_op.contains("Softmax"));
  EXPECT_THAT(by_op["Softmax"]->originals, testing::ElementsAre("softmax"));
  EXPECT_EQ(by_op["Softmax"]->role, NodeRole::Kept);
}

TEST_F(OpenVino, ServesSeveralEnginesAndSessionsAtOnce) {
  const auto other = make_engine("openvino");
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
