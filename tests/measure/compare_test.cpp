// SPDX-License-Identifier: Apache-2.0
// Comparison by type. Tolerances are those of docs/method/correctness.md, applied by hand.
#include "measure/compare.h"

#include <headroom/measure.h>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "measure/tensors.h"

namespace headroom::measure {
namespace {

using test::floats;
using test::list_of;
using test::tensor_of;
using test::texts;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

OutputCheck check(const Tensor& actual, const Tensor& expected) {
  return compare_output(actual, expected, 0);
}

TEST(CompareOutput, AcceptsAFloatWithinAPartOfTheLargestMagnitude) {
  // scale 10: absolute 1e-3; the element 0 may be 1e-3 off
  EXPECT_TRUE(check(floats({10, 0.0009F}), floats({10, 0})).is_equal);
  EXPECT_FALSE(check(floats({10, 0.0011F}), floats({10, 0})).is_equal);
}

TEST(CompareOutput, SaysWhatDiffersAndWhere) {
  const OutputCheck result = check(tensor_of<float>(ElementType::Float32, {2, 2}, {1, 2, 3, 5}),
                                   tensor_of<float>(ElementType::Float32, {2, 2}, {1, 2, 3, 4}));
  EXPECT_FALSE(result.is_equal);
  EXPECT_EQ(result.reason, "1 of 4 elements differ, the first at [1, 1]: found 5, expected 4");
  EXPECT_DOUBLE_EQ(result.max_abs, 1);
  EXPECT_DOUBLE_EQ(result.max_rel, 0.25);
  EXPECT_DOUBLE_EQ(result.abs_tolerance, 4e-4);
  EXPECT_EQ(result.type, "float32");
  EXPECT_EQ(result.shape, "2x2");
}

TEST(CompareOutput, AcceptsTinyProbabilitiesWithinTheFloor) {
  EXPECT_TRUE(check(floats({1.16e-4F}), floats({1.152e-4F})).is_equal);  // 8e-7 apart
  EXPECT_FALSE(check(floats({1.16e-4F}), floats({1.14e-4F})).is_equal);  // 2e-6 apart
}

TEST(CompareOutput, TakesTheModelsOwnNoiseIntoAccount) {
  const Tensor expected = floats({10, 1});
  EXPECT_FALSE(compare_output(floats({10, 1.15F}), expected, 0).is_equal);
  EXPECT_TRUE(compare_output(floats({10, 1.15F}), expected, 0.1).is_equal);  // twice 0.1
  // never more than a twentieth of the largest magnitude, whatever the noise
  EXPECT_FALSE(compare_output(floats({10, 1.6F}), expected, 5).is_equal);
}

TEST(CompareOutput, TakesNanAsEqualToNanAndSaysSo) {
  const OutputCheck result = check(floats({kNan, 1}), floats({kNan, 1}));
  EXPECT_TRUE(result.is_equal);
  EXPECT_EQ(result.reason, "1 of 2 elements are NaN in both");
  EXPECT_FALSE(check(floats({kNan, 1}), floats({1, 1})).is_equal);
  EXPECT_FALSE(check(floats({1, 1}), floats({kNan, 1})).is_equal);
}

TEST(CompareOutput, TakesOnlyTheSameInfinityAsEqual) {
  const OutputCheck result = check(floats({kInfinity, 1}), floats({kInfinity, 1}));
  EXPECT_TRUE(result.is_equal);
  EXPECT_EQ(result.reason, "1 of 2 elements are the same infinity in both");
  EXPECT_FALSE(check(floats({kInfinity}), floats({-kInfinity})).is_equal);
  EXPECT_FALSE(check(floats({kInfinity}), floats({3e38F})).is_equal);
}

TEST(CompareOutput, GivesFiniteNumbersOnly) {
  const OutputCheck result = check(floats({kInfinity, kNan, 1}), floats({1, 1, kInfinity}));
  EXPECT_TRUE(std::isfinite(result.max_abs));
  EXPECT_TRUE(std::isfinite(result.max_rel));
  EXPECT_TRUE(std::isfinite(result.abs_tolerance));
}

TEST(CompareOutput, AllowsHalvesFourUnitsInTheLastPlace) {
  // Around 1, float16 has steps of 2^-10; the scale is 1: absolute 2^-8, relative 2^-9.
  const auto half = [](std::uint16_t bits) {
    return tensor_of<std::uint16_t>(ElementType::Float16, {1}, {bits});
  };
  EXPECT_TRUE(check(half(0x3C04), half(0x3C00)).is_equal);   // 4 steps
  EXPECT_FALSE(check(half(0x3C08), half(0x3C00)).is_equal);  // 8 steps
}

TEST(CompareOutput, AllowsBfloat16FourUnitsInTheLastPlace) {
  const auto brain = [](std::uint16_t bits) {
    return tensor_of<std::uint16_t>(ElementType::Bfloat16, {1}, {bits});
  };
  EXPECT_TRUE(check(brain(0x3F84), brain(0x3F80)).is_equal);
  EXPECT_FALSE(check(brain(0x3F88), brain(0x3F80)).is_equal);
}

TEST(CompareOutput, AllowsEightBitFloatsOneStep) {
  const auto eight = [](std::uint8_t bits) {
    return tensor_of<std::uint8_t>(ElementType::Float8E4M3FN, {1}, {bits});
  };
  EXPECT_TRUE(check(eight(0x39), eight(0x38)).is_equal);   // 1.125 and 1
  EXPECT_FALSE(check(eight(0x3B), eight(0x38)).is_equal);  // 1.375 and 1
}

TEST(CompareOutput, WantsIntegersExact) {
  const auto integer = [](std::int64_t value) {
    return tensor_of<std::int64_t>(ElementType::Int64, {1}, {value});
  };
  EXPECT_TRUE(check(integer(7), integer(7)).is_equal);
  EXPECT_FALSE(check(integer(8), integer(7)).is_equal);
  // 2^53 and 2^53 + 1 are the same double.
  const OutputCheck large = check(integer((1LL << 53) + 1), integer(1LL << 53));
  EXPECT_FALSE(large.is_equal);
  EXPECT_EQ(large.reason,
            "1 of 1 elements differ, the first at [0]: found 9007199254740993, expected "
            "9007199254740992");
}

TEST(CompareOutput, AllowsQuantisedValuesOneStep) {
  const auto byte = [](std::uint8_t value) {
    return tensor_of<std::uint8_t>(ElementType::Uint8, {1}, {value});
  };
  EXPECT_TRUE(check(byte(101), byte(100)).is_equal);
  EXPECT_FALSE(check(byte(102), byte(100)).is_equal);
}

TEST(CompareOutput, WantsBooleansAndStringsExact) {
  const auto truth = [](std::uint8_t value) {
    return tensor_of<std::uint8_t>(ElementType::Bool, {1}, {value});
  };
  EXPECT_TRUE(check(truth(1), truth(1)).is_equal);
  EXPECT_FALSE(check(truth(0), truth(1)).is_equal);
  EXPECT_TRUE(check(texts({"a", "b"}), texts({"a", "b"})).is_equal);
  EXPECT_EQ(check(texts({"a", "c"}), texts({"a", "b"})).reason,
            "1 of 2 elements differ, the first at [1]: found 'c', expected 'b'");
}

TEST(CompareOutput, NamesADifferentTypeOrShape) {
  EXPECT_EQ(check(floats({1}), tensor_of<std::int32_t>(ElementType::Int32, {1}, {1})).reason,
            "type float32, expected int32");
  EXPECT_EQ(check(floats({1, 2}), floats({1})).reason, "shape 2, expected 1");
}

TEST(CompareOutputs, NamesWhatHasNoPartner) {
  const auto checks =
      compare_outputs(list_of(floats({1}, "a"), floats({1}, "b")), list_of(floats({1}, "a")));
  ASSERT_EQ(checks.size(), 2U);
  EXPECT_TRUE(checks[0].is_equal);
  EXPECT_FALSE(checks[1].is_equal);
  EXPECT_EQ(checks[1].reason, "not compared: the reference lacks it");
}

TEST(CompareOutputs, DoesNotCompareWhatIsNoTensor) {
  const auto checks =
      compare_outputs(list_of(Tensor{.name = "map"}), list_of(Tensor{.name = "map"}));
  ASSERT_EQ(checks.size(), 1U);
  EXPECT_FALSE(checks[0].is_equal);
  EXPECT_EQ(checks[0].reason, "not compared: it is not a tensor");
}

TEST(IsIdentical, WantsEveryBit) {
  EXPECT_TRUE(is_identical(floats({1, 2}), floats({1, 2})));
  EXPECT_FALSE(is_identical(floats({0}), floats({-0.0F})));
  EXPECT_TRUE(is_identical(floats({kNan}), floats({kNan})));
  EXPECT_FALSE(is_identical(texts({"a"}), texts({"b"})));
}

}  // namespace
}  // namespace headroom::measure
