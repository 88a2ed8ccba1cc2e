// SPDX-License-Identifier: Apache-2.0
// Values of every kind through OpenVINO and back; what it lacks is refused.
#include <gmock/gmock.h>

#include "engine/engine_fixture.h"

namespace headroom {
namespace {

using test::floats;
using test::message_of;
using test::ModelBuilder;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr ElementType kFloat = ElementType::Float32;
constexpr ElementType kString = ElementType::String;
// Longer than what a string keeps in itself, so that its memory can be freed twice.
const std::string kLong = "a text that is longer than twenty-two bytes";

Datum strings(std::string name, std::vector<std::string> values) {
  Tensor tensor = make_tensor(std::move(name), kString, {static_cast<std::int64_t>(values.size())});
  tensor.strings = std::move(values);
  return datum_of(std::move(tensor));
}

class OpenVinoValues : public test::ValuesFixture {
 protected:
  OpenVinoValues() : ValuesFixture("openvino") {}
};

TEST_F(OpenVinoValues, TakesAndGivesStrings) {
  ModelBuilder model;
  model.input("x", kString, {{"n"}})
      .initializer("last_first", {2}, std::vector<std::int64_t>{-1, 0})
      .node("Gather", {"x", "last_first"}, {"g"})
      .node("Concat", {"g", "x"}, {"y"}, {test::attr("axis", 0)})
      .initializer("column", {2}, std::vector<std::int64_t>{-1, 1})
      .node("Reshape", {"x", "column"}, {"r"})
      .output("g", kString)
      .output("y", kString)
      .output("r", kString);
  load(model);
  EXPECT_EQ(session_->inputs().at(0).type.element, kString);
  std::vector<Datum> outputs = run(strings("x", {"ab", "", kLong}));
  ASSERT_EQ(outputs.size(), 3U);
  EXPECT_EQ(outputs[0].name, "g");
  EXPECT_EQ(outputs[0].kind, DatumKind::Tensor);
  EXPECT_EQ(outputs[0].tensor.type, kString);
  EXPECT_THAT(outputs[0].tensor.strings, ElementsAre(kLong, "ab"));
  EXPECT_THAT(outputs[1].tensor.strings, ElementsAre(kLong, "ab", "ab", "", kLong));
  EXPECT_THAT(outputs[2].tensor.shape, ElementsAre(3, 1));
  EXPECT_THAT(outputs[2].tensor.strings, ElementsAre("ab", "", kLong));
  session_->run();
  outputs = run(strings("x", {kLong + kLong}));
  EXPECT_THAT(outputs.at(1).tensor.shape, ElementsAre(3));
  EXPECT_THAT(outputs[1].tensor.strings, Each(kLong + kLong));
}

TEST_F(OpenVinoValues, TakesAndGivesNoStrings) {
  ModelBuilder model;
  model.input("x", kString, {{"n"}})
      .node("Concat", {"x", "x"}, {"y"}, {test::attr("axis", 0)})
      .output("y", kString);
  load(model);
  const std::vector<Datum> outputs = run(strings("x", {}));
  EXPECT_THAT(outputs.at(0).tensor.shape, ElementsAre(0));
  EXPECT_THAT(outputs[0].tensor.strings, IsEmpty());
}

// They copy strings byte by byte: the process ended with "free(): invalid pointer" after the run.
TEST_F(OpenVinoValues, RefusesStringsThatWouldEndTheProcess) {
  EXPECT_THAT(refusal(ErrorKind::Unsupported, passing(kString, {{2}})),
              HasSubstr("its Identity copies strings byte by byte"));
  ModelBuilder slice;
  slice.input("x", kString, {{2}})
      .initializer("start", {1}, std::vector<std::int64_t>{1})
      .initializer("end", {1}, std::vector<std::int64_t>{2})
      .node("Slice", {"x", "start", "end"}, {"y"})
      .output("y", kString);
  EXPECT_THAT(refusal(ErrorKind::Unsupported, slice), HasSubstr("its StridedSlice copies"));
  ModelBuilder branch;
  branch.input("x", kString, {{2}})
      .input("c", ElementType::Bool, test::DimsSpec{std::vector<test::DimSpec>{}})
      .node("If", {"c"}, {"y"},
            {test::attr("then_branch",
                        test::GraphBuilder("t").node("Identity", {"x"}, {"a"}).output("a")),
             test::attr("else_branch",
                        test::GraphBuilder("e").node("Identity", {"x"}, {"b"}).output("b"))})
      .output("y", kString, {{2}});
  EXPECT_THAT(refusal(ErrorKind::Unsupported, branch), HasSubstr("its If copies"));
}

TEST_F(OpenVinoValues, RefusesStringComparisonInItsOwnWords) {
  ModelBuilder model;
  model.input("x", kString, {{2}}).node("Equal", {"x", "x"}, {"y"}).output("y", ElementType::Bool);
  EXPECT_THAT(refusal(ErrorKind::Unsupported, model), HasSubstr("unsupported src_prc: string"));
}

TEST_F(OpenVinoValues, TakesAnOptionalThatHoldsATensor) {
  const test::TypeSpec type = test::optional_type(test::tensor_type(kFloat, {{2}}));
  ModelBuilder model;
  model.input("x", type).node("Identity", {"x"}, {"y"}).output("y", type);
  load(model);
  EXPECT_THAT(test::elements<float>(run(datum_of(floats("x", {2}, {5, 7}))).at(0).tensor),
              ElementsAre(5, 7));
  EXPECT_THAT(message_of(ErrorKind::Unsupported, [&] { run(Datum{.name = "x"}); }),
              HasSubstr("engine 'openvino' takes tensors; input 'x' is given as empty optional"));
}

// It takes the type of a sequence's elements for the sequence's own.
TEST_F(OpenVinoValues, RefusesSequences) {
  const test::TypeSpec shaped = test::sequence_type(test::tensor_type(kFloat, {{2}}));
  ModelBuilder model;
  model.input("x", shaped).node("Identity", {"x"}, {"y"}).output("y", shaped);
  load(model);
  Datum sequence{.name = "x", .kind = DatumKind::Sequence};
  sequence.elements.push_back(datum_of(floats("", {2}, {5, 7})));
  EXPECT_THAT(message_of(ErrorKind::Unsupported, [&] { run(std::move(sequence)); }),
              HasSubstr("takes tensors; input 'x' is given as sequence of 1"));
  const test::TypeSpec open = test::sequence_type(test::tensor_type(kFloat));
  ModelBuilder any;
  any.input("x", open).node("Identity", {"x"}, {"y"}).output("y", open);
  EXPECT_THAT(refusal(ErrorKind::Unsupported, any),
              HasSubstr("doesn't support Parameter operation with dynamic rank"));
}

// An input of no axes means all of them, so that the conversion puts a constant in its place.
TEST_F(OpenVinoValues, IgnoresAnInputThatTheEngineHasDropped) {
  ModelBuilder model;
  model.input("x", kFloat, {{3}})
      .input("axes", ElementType::Int64, {{0}})
      .node("ReduceSum", {"x", "axes"}, {"y"})
      .output("y", kFloat);
  load(model);
  const std::vector<Datum> outputs = run(datum_of(make_tensor("axes", ElementType::Int64, {0})),
                                         datum_of(floats("x", {3}, {1, 2, 4})));
  EXPECT_THAT(test::elements<float>(outputs.at(0).tensor), ElementsAre(7));
  EXPECT_EQ(session_->effective().at("inputs_dropped"), "axes (observed)");
}

// 1, -2 and 7, two to a byte, the first in the low half.
TEST_F(OpenVinoValues, GivesFourBitIntegersAsTheyArePacked) {
  ModelBuilder model;
  model.input("x", ElementType::Int8, {{3}})
      .node("Cast", {"x"}, {"y"}, {test::attr("to", 22)})  // INT4
      .output("y", ElementType::Int4, {{3}});
  load(model);
  const std::vector<Datum> outputs =
      run(datum_of(test::tensor_of<std::int8_t>("x", ElementType::Int8, {3}, {1, -2, 7})));
  EXPECT_EQ(outputs.at(0).tensor.type, ElementType::Int4);
  EXPECT_THAT(test::elements<std::uint8_t>(outputs[0].tensor), ElementsAre(0xE1, 0x07));
}

}  // namespace
}  // namespace headroom
