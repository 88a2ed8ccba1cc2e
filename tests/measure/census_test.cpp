// SPDX-License-Identifier: Apache-2.0
// Elements that change how fast a tensor is computed with, counted by hand.
#include <headroom/measure.h>

#include <cfloat>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "measure/tensors.h"

namespace headroom {
namespace {

using test::floats;
using test::tensor_of;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(Census, CountsWhatIsOddAmongFloats) {
  const ElementCensus census = census_of(
      floats({0.0F, -0.0F, 1.0F, FLT_MIN, FLT_MIN / 2, -FLT_TRUE_MIN, NAN, kInfinity, -kInfinity}));
  EXPECT_EQ(census.elements, 9U);
  EXPECT_EQ(census.zeros, 2U);
  EXPECT_EQ(census.denormals, 2U);  // FLT_MIN itself is normal
  EXPECT_EQ(census.nans, 1U);
  EXPECT_EQ(census.infinities, 2U);
  EXPECT_FALSE(census.is_constant);
}

TEST(Census, KnowsTheSmallestNormalOfEachType) {
  // The largest denormal, and the smallest normal, by their bits.
  const auto denormals = [](ElementType type, auto largest) {
    const std::vector<decltype(largest)> bits = {largest,
                                                 static_cast<decltype(largest)>(largest + 1)};
    return census_of(tensor_of(type, {2}, bits)).denormals;
  };
  EXPECT_EQ(denormals(ElementType::Float16, std::uint16_t{0x03FF}), 1U);
  EXPECT_EQ(denormals(ElementType::Bfloat16, std::uint16_t{0x007F}), 1U);
  EXPECT_EQ(denormals(ElementType::Float32, std::uint32_t{0x007FFFFF}), 1U);
  EXPECT_EQ(denormals(ElementType::Float64, std::uint64_t{0x000FFFFFFFFFFFFF}), 1U);
  EXPECT_EQ(denormals(ElementType::Float8E5M2, std::uint8_t{0x03}), 0U);  // computed in wider types
}

TEST(Census, SeesThatAllElementsAreTheSame) {
  EXPECT_TRUE(census_of(floats({0.02F, 0.02F, 0.02F})).is_constant);
  EXPECT_FALSE(census_of(floats({0.02F, 0.02F, 0.03F})).is_constant);
  EXPECT_FALSE(census_of(floats({0.02F})).is_constant);  // a scalar is no finding
  EXPECT_TRUE(census_of(make_tensor("y", ElementType::Int4, {3})).is_constant);
  const ElementCensus mixed = census_of(tensor_of<std::uint8_t>(ElementType::Int4, {3}, {0x10, 0}));
  EXPECT_FALSE(mixed.is_constant);
  EXPECT_EQ(mixed.zeros, 2U);
}

TEST(Census, CountsStringsAndComplexNumbersOnly) {
  EXPECT_EQ(census_of(test::texts({"", ""})).elements, 2U);
  const ElementCensus census = census_of(make_tensor("y", ElementType::Complex64, {2}));
  EXPECT_EQ(census.elements, 2U);
  EXPECT_EQ(census.zeros, 0U);
}

TEST(Census, TakesAnEmptyTensor) {
  const ElementCensus census = census_of(floats({}));
  EXPECT_EQ(census.elements, 0U);
  EXPECT_FALSE(census.is_constant);
}

}  // namespace
}  // namespace headroom
