// SPDX-License-Identifier: Apache-2.0
// The expected codes are those of numpy 2.4 and ml_dtypes 0.6 (tests/data/reference_values.py).
#include "data/float_format.h"

#include <headroom/base/error.h>

#include <cmath>
#include <map>
#include <vector>

#include <gtest/gtest.h>

namespace headroom {
namespace {

using Codes = std::vector<std::uint32_t>;

// Halves between two codes, subnormal numbers, and what is below half of the smallest.
const std::vector<double> kValues = {
    1.0,           -1.5,    0.1,     3.3,         1.0009765625, 1.00048828125,
    1.00146484375, 2.5,     5.0,     0.25,        0.75,         1.25,
    6.1e-5,        0x1p-24, 0x1p-25, 0.001953125, 0.0009765625, 0.00146484375};

const std::map<ElementType, Codes> kExpected = {
    {ElementType::Float16,
     {0x3C00, 0xBE00, 0x2E66, 0x429A, 0x3C01, 0x3C00, 0x3C02, 0x4100, 0x4500, 0x3400, 0x3A00,
      0x3D00, 0x3FF, 0x1, 0x0, 0x1800, 0x1400, 0x1600}},
    {ElementType::Bfloat16,
     {0x3F80, 0xBFC0, 0x3DCD, 0x4053, 0x3F80, 0x3F80, 0x3F80, 0x4020, 0x40A0, 0x3E80, 0x3F40,
      0x3FA0, 0x3880, 0x3380, 0x3300, 0x3B00, 0x3A80, 0x3AC0}},
    {ElementType::Float8E4M3FN,
     {0x38, 0xBC, 0x1D, 0x45, 0x38, 0x38, 0x38, 0x42, 0x4A, 0x28, 0x34, 0x3A, 0x0, 0x0, 0x0, 0x1,
      0x0, 0x1}},
    {ElementType::Float8E4M3FNUZ,
     {0x40, 0xC4, 0x25, 0x4D, 0x40, 0x40, 0x40, 0x4A, 0x52, 0x30, 0x3C, 0x42, 0x0, 0x0, 0x0, 0x2,
      0x1, 0x2}},
    {ElementType::Float8E5M2,
     {0x3C, 0xBE, 0x2E, 0x43, 0x3C, 0x3C, 0x3C, 0x41, 0x45, 0x34, 0x3A, 0x3D, 0x4, 0x0, 0x0, 0x18,
      0x14, 0x16}},
    {ElementType::Float8E5M2FNUZ,
     {0x40, 0xC2, 0x32, 0x47, 0x40, 0x40, 0x40, 0x45, 0x49, 0x38, 0x3E, 0x41, 0x8, 0x0, 0x0, 0x1C,
      0x18, 0x1A}},
    {ElementType::Float4E2M1,
     {0x2, 0xB, 0x0, 0x5, 0x2, 0x2, 0x2, 0x4, 0x6, 0x0, 0x2, 0x2, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0}},
};

TEST(EncodeFloat, RoundsToTheNearestCodeTiesToEven) {
  for (const auto& [type, codes] : kExpected) {
    for (std::size_t i = 0; i < kValues.size(); ++i) {
      EXPECT_EQ(encode_float(kValues[i], type), codes[i])
          << to_string(type) << " of " << kValues[i];
    }
  }
}

TEST(EncodeFloat, TakesTheMagnitudeOfAScaleAndRoundsTiesUp) {
  // -1.5 is between 2^0 and 2^1; ml_dtypes gives 0x80 for 1.5 and not-a-number for negative values.
  const Codes expected = {0x7F, 0x80, 0x7C, 0x81, 0x7F, 0x7F, 0x7F, 0x80, 0x81,
                          0x7D, 0x7F, 0x7F, 0x71, 0x67, 0x66, 0x76, 0x75, 0x76};
  for (std::size_t i = 0; i < kValues.size(); ++i) {
    EXPECT_EQ(encode_float(kValues[i], ElementType::Float8E8M0), expected[i]) << kValues[i];
  }
  EXPECT_EQ(encode_float(0.0, ElementType::Float8E8M0), 0U);
}

// The largest numbers are those of the formats' definitions; 65520 is half-way from 65504 to 65536.
TEST(EncodeFloat, OverflowsToInfinityOrSaturates) {
  EXPECT_EQ(encode_float(65519.99, ElementType::Float16), 0x7BFFU);
  EXPECT_EQ(encode_float(65520.0, ElementType::Float16), 0x7C00U);
  EXPECT_EQ(encode_float(-1e300, ElementType::Bfloat16), 0xFF80U);
  EXPECT_EQ(encode_float(448.0, ElementType::Float8E4M3FN), 0x7EU);
  EXPECT_EQ(encode_float(1e6, ElementType::Float8E4M3FN), 0x7EU);
  EXPECT_EQ(encode_float(240.0, ElementType::Float8E4M3FNUZ), 0x7FU);
  EXPECT_EQ(encode_float(-1e6, ElementType::Float8E5M2), 0xFBU);
  EXPECT_EQ(encode_float(1e6, ElementType::Float8E5M2FNUZ), 0x7FU);
  EXPECT_EQ(encode_float(100.0, ElementType::Float4E2M1), 0x7U);
  EXPECT_EQ(encode_float(1e300, ElementType::Float8E8M0), 0xFEU);
}

TEST(EncodeFloat, KeepsTheSignOfZeroWhereTheFormatHasOne) {
  EXPECT_EQ(encode_float(-0.0, ElementType::Float16), 0x8000U);
  EXPECT_EQ(encode_float(-1e-9, ElementType::Float8E4M3FN), 0x80U);
  EXPECT_EQ(encode_float(-1e-9, ElementType::Float8E4M3FNUZ), 0U);
  EXPECT_EQ(encode_float(-0.0, ElementType::Float4E2M1), 0x8U);
}

TEST(EncodeFloat, RefusesATypeThatIsNotSmall) {
  EXPECT_THROW(encode_float(1.0, ElementType::Float32), Error);
}

}  // namespace
}  // namespace headroom
