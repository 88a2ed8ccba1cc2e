// SPDX-License-Identifier: Apache-2.0
// Changed inputs stay what the case allows.
#include "measure/perturb.h"

#include <headroom/base/error.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include <gtest/gtest.h>

#include "measure/compare.h"
#include "measure/elements.h"
#include "measure/preparation.h"
#include "measure/tensors.h"

namespace headroom::measure {
namespace {

using test::list_of;
using test::tensor_of;

Case generated(ElementType type, FillKind fill, std::int64_t low = 0, std::int64_t high = 0) {
  return {.inputs = {
              {.name = "x", .type = type, .shape = {64}, .fill = fill, .low = low, .high = high}}};
}

// The inputs themselves are given beside a case that says they come from a file.
Case stored(ElementType type, std::int64_t size) {
  return {.inputs = {{.name = "x", .type = type, .shape = {size}, .fill = FillKind::File}}};
}

std::vector<double> numbers(const Tensor& tensor) {
  std::vector<double> values(number_count(tensor));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = number_at(tensor, i);
  return values;
}

TEST(ChangedInputs, NudgeMovesEachFloatByARoundingError) {
  const Case plan = generated(ElementType::Float32, FillKind::Normal);
  const auto inputs = make_inputs(plan);
  const auto changed = changed_inputs(plan, inputs, Change::Nudge, 1);
  ASSERT_TRUE(changed.has_value());
  const auto before = numbers(inputs[0]);
  const auto after = numbers((*changed)[0]);
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_NEAR(std::fabs(after[i] / before[i] - 1), 0x1p-12, 0x1p-22) << i;
}

TEST(ChangedInputs, NudgeMovesHalvesToTheirNeighbour) {
  const Case plan = stored(ElementType::Float16, 4);
  // 1, 0, the largest number, -1
  const auto inputs = list_of(
      tensor_of<std::uint16_t>(ElementType::Float16, {4}, {0x3C00, 0x0000, 0x7BFF, 0xBC00}, "x"));
  const auto changed = changed_inputs(plan, inputs, Change::Nudge, 1);
  ASSERT_TRUE(changed.has_value());
  const auto after = numbers((*changed)[0]);
  EXPECT_TRUE(after[0] == 1 + 0x1p-10 || after[0] == 1 - 0x1p-11) << after[0];
  EXPECT_EQ(after[1], 0);
  EXPECT_EQ(after[2], 65504);  // its neighbour would be infinity
  EXPECT_TRUE(after[3] == -1 - 0x1p-10 || after[3] == -1 + 0x1p-11) << after[3];
}

TEST(ChangedInputs, NudgeLeavesIntegersAlone) {
  const Case plan = generated(ElementType::Int64, FillKind::Integers, 0, 100);
  EXPECT_FALSE(changed_inputs(plan, make_inputs(plan), Change::Nudge, 1).has_value());
}

TEST(ChangedInputs, OthersOfAFillForSpeedAreNormal) {
  // Ones of another seed are ones: the gate could not see that the input matters.
  for (const FillKind fill : {FillKind::Ones, FillKind::Denormal, FillKind::Sparse}) {
    const Case plan = generated(ElementType::Float32, fill);
    const auto inputs = make_inputs(plan);
    const auto changed = changed_inputs(plan, inputs, Change::Others, 9);
    ASSERT_TRUE(changed.has_value());
    for (const double value : numbers((*changed)[0])) EXPECT_GT(std::fabs(value), 1e-6);
  }
}

TEST(ChangedInputs, OthersStayWithinTheRange) {
  const Case plan = generated(ElementType::Int64, FillKind::Integers, 3, 5);
  const auto inputs = make_inputs(plan);
  const auto changed = changed_inputs(plan, inputs, Change::Others, 9);
  ASSERT_TRUE(changed.has_value());
  for (const double value : numbers((*changed)[0])) {
    EXPECT_GE(value, 3);
    EXPECT_LE(value, 5);
  }
}

TEST(ChangedInputs, OthersOfStoredIntegersAreTheSameValuesElsewhere) {
  const Case plan = stored(ElementType::Int32, 8);
  const auto inputs =
      list_of(tensor_of<std::int32_t>(ElementType::Int32, {8}, {1, 2, 3, 4, 5, 6, 7, 8}, "x"));
  const auto changed = changed_inputs(plan, inputs, Change::Others, 1);
  ASSERT_TRUE(changed.has_value());
  auto after = numbers((*changed)[0]);
  EXPECT_NE(after, numbers(inputs[0]));
  std::sort(after.begin(), after.end());
  EXPECT_EQ(after, numbers(inputs[0]));
}

TEST(ChangedInputs, OthersOfEqualStoredFloatsAreNudged) {
  const Case plan = stored(ElementType::Float32, 4);
  const auto inputs = list_of(tensor_of<float>(ElementType::Float32, {4}, {2, 2, 2, 2}, "x"));
  EXPECT_TRUE(changed_inputs(plan, inputs, Change::Others, 1).has_value());
}

TEST(ChangedInputs, ThereAreNoneForASingleValue) {
  const Case plan = generated(ElementType::Int64, FillKind::Integers, 16000, 16000);
  EXPECT_FALSE(changed_inputs(plan, make_inputs(plan), Change::Others, 1).has_value());
  EXPECT_FALSE(changed_inputs(Case{}, {}, Change::Others, 1).has_value());
}

TEST(ChangedInputs, LowIsZeroForFloatsAndTheLowestForIntegers) {
  Case plan = generated(ElementType::Float32, FillKind::Normal);
  plan.inputs.push_back(generated(ElementType::Int32, FillKind::Integers, 5, 9).inputs[0]);
  plan.inputs.push_back(generated(ElementType::Bool, FillKind::Booleans).inputs[0]);
  const auto changed = changed_inputs(plan, make_inputs(plan), Change::Low, 1);
  ASSERT_TRUE(changed.has_value());
  for (const double value : numbers((*changed)[0])) EXPECT_EQ(value, 0);
  for (const double value : numbers((*changed)[1])) EXPECT_EQ(value, 5);
  for (const double value : numbers((*changed)[2])) EXPECT_EQ(value, 0);
}

TEST(ChangedInputs, LowOfStoredIntegersIsTheFirstOfThem) {
  const Case plan = stored(ElementType::Int64, 3);
  const auto inputs = list_of(tensor_of<std::int64_t>(ElementType::Int64, {3}, {7, 8, 9}, "x"));
  const auto changed = changed_inputs(plan, inputs, Change::Low, 1);
  ASSERT_TRUE(changed.has_value());
  EXPECT_EQ(numbers((*changed)[0]), (std::vector<double>{7, 7, 7}));
}

TEST(ChangedInputs, HighIsTheHighestForIntegers) {
  const Case plan = generated(ElementType::Uint8, FillKind::Integers, 0, 255);
  const auto changed = changed_inputs(plan, make_inputs(plan), Change::High, 1);
  ASSERT_TRUE(changed.has_value());
  for (const double value : numbers((*changed)[0])) EXPECT_EQ(value, 255);
}

TEST(ChangedInputs, HighIsFourTimesTheOthersForFloats) {
  for (const ElementType type :
       {ElementType::Float32, ElementType::Float64, ElementType::Float16, ElementType::Bfloat16}) {
    const Case plan = generated(type, FillKind::Normal);
    const auto inputs = make_inputs(plan);
    const auto others = changed_inputs(plan, inputs, Change::Others, 5);
    const auto scaled = changed_inputs(plan, inputs, Change::High, 5);
    ASSERT_TRUE(others && scaled) << to_string(type);
    const auto before = numbers((*others)[0]);
    const auto after = numbers((*scaled)[0]);
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_EQ(after[i], 4 * before[i]) << to_string(type) << ' ' << i;
  }
}

TEST(ChangedInputs, AreTheSameForTheSameSeed) {
  const Case plan = stored(ElementType::Float32, 16);
  std::vector<float> values(16);
  std::iota(values.begin(), values.end(), 1.0F);
  const auto inputs = list_of(tensor_of<float>(ElementType::Float32, {16}, values, "x"));
  const auto first = changed_inputs(plan, inputs, Change::Others, 3);
  const auto second = changed_inputs(plan, inputs, Change::Others, 3);
  const auto third = changed_inputs(plan, inputs, Change::Others, 4);
  ASSERT_TRUE(first && second && third);
  EXPECT_TRUE(is_identical((*first)[0], (*second)[0]));
  EXPECT_FALSE(is_identical((*first)[0], (*third)[0]));
}

}  // namespace
}  // namespace headroom::measure
