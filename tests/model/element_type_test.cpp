// SPDX-License-Identifier: Apache-2.0
// Widths: the types' names in onnx.proto and the formats they cite (IEEE 754, OCP 8-bit and MX
// formats).
#include <headroom/model/element_type.h>

#include <gtest/gtest.h>

namespace headroom {
namespace {

struct Expected {
  ElementType type;
  unsigned number;
  const char* name;
  unsigned bits;  // 0: none.
  bool is_float;
  bool is_integer;
};

constexpr Expected kExpected[] = {
    {ElementType::Float32, 1, "float32", 32, true, false},
    {ElementType::Uint8, 2, "uint8", 8, false, true},
    {ElementType::Int8, 3, "int8", 8, false, true},
    {ElementType::Uint16, 4, "uint16", 16, false, true},
    {ElementType::Int16, 5, "int16", 16, false, true},
    {ElementType::Int32, 6, "int32", 32, false, true},
    {ElementType::Int64, 7, "int64", 64, false, true},
    {ElementType::String, 8, "string", 0, false, false},
    {ElementType::Bool, 9, "bool", 8, false, false},
    {ElementType::Float16, 10, "float16", 16, true, false},
    {ElementType::Float64, 11, "float64", 64, true, false},
    {ElementType::Uint32, 12, "uint32", 32, false, true},
    {ElementType::Uint64, 13, "uint64", 64, false, true},
    {ElementType::Complex64, 14, "complex64", 64, false, false},
    {ElementType::Complex128, 15, "complex128", 128, false, false},
    {ElementType::Bfloat16, 16, "bfloat16", 16, true, false},
    {ElementType::Float8E4M3FN, 17, "float8e4m3fn", 8, true, false},
    {ElementType::Float8E4M3FNUZ, 18, "float8e4m3fnuz", 8, true, false},
    {ElementType::Float8E5M2, 19, "float8e5m2", 8, true, false},
    {ElementType::Float8E5M2FNUZ, 20, "float8e5m2fnuz", 8, true, false},
    {ElementType::Uint4, 21, "uint4", 4, false, true},
    {ElementType::Int4, 22, "int4", 4, false, true},
    {ElementType::Float4E2M1, 23, "float4e2m1", 4, true, false},
    {ElementType::Float8E8M0, 24, "float8e8m0", 8, true, false},
    {ElementType::Uint2, 25, "uint2", 2, false, true},
    {ElementType::Int2, 26, "int2", 2, false, true},
};

TEST(ElementType, HasTheNumberNameWidthAndClassOfTheFileFormat) {
  for (const Expected& row : kExpected) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(static_cast<unsigned>(row.type), row.number);
    EXPECT_EQ(to_string(row.type), row.name);
    EXPECT_EQ(element_type_from(row.name), row.type);
    EXPECT_EQ(bits_of(row.type).value_or(0), row.bits);
    EXPECT_EQ(is_float(row.type), row.is_float);
    EXPECT_EQ(is_integer(row.type), row.is_integer);
    EXPECT_TRUE(is_defined(row.type));
  }
}

TEST(ElementType, IsNotDefinedForNumbersThatOnnxDoesNotHave) {
  for (const unsigned number : {0U, 27U, 28U, 200U, 255U}) {
    const auto type = static_cast<ElementType>(number);
    EXPECT_FALSE(is_defined(type)) << number;
    EXPECT_EQ(to_string(type), "undefined") << number;
    EXPECT_EQ(bits_of(type), std::nullopt) << number;
  }
}

TEST(ElementType, IsNothingForAnUnknownName) {
  EXPECT_EQ(element_type_from("float"), std::nullopt);
  EXPECT_EQ(element_type_from(""), std::nullopt);
  EXPECT_EQ(element_type_from("undefined"), std::nullopt);
}

TEST(PackedSize, FillsUpTheLastByteOfSubByteTypes) {
  EXPECT_EQ(packed_size(ElementType::Int4, 0)->value, 0U);
  EXPECT_EQ(packed_size(ElementType::Int4, 1)->value, 1U);
  EXPECT_EQ(packed_size(ElementType::Uint4, 2)->value, 1U);
  EXPECT_EQ(packed_size(ElementType::Float4E2M1, 3)->value, 2U);
  EXPECT_EQ(packed_size(ElementType::Uint2, 4)->value, 1U);
  EXPECT_EQ(packed_size(ElementType::Int2, 5)->value, 2U);
}

TEST(PackedSize, IsElementsTimesWidthForWholeBytes) {
  EXPECT_EQ(packed_size(ElementType::Float32, 25)->value, 100U);
  EXPECT_EQ(packed_size(ElementType::Complex128, 3)->value, 48U);
  EXPECT_EQ(packed_size(ElementType::Bool, 7)->value, 7U);
}

TEST(PackedSize, IsNothingWhenItDoesNotFit64Bits) {
  constexpr std::uint64_t kTwoTo61 = std::uint64_t{1} << 61U;
  EXPECT_EQ(packed_size(ElementType::Float32, kTwoTo61)->value, kTwoTo61 * 4);
  EXPECT_EQ(packed_size(ElementType::Float64, kTwoTo61), std::nullopt);
  EXPECT_EQ(packed_size(ElementType::Int2, UINT64_MAX)->value, (std::uint64_t{1} << 62U));
}

TEST(PackedSize, IsNothingForStringsAndUndefined) {
  EXPECT_EQ(packed_size(ElementType::String, 1), std::nullopt);
  EXPECT_EQ(packed_size(ElementType::Undefined, 0), std::nullopt);
}

}  // namespace
}  // namespace headroom
