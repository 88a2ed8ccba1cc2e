// SPDX-License-Identifier: Apache-2.0
// Values of generated inputs. What is expected is the rule of docs/method/inputs.md.
#include <gmock/gmock.h>

#include "data/planned.h"
#include "support/thrown.h"

namespace headroom {
namespace {

using test::attr;
using test::message_of;
using test::ModelBuilder;
using test::planned;
using test::planned_input;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr ElementType kFloat = ElementType::Float32;
constexpr ElementType kInt = ElementType::Int64;

ModelBuilder passing(const std::string& name, ElementType type, const test::DimsSpec& dims) {
  ModelBuilder model;
  model.input(name, type, dims).node("Identity", {name}, {"y"}).output("y", type);
  return model;
}

void expect_integers(const InputSpec& spec, std::int64_t low, std::int64_t high) {
  EXPECT_EQ(to_string(spec.fill), "integers") << spec.reason;
  EXPECT_EQ(spec.low, low) << spec.reason;
  EXPECT_EQ(spec.high, high) << spec.reason;
}

TEST(ValueChoice, TakesTheTypeWhereNothingElseSpeaks) {
  EXPECT_EQ(planned_input(passing("x", kFloat, {{4}})).fill, FillKind::Normal);
  EXPECT_EQ(planned_input(passing("x", ElementType::Complex64, {{4}})).fill, FillKind::Normal);
  EXPECT_EQ(planned_input(passing("x", ElementType::Bool, {{4}})).fill, FillKind::Booleans);
  EXPECT_EQ(planned_input(passing("x", ElementType::String, {{4}})).fill, FillKind::Words);
  expect_integers(planned_input(passing("x", kInt, {{4}})), 0, 9);
  expect_integers(planned_input(passing("x", ElementType::Uint8, {{4}})), 0, 255);
  expect_integers(planned_input(passing("x", ElementType::Int8, {{4}})), -128, 127);
  expect_integers(planned_input(passing("x", ElementType::Int4, {{4}})), -8, 7);
}

ModelBuilder embedding() {
  ModelBuilder model;
  model.input("ids", kInt, {{1, 8}})
      .initializer(test::zero_tensor("table", kFloat, {100, 4}))
      .initializer(test::zero_tensor("small", kFloat, {3, 40}));
  return model;
}

TEST(ValueChoice, StaysWithinTheTableThatIsIndexed) {
  ModelBuilder model = embedding();
  model.node("Cast", {"ids"}, {"c"}, {attr("to", 6)})
      .node("Gather", {"table", "c"}, {"y"})
      .output("y", kFloat);
  const InputSpec spec = planned_input(model);
  expect_integers(spec, 0, 99);
  EXPECT_EQ(spec.reason, "index into 100 rows of 'table' (0 to 99)");
  EXPECT_FALSE(planned(model).is_guessed);
}

TEST(ValueChoice, StaysWithinTheSmallestOfSeveralTables) {
  ModelBuilder model = embedding();
  model.node("Gather", {"table", "ids"}, {"y"})
      .node("Gather", {"small", "ids"}, {"z"}, {attr("axis", -1)})
      .output("y", kFloat)
      .output("z", kFloat);
  expect_integers(planned_input(model), 0, 39);
}

// ids + 2 must stay below 100, ids - 1 must not fall below 0.
TEST(ValueChoice, TakesConstantsOffThatAreAddedBeforeTheTable) {
  ModelBuilder added = embedding();
  added.initializer("two", {}, std::vector<std::int64_t>{2})
      .node("Add", {"two", "ids"}, {"s"})
      .node("Gather", {"table", "s"}, {"y"})
      .output("y", kFloat);
  expect_integers(planned_input(added), 0, 97);
  ModelBuilder subtracted = embedding();
  subtracted.initializer("one", {1}, std::vector<std::int64_t>{1})
      .node("Sub", {"ids", "one"}, {"s"})
      .node("Gather", {"table", "s"}, {"y"})
      .output("y", kFloat);
  expect_integers(planned_input(subtracted), 1, 100);
}

TEST(ValueChoice, StaysBelowTheDepthOfAOneHot) {
  ModelBuilder model = embedding();
  model.initializer("depth", {}, std::vector<std::int64_t>{10})
      .initializer("values", {2}, std::vector<float>{0, 1})
      .node("OneHot", {"ids", "depth", "values"}, {"y"})
      .output("y", kFloat);
  expect_integers(planned_input(model), 0, 9);
}

TEST(ValueChoice, LooksIntoBodies) {
  test::GraphBuilder then_branch("then");
  then_branch.node("Gather", {"table", "ids"}, {"t"}).output("t", kFloat);
  test::GraphBuilder else_branch("else");
  else_branch.node("Gather", {"table", "ids"}, {"e"}).output("e", kFloat);
  ModelBuilder model = embedding();
  model.input("flag", ElementType::Bool, {{}})
      .node("If", {"flag"}, {"y"},
            {attr("then_branch", then_branch), attr("else_branch", else_branch)})
      .output("y", kFloat);
  const InputPlan plan = planned(model);
  expect_integers(plan.inputs.at(0), 0, 99);
  expect_integers(plan.inputs.at(1), 1, 1);
  EXPECT_THAT(plan.inputs.at(1).reason, HasSubstr("it chooses a branch"));
  EXPECT_TRUE(plan.is_guessed);
}

TEST(ValueChoice, ChoosesANumberThatTheGraphComparesWith) {
  ModelBuilder model;
  model.input("rate", kInt, test::DimsSpec(std::vector<test::DimSpec>{}))
      .initializer("a", {}, std::vector<std::int64_t>{16000})
      .initializer("b", {}, std::vector<std::int64_t>{8000})
      .node("Equal", {"rate", "a"}, {"y"})
      .node("Equal", {"b", "rate"}, {"z"})
      .output("y", ElementType::Bool)
      .output("z", ElementType::Bool);
  expect_integers(planned_input(model), 16000, 16000);
  EXPECT_TRUE(planned(model).is_guessed);
}

// A one-hot code written as a comparison with 0, 1, 2, 3, 4.
TEST(ValueChoice, StaysWithinAListThatATensorIsComparedWith) {
  ModelBuilder model;
  model.input("bytes", ElementType::Int32, {{8, 1}})
      .initializer(test::int32_data_tensor("classes", ElementType::Int32, {5}, {0, 1, 2, 3, 4}))
      .node("Equal", {"bytes", "classes"}, {"y"})
      .output("y", ElementType::Bool);
  expect_integers(planned_input(model), 0, 4);
}

TEST(ValueChoice, MakesMasksThatHideNothing) {
  expect_integers(planned_input(passing("attention_mask", kInt, {{1, 8}})), 1, 1);
  expect_integers(planned_input(passing("attention_mask", kFloat, {{1, 8}})), 1, 1);
  ModelBuilder subtracted;
  subtracted.input("m", kInt, {{1, 8}})
      .initializer("one", {}, std::vector<float>{1})
      .node("Cast", {"m"}, {"c"}, {attr("to", 1)})
      .node("Sub", {"one", "c"}, {"y"})
      .output("y", kFloat);
  expect_integers(planned_input(subtracted), 1, 1);
  ModelBuilder compared;
  compared.input("m", kInt, {{1, 8}})
      .initializer("zero", {}, std::vector<std::int64_t>{0})
      .initializer("a", {}, std::vector<float>{1})
      .node("Equal", {"m", "zero"}, {"c"})
      .node("Where", {"c", "a", "a"}, {"y"})
      .output("y", kFloat);
  expect_integers(planned_input(compared), 1, 1);
}

TEST(ValueChoice, StartsARecurrentNetworkFromZeros) {
  ModelBuilder model;
  model.input("x", kFloat, {{4, 1, 3}})
      .input("h", kFloat, {{1, 1, 2}})
      .initializer(test::zero_tensor("w", kFloat, {1, 6, 3}))
      .initializer(test::zero_tensor("r", kFloat, {1, 6, 2}))
      .node("GRU", {"x", "w", "r", "", "", "h"}, {"y"}, {attr("hidden_size", 2)})
      .output("y", kFloat);
  const InputPlan plan = planned(model);
  EXPECT_EQ(plan.inputs.at(0).fill, FillKind::Normal);
  EXPECT_EQ(plan.inputs.at(1).fill, FillKind::Zeros);
}

TEST(ValueChoice, MakesLengthsTheWholeSequence) {
  ModelBuilder model;
  model.input("tokens", kFloat, {{1, 30, 4}})
      .input("lengths", kInt, {{1}})
      .node("Identity", {"tokens"}, {"y"})
      .node("Identity", {"lengths"}, {"z"})
      .output("y", kFloat)
      .output("z", kInt);
  expect_integers(planned(model).inputs.at(1), 30, 30);
}

TEST(ValueChoice, RefusesAnInputThatIsNotATensor) {
  ModelBuilder model;
  model.input("s", test::sequence_type(test::tensor_type(kFloat)))
      .node("SequenceLength", {"s"}, {"y"})
      .output("y", kInt);
  EXPECT_THAT(message_of(ErrorKind::Unsupported, [&] { planned(model); }),
              HasSubstr("input 's' is not a tensor"));
}

// Floats `x` and `scale`, integers `ids`.
ModelBuilder of_three() {
  ModelBuilder model;
  model.input("x", kFloat, {{4}})
      .input("scale", kFloat, {{1}})
      .input("ids", kInt, {{4}})
      .node("Mul", {"x", "scale"}, {"y"})
      .node("Identity", {"ids"}, {"z"})
      .output("y", kFloat)
      .output("z", kInt);
  return model;
}

std::vector<std::string> fills_of(const InputOptions& options) {
  std::vector<std::string> fills;
  for (const InputSpec& input : planned(of_three(), options).inputs)
    fills.emplace_back(to_string(input.fill));
  return fills;
}

TEST(Fill, IsForFloatsUnlessAnInputIsNamed) {
  const Fill ones{.kind = FillKind::Ones};
  const Fill sparse{.kind = FillKind::Sparse, .zeros = 0.25};
  EXPECT_THAT(fills_of({.fill = ones}), ElementsAre("ones", "ones", "integers"));
  EXPECT_THAT(fills_of({.fill = ones, .fills = {{"x", sparse}, {"ids", ones}}}),
              ElementsAre("sparse", "ones", "ones"));
  const InputSpec x = planned(of_three(), {.fills = {{"x", sparse}}}).inputs.at(0);
  EXPECT_EQ(x.zeros, 0.25);
  EXPECT_EQ(x.reason, "sparse:0.25, as --fill says");
}

TEST(Fill, SaysWhatATypeCannotHold) {
  const auto refusal = [](const InputOptions& options) {
    return message_of(ErrorKind::Usage, [&] { planned(of_three(), options); });
  };
  EXPECT_THAT(refusal({.fills = {{"ids", {.kind = FillKind::Denormal}}}}),
              HasSubstr("input 'ids' is int64; float16, bfloat16, float32 and float64 have"));
  EXPECT_THAT(refusal({.fills = {{"ids", {.kind = FillKind::Normal}}}}),
              HasSubstr("floats can be filled so, others with zeros or ones"));
  EXPECT_THAT(refusal({.fills = {{"scales", {}}}}), HasSubstr("did you mean 'scale'"));
  EXPECT_THAT(refusal({.files = {{"x", "x.npy"}}, .fills = {{"x", {}}}}),
              HasSubstr("the values of 'x' come from a file"));
}

}  // namespace
}  // namespace headroom
