// SPDX-License-Identifier: Apache-2.0
// What is tried when an engine refuses the first guess.
#include <algorithm>

#include <gmock/gmock.h>

#include "data/planned.h"

namespace headroom {
namespace {

using test::inferred;
using test::ModelBuilder;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr ElementType kFloat = ElementType::Float32;

ModelBuilder image(const test::DimsSpec& dims) {
  ModelBuilder model;
  model.input("x", kFloat, dims).node("Identity", {"x"}, {"y"}).output("y", kFloat);
  return model;
}

std::vector<std::vector<std::int64_t>> shapes_of(const std::vector<InputPlan>& plans) {
  std::vector<std::vector<std::int64_t>> shapes;
  for (const InputPlan& plan : plans) shapes.push_back(plan.inputs.at(0).shape);
  return shapes;
}

TEST(AlternativeInputs, AreNoneWhenNothingWasGuessed) {
  EXPECT_THAT(alternative_inputs(inferred(image({{1, 3, 8, 8}})), {}), IsEmpty());
}

TEST(AlternativeInputs, AreDistinctAndDoNotRepeatTheFirst) {
  const Model model = inferred(image({{"N", 3, std::nullopt, std::nullopt}}));
  auto shapes = shapes_of(alternative_inputs(model, {}));
  EXPECT_THAT(shapes, testing::Not(testing::Contains(plan_inputs(model, {}).inputs.at(0).shape)));
  EXPECT_THAT(shapes, testing::Contains(ElementsAre(1, 3, 48, 320)));
  EXPECT_LE(shapes.size(), 24U);
  std::sort(shapes.begin(), shapes.end());
  EXPECT_EQ(std::unique(shapes.begin(), shapes.end()), shapes.end());
}

TEST(AlternativeInputs, ChangeOnlyWhatWasGuessed) {
  for (const auto& shape :
       shapes_of(alternative_inputs(inferred(image({{2, 3, 48, std::nullopt}})), {}))) {
    EXPECT_THAT(shape, ElementsAre(2, 3, 48, testing::_));
  }
}

TEST(AlternativeInputs, TryOtherValuesOfAFreeNumber) {
  ModelBuilder model;
  model.input("rate", ElementType::Int64, test::DimsSpec(std::vector<test::DimSpec>{}))
      .initializer("a", {}, std::vector<std::int64_t>{16000})
      .initializer("b", {}, std::vector<std::int64_t>{8000})
      .node("Equal", {"rate", "a"}, {"y"})
      .node("Equal", {"rate", "b"}, {"z"})
      .output("y", ElementType::Bool)
      .output("z", ElementType::Bool);
  const std::vector<InputPlan> plans = alternative_inputs(inferred(model), {});
  ASSERT_THAT(plans, SizeIs(1));
  EXPECT_EQ(plans[0].inputs.at(0).low, 8000);
  EXPECT_EQ(plans[0].inputs.at(0).high, 8000);
}

TEST(AlternativeInputs, TakeTurnsBetweenWhatWasGuessed) {
  ModelBuilder model;
  model.input("ids", ElementType::Int64, {{1, "sequence"}})
      .input("image", kFloat, {{1, 3, "height", "width"}})
      .node("Identity", {"ids"}, {"y"})
      .node("Identity", {"image"}, {"z"})
      .output("y", ElementType::Int64)
      .output("z", kFloat);
  const std::vector<InputPlan> plans = alternative_inputs(inferred(model), {});
  ASSERT_GE(plans.size(), 4U);
  EXPECT_THAT(plans[0].inputs.at(0).shape, ElementsAre(1, 64));
  EXPECT_THAT(plans[0].inputs.at(1).shape, ElementsAre(1, 3, 224, 224));
  EXPECT_THAT(plans[1].inputs.at(0).shape, ElementsAre(1, 128));
  EXPECT_THAT(plans[1].inputs.at(1).shape, ElementsAre(1, 3, 640, 640));
  EXPECT_THAT(plans[2].inputs.at(0).shape, ElementsAre(1, 32));
}

}  // namespace
}  // namespace headroom
