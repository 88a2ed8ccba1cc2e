// SPDX-License-Identifier: Apache-2.0
// Values of every kind through ONNX Runtime and back.
#include <gmock/gmock.h>

#include "engine/engine_fixture.h"

namespace headroom {
namespace {

using test::message_of;
using test::ModelBuilder;
using testing::ElementsAre;
using testing::HasSubstr;

Tensor floats(const std::string& name, const std::vector<float>& values) {
  return test::floats(name, {static_cast<std::int64_t>(values.size())}, values);
}

std::vector<std::uint8_t> bytes_of(const Tensor& tensor) {
  std::vector<std::uint8_t> bytes;
  for (const std::byte byte : tensor.data.bytes())
    bytes.push_back(std::to_integer<std::uint8_t>(byte));
  return bytes;
}

Datum none(std::string name) {
  return {.name = std::move(name), .kind = DatumKind::None};
}

class OnnxRuntimeValues : public test::ValuesFixture {
 protected:
  OnnxRuntimeValues() : ValuesFixture("onnxruntime") {}
};

ModelBuilder with_opset_15() {
  ModelBuilder model;
  model.ir_version(8).opset("", 15);
  return model;
}

const test::TypeSpec kSequence = test::sequence_type(test::tensor_type(ElementType::Float32));

Datum sequence(std::string name, const std::vector<std::vector<float>>& elements) {
  Datum datum{.name = std::move(name), .kind = DatumKind::Sequence};
  for (const auto& values : elements) datum.elements.push_back(datum_of(floats("", values)));
  return datum;
}

TEST_F(OnnxRuntimeValues, TakesAndGivesSequences) {
  ModelBuilder model = with_opset_15();
  model.input("s", kSequence)
      .input("x", ElementType::Float32, {{"n"}})
      .node("SequenceInsert", {"s", "x"}, {"y"})
      .output("y", kSequence);
  load(model);
  const std::vector<Datum> outputs = run(sequence("s", {{1, 2}, {3}}), datum_of(floats("x", {4})));
  ASSERT_EQ(outputs.size(), 1U);
  EXPECT_EQ(outputs[0].name, "y");
  EXPECT_EQ(outputs[0].kind, DatumKind::Sequence);
  ASSERT_EQ(outputs[0].elements.size(), 3U);
  EXPECT_THAT(outputs[0].elements[0].tensor.shape, ElementsAre(2));
  float last = 0;
  std::memcpy(&last, outputs[0].elements[2].tensor.data.bytes().data(), sizeof last);
  EXPECT_EQ(last, 4);
  // An empty sequence, which the interface cannot make by itself.
  const std::vector<Datum> one = run(sequence("s", {}), datum_of(floats("x", {4})));
  EXPECT_EQ(one.at(0).elements.size(), 1U);
}

TEST_F(OnnxRuntimeValues, GivesAnEmptySequence) {
  ModelBuilder model = with_opset_15();
  model.node("SequenceEmpty", {}, {"y"}).output("y", kSequence);
  load(model);
  const std::vector<Datum> outputs = run();
  EXPECT_EQ(outputs.at(0).kind, DatumKind::Sequence);
  EXPECT_TRUE(outputs.at(0).elements.empty());
}

TEST_F(OnnxRuntimeValues, TakesOptionalsThatHoldSomethingOrNothing) {
  ModelBuilder model = with_opset_15();
  model.input("o", test::optional_type(test::tensor_type(ElementType::Float32)))
      .node("OptionalHasElement", {"o"}, {"y"})
      .output("y", ElementType::Bool, test::DimsSpec{std::vector<test::DimSpec>{}});
  load(model);
  EXPECT_THAT(bytes_of(run(datum_of(floats("o", {1}))).at(0).tensor), ElementsAre(1));
  EXPECT_THAT(bytes_of(run(none("o")).at(0).tensor), ElementsAre(0));
}

TEST_F(OnnxRuntimeValues, TakesOptionalSequences) {
  ModelBuilder model = with_opset_15();
  model.input("o", test::optional_type(kSequence))
      .node("OptionalHasElement", {"o"}, {"y"})
      .output("y", ElementType::Bool, test::DimsSpec{std::vector<test::DimSpec>{}});
  load(model);
  EXPECT_THAT(bytes_of(run(sequence("o", {{1}})).at(0).tensor), ElementsAre(1));
  // An empty sequence is something.
  EXPECT_THAT(bytes_of(run(sequence("o", {})).at(0).tensor), ElementsAre(1));
  EXPECT_THAT(bytes_of(run(none("o")).at(0).tensor), ElementsAre(0));
}

TEST_F(OnnxRuntimeValues, GivesAnEmptyOptional) {
  ModelBuilder model = with_opset_15();
  const test::TypeSpec type = test::optional_type(test::tensor_type(ElementType::Float32));
  model.node("Optional", {}, {"y"}, {test::attr("type", test::tensor_type(ElementType::Float32))})
      .output("y", type);
  load(model);
  EXPECT_EQ(run().at(0).kind, DatumKind::None);
}

// 1, 0, -2, -1 as 2-bit integers from the low end of the byte.
TEST_F(OnnxRuntimeValues, TakesAndGivesTwoBitIntegersAsTheyArePacked) {
  ModelBuilder model;
  model.ir_version(13).opset("", 25);
  model.input("x", ElementType::Int2, {{4}})
      .node("Cast", {"x"}, {"y"}, {test::attr("to", 3)})  // INT8
      .output("y", ElementType::Int8, {{4}});
  load(model);
  Tensor input = make_tensor("x", ElementType::Int2, {4});
  input.data.bytes()[0] = std::byte{0xE1};
  const std::vector<Datum> outputs = run(datum_of(std::move(input)));
  EXPECT_THAT(bytes_of(outputs.at(0).tensor), ElementsAre(1, 0, 0xFE, 0xFF));
}

TEST_F(OnnxRuntimeValues, GivesFourBitIntegersAsTheyArePacked) {
  ModelBuilder model;
  model.input("x", ElementType::Int8, {{3}})
      .node("Cast", {"x"}, {"y"}, {test::attr("to", 22)})  // INT4
      .output("y", ElementType::Int4, {{3}});
  load(model);
  Tensor input = make_tensor("x", ElementType::Int8, {3});
  input.data.bytes()[0] = std::byte{1};
  input.data.bytes()[1] = std::byte{0xFE};  // -2
  input.data.bytes()[2] = std::byte{7};
  const std::vector<Datum> outputs = run(datum_of(std::move(input)));
  EXPECT_EQ(outputs.at(0).tensor.type, ElementType::Int4);
  EXPECT_THAT(bytes_of(outputs.at(0).tensor), ElementsAre(0xE1, 0x07));
}

TEST_F(OnnxRuntimeValues, RefusesAKindThatItCannotBeGiven) {
  ModelBuilder model = with_opset_15();
  model.input("x", ElementType::Float32, {{"n"}}).node("Relu", {"x"}, {"y"}).output("y");
  load(model);
  Datum other{.name = "x", .kind = DatumKind::Other};
  EXPECT_THAT(message_of(ErrorKind::Unsupported, [&] { run(std::move(other)); }),
              HasSubstr("cannot be given input 'x' as value of another kind"));
  EXPECT_THAT(message_of(ErrorKind::Unsupported, [&] { run(none("x")); }),
              HasSubstr("cannot be given input 'x' as empty optional"));
}

}  // namespace
}  // namespace headroom
