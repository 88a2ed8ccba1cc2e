// SPDX-License-Identifier: Apache-2.0
// Sizes of open dimensions. What is expected is the rule of docs/method/inputs.md.
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

// A graph that passes its input on, so that only name, type and position speak.
ModelBuilder passing(const test::DimsSpec& dims, ElementType type = kFloat) {
  ModelBuilder model;
  model.input("x", type, dims).node("Identity", {"x"}, {"y"}).output("y", type);
  return model;
}

TEST(OpenDimension, KeepsAFixedShape) {
  const InputPlan plan = planned(passing({{1, 3, 8, 8}}));
  EXPECT_THAT(plan.inputs.at(0).shape, ElementsAre(1, 3, 8, 8));
  EXPECT_FALSE(plan.is_guessed);
  EXPECT_EQ(plan.source, "generated");
}

TEST(OpenDimension, GetsTheSizeThatItsNameStandsFor) {
  EXPECT_THAT(planned_input(passing({{"batch_size", "sequence_length"}}, kInt)).shape,
              ElementsAre(1, 128));
  EXPECT_THAT(planned_input(passing({{"N", 3, "height", "width"}})).shape,
              ElementsAre(1, 3, 224, 224));
  EXPECT_THAT(planned_input(passing({{2, "num_frames", 80}})).shape, ElementsAre(2, 128, 80));
}

TEST(OpenDimension, GetsTheSizeThatItsPositionSuggests) {
  EXPECT_THAT(planned_input(passing({{std::nullopt, 3, std::nullopt, std::nullopt}})).shape,
              ElementsAre(1, 3, 224, 224));
  EXPECT_THAT(planned_input(passing({{std::nullopt, std::nullopt, std::nullopt, 3}})).shape,
              ElementsAre(1, 224, 224, 3));
  EXPECT_THAT(planned_input(passing({{std::nullopt, std::nullopt}}, kInt)).shape,
              ElementsAre(1, 128));
  EXPECT_THAT(planned_input(passing({{std::nullopt, std::nullopt, 64}})).shape,
              ElementsAre(1, 128, 64));
  EXPECT_THAT(planned_input(passing({{2, std::nullopt, 128, 9, 9}})).shape,
              ElementsAre(2, 1, 128, 9, 9));
}

// Shape inference calls the second dimension of the input `length` by the name `length.dim1`.
TEST(OpenDimension, IsNotFooledByTheNameOfItsInput) {
  ModelBuilder model;
  model.input("length", kFloat, {{2, std::nullopt, 5, 5, 5}}).node("Identity", {"length"}, {"y"});
  model.output("y", kFloat);
  EXPECT_THAT(planned_input(model).shape, ElementsAre(2, 1, 5, 5, 5));
}

TEST(OpenDimension, CountsDeclaredZeroAndMinusOneAsOpen) {
  EXPECT_THAT(planned_input(passing({{-1, 3, 0, 0}})).shape, ElementsAre(1, 3, 224, 224));
}

TEST(OpenDimension, SaysWhatWasGuessedAndWhy) {
  const InputPlan plan = planned(passing({{"N", 3, std::nullopt, 32}}));
  EXPECT_TRUE(plan.is_guessed);
  EXPECT_THAT(
      plan.notes,
      ElementsAre(
          "input 'x': 1x3x224x32 float32 [N=1 (guessed: batch), x.dim2=224 (guessed: height)]; "
          "standard normal"));
}

// The weight is [8, 2, 3, 3] with 3 groups: 2 * 3 = 6 input channels.
TEST(OpenDimension, TakesChannelsFromTheWeightOfAConvolution) {
  ModelBuilder model;
  model.input("x", kFloat, {{1, std::nullopt, std::nullopt, std::nullopt}})
      .initializer(test::zero_tensor("w", kFloat, {9, 2, 3, 3}))
      .node("Relu", {"x"}, {"r"})
      .node("Conv", {"r", "w"}, {"y"}, {attr("group", 3)})
      .output("y", kFloat);
  const InputPlan plan = planned(model);
  EXPECT_THAT(plan.inputs.at(0).shape, ElementsAre(1, 6, 224, 224));
  EXPECT_THAT(plan.notes.at(0), HasSubstr("x.dim1=6 (input channels of Conv '')"));
}

TEST(OpenDimension, FollowsATransposeToTheConvolution) {
  ModelBuilder model;
  model.input("x", kFloat, {{1, std::nullopt, std::nullopt, std::nullopt}})
      .initializer(test::zero_tensor("w", kFloat, {8, 5, 3, 3}))
      .node("Transpose", {"x"}, {"t"}, {test::ints("perm", {0, 3, 1, 2})})
      .node("Conv", {"t", "w"}, {"y"})
      .output("y", kFloat);
  EXPECT_THAT(planned_input(model).shape, ElementsAre(1, 224, 224, 5));
}

TEST(OpenDimension, TakesFeaturesFromTheRowsOfAProduct) {
  ModelBuilder model;
  model.input("x", kFloat, {{"batch", std::nullopt}})
      .initializer(test::zero_tensor("w", kFloat, {12, 4}))
      .node("MatMul", {"x", "w"}, {"y"})
      .output("y", kFloat);
  const InputPlan plan = planned(model);
  EXPECT_THAT(plan.inputs.at(0).shape, ElementsAre(1, 12));
}

