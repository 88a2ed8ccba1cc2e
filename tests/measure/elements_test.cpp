// SPDX-License-Identifier: Apache-2.0
// Decoding of small types. Expected values: the tables of the ONNX documentation ("Float stored in
// 8 bits", "4 bit types"), IEEE 754-2019 for 16 bits, and OCP's Microscaling specification for
// E8M0.
#include "measure/elements.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "measure/tensors.h"

namespace headroom::measure {
namespace {

using test::tensor_of;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Pattern {
  ElementType type;
  unsigned bits;
  double value;
};

TEST(Elements, DecodeSmallFloats) {
  const Pattern patterns[] = {
      {ElementType::Float16, 0x3C00, 1.0},        {ElementType::Float16, 0xC000, -2.0},
      {ElementType::Float16, 0x7BFF, 65504.0},    {ElementType::Float16, 0x0001, 0x1p-24},
      {ElementType::Float16, 0xFC00, -kInfinity}, {ElementType::Bfloat16, 0x3F80, 1.0},
      {ElementType::Bfloat16, 0x4049, 3.140625},  {ElementType::Bfloat16, 0x7F80, kInfinity},
      {ElementType::Float8E4M3FN, 0x7E, 448.0},   {ElementType::Float8E4M3FN, 0x01, 0x1p-9},
      {ElementType::Float8E4M3FNUZ, 0x7F, 240.0}, {ElementType::Float8E5M2, 0x7B, 57344.0},
      {ElementType::Float8E5M2, 0x7C, kInfinity}, {ElementType::Float8E5M2FNUZ, 0x7F, 57344.0},
      {ElementType::Float4E2M1, 0x7, 6.0},        {ElementType::Float4E2M1, 0x9, -0.5},
  };
  for (const Pattern& pattern : patterns)
    EXPECT_EQ(decode(pattern.bits, layout_of(pattern.type)), pattern.value)
        << to_string(pattern.type) << ' ' << pattern.bits;
}

TEST(Elements, DecodeNotANumber) {
  EXPECT_TRUE(std::isnan(decode(0x7E00, layout_of(ElementType::Float16))));
  EXPECT_TRUE(std::isnan(decode(0x7F, layout_of(ElementType::Float8E4M3FN))));
  EXPECT_TRUE(std::isnan(decode(0x80, layout_of(ElementType::Float8E4M3FNUZ))));
  EXPECT_TRUE(std::isnan(decode(0x7E, layout_of(ElementType::Float8E5M2))));
}

TEST(Elements, ReadPackedIntegersFromTheLowEnd) {
  // 0x8F holds 15 (or -1) and then 8 (or -8).
  const Tensor plain = tensor_of<std::uint8_t>(ElementType::Uint4, {3}, {0x8F, 0x03});
  EXPECT_EQ(number_at(plain, 0), 15);
  EXPECT_EQ(number_at(plain, 1), 8);
  EXPECT_EQ(number_at(plain, 2), 3);
  const Tensor with_sign = tensor_of<std::uint8_t>(ElementType::Int4, {2}, {0x8F});
  EXPECT_EQ(number_at(with_sign, 0), -1);
  EXPECT_EQ(number_at(with_sign, 1), -8);
  const Tensor two_bits = tensor_of<std::uint8_t>(ElementType::Int2, {4}, {0b11'10'01'00});
  EXPECT_EQ(number_at(two_bits, 0), 0);
  EXPECT_EQ(number_at(two_bits, 1), 1);
  EXPECT_EQ(number_at(two_bits, 2), -2);
  EXPECT_EQ(number_at(two_bits, 3), -1);
}

TEST(Elements, ReadIntegersWithTheirSign) {
  EXPECT_EQ(number_at(tensor_of<std::int8_t>(ElementType::Int8, {1}, {-128}), 0), -128);
  EXPECT_EQ(number_at(tensor_of<std::uint8_t>(ElementType::Uint8, {1}, {200}), 0), 200);
  EXPECT_EQ(number_at(tensor_of<std::int64_t>(ElementType::Int64, {1}, {-3}), 0), -3);
  EXPECT_EQ(number_at(tensor_of<std::uint64_t>(ElementType::Uint64, {1}, {1ULL << 63}), 0), 0x1p63);
}

TEST(Elements, ReadPowersOfTwo) {
  const Tensor tensor = tensor_of<std::uint8_t>(ElementType::Float8E8M0, {3}, {127, 130, 255});
  EXPECT_EQ(number_at(tensor, 0), 1);
  EXPECT_EQ(number_at(tensor, 1), 8);
  EXPECT_TRUE(std::isnan(number_at(tensor, 2)));
}

TEST(Elements, CountPartsOfComplexNumbers) {
  const Tensor tensor = tensor_of<float>(ElementType::Complex64, {2}, {1, 2, 3, 4});
  ASSERT_EQ(number_count(tensor), 4U);
  EXPECT_EQ(number_at(tensor, 3), 4);
  EXPECT_EQ(place_of(tensor, 3), "[1]");
}

TEST(Elements, NameTheirPlace) {
  const Tensor tensor = make_tensor("y", ElementType::Float32, {2, 3, 4});
  EXPECT_EQ(place_of(tensor, 0), "[0, 0, 0]");
  EXPECT_EQ(place_of(tensor, 23), "[1, 2, 3]");
  EXPECT_EQ(place_of(make_tensor("y", ElementType::Float32, {}), 0), "scalar");
}

}  // namespace
}  // namespace headroom::measure