// `sequence` names the samples here: the input reaches a 1-D convolution through a new channel
// axis.
TEST(OpenDimension, SeesAWaveformBehindAConvolutionOfOneAxis) {
  ModelBuilder model;
  model.input("x", kFloat, {{"batch", "sequence"}})
      .initializer("axes", {1}, std::vector<std::int64_t>{1})
      .initializer(test::zero_tensor("w", kFloat, {4, 1, 16}))
      .node("Unsqueeze", {"x", "axes"}, {"u"})
      .node("Conv", {"u", "w"}, {"y"})
      .output("y", kFloat);
  EXPECT_THAT(planned_input(model).shape, ElementsAre(1, 512));
}

TEST(OpenDimension, GivesEqualSymbolsEqualSizes) {
  ModelBuilder model;
  model.input("a", kFloat, {{4, "k"}})
      .input("b", kFloat, {{"k", 2}})
      .initializer(test::zero_tensor("w", kFloat, {7, 3}))
      .node("MatMul", {"a", "w"}, {"y"})
      .node("Identity", {"b"}, {"z"})
      .output("y", kFloat)
      .output("z", kFloat);
  const InputPlan plan = planned(model);
  EXPECT_THAT(plan.inputs.at(0).shape, ElementsAre(4, 7));
  EXPECT_THAT(plan.inputs.at(1).shape, ElementsAre(7, 2));
  EXPECT_FALSE(plan.is_guessed);
}

TEST(OpenDimension, AddsPastAndPresentTokens) {
  ModelBuilder model;
  model.input("input_ids", kInt, {{"batch", "sequence_length"}})
      .input("past", kFloat, {{"batch", 2, "past_sequence_length", 8}})
      .input("attention_mask", kInt, {{"batch", "past_sequence_length + sequence_length"}})
      .input("other_mask", kInt, {{"batch", "total_sequence_length"}});
  for (const std::string name : {"input_ids", "past", "attention_mask", "other_mask"}) {
    model.node("Identity", {name}, {name + "_out"})
        .output(name + "_out", name == "past" ? kFloat : kInt);
  }
  const InputPlan plan = planned(model);
  EXPECT_THAT(plan.inputs.at(0).shape, ElementsAre(1, 1)) << "with a cache, one step of decoding";
  EXPECT_THAT(plan.inputs.at(1).shape, ElementsAre(1, 2, 64, 8));
  EXPECT_THAT(plan.inputs.at(2).shape, ElementsAre(1, 65));
  EXPECT_THAT(plan.inputs.at(3).shape, ElementsAre(1, 65));
}

TEST(OpenDimension, ObeysTheUser) {
  InputOptions options;
  options.shapes.dims = {{"width", 96}};
  const InputPlan by_dim = planned(passing({{1, 3, 64, "width"}}), options);
  EXPECT_THAT(by_dim.inputs.at(0).shape, ElementsAre(1, 3, 64, 96));
  EXPECT_FALSE(by_dim.is_guessed);
  options.shapes = {.shapes = {{"x", {1, 3, 64, 80}}}};
  EXPECT_THAT(planned_input(passing({{1, 3, 64, "width"}}), options).shape,
              ElementsAre(1, 3, 64, 80));
}

TEST(OpenDimension, GivesAShapeToAnInputThatDeclaresNone) {
  EXPECT_THAT(message_of(ErrorKind::Usage, [] { planned(passing(std::nullopt)); }),
              HasSubstr("--shape x=1x3"));
  InputOptions options;
  options.shapes.shapes = {{"x", {2, 5}}};
  EXPECT_THAT(planned_input(passing(std::nullopt), options).shape, ElementsAre(2, 5));
}

TEST(OpenDimension, RefusesUnknownNamesWithTheNearest) {
  InputOptions options;
  options.shapes.dims = {{"widh", 96}};
  EXPECT_THAT(message_of(ErrorKind::Usage,
                         [&] {
                           planned(passing({{1, "width"}}), options);
                         }),
              HasSubstr("no open dimension 'widh'; did you mean 'width'?"));
  options.shapes = {.shapes = {{"y", {1}}}};
  EXPECT_THAT(message_of(ErrorKind::Usage, [&] { planned(passing({{1}}), options); }),
              HasSubstr("no input 'y'; it has: x"));
}

TEST(OpenDimension, RefusesShapesThatTheModelExcludes) {
  InputOptions options;
  options.shapes.shapes = {{"x", {1, 3, 8}}};
  EXPECT_EQ(message_of(ErrorKind::Usage,
                       [&] {
                         planned(passing({{"N", 3, 8, 8}}), options);
                       }),
            "input 'x' is declared as Nx3x8x8, so it cannot be 1x3x8");
  options.shapes.shapes = {{"x", {1, 4, 8, 8}}};
  EXPECT_THAT(message_of(ErrorKind::Usage,
                         [&] {
                           planned(passing({{"N", 3, 8, 8}}), options);
                         }),
              HasSubstr("cannot be 1x4x8x8"));
}

TEST(OpenDimension, RefusesTwoSizesForOneSymbol) {
  ModelBuilder model;
  model.input("a", kFloat, {{"k"}})
      .input("b", kFloat, {{"k"}})
      .node("Add", {"a", "b"}, {"y"})
      .output("y", kFloat);
  InputOptions options;
  options.shapes.shapes = {{"a", {2}}, {"b", {3}}};
  EXPECT_THAT(message_of(ErrorKind::Usage, [&] { planned(model, options); }),
              HasSubstr("dimension 'k' cannot be both 2 and 3"));
}

}  // namespace
}  // namespace headroom
