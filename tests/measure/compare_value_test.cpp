// SPDX-License-Identifier: Apache-2.0
// The rules of ONNX's runner. Expected values were computed by hand from |a - e| <= 1e-7 + 1e-3
// |e|.
#include "measure/compare_value.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "measure/tensors.h"

namespace headroom::measure {
namespace {

using test::floats;
using test::tensor_of;

constexpr Tolerance kOnnx{.absolute = 1e-7, .relative = 1e-3};
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

OutputCheck compare(Tensor actual, Tensor expected, const Tolerance& tolerance = kOnnx) {
  return compare_value(datum_of(std::move(actual)), datum_of(std::move(expected)), tolerance);
}

template <class... Tensors>
Datum sequence_of(Tensors... tensors) {
  Datum datum{.name = "s", .kind = DatumKind::Sequence};
  (datum.elements.push_back(datum_of(std::move(tensors))), ...);
  return datum;
}

TEST(CompareValue, AcceptsUpToTheSumOfBothTolerances) {
  EXPECT_TRUE(compare(floats({1000.9F}), floats({1000})).is_equal);  // 0.9 <= 1.0000001
  EXPECT_FALSE(compare(floats({1001.1F}), floats({1000})).is_equal);
  // Relative to the expected value, not to the found one: 1.0009 <= 1.0010009 would pass.
  EXPECT_FALSE(compare(floats({1001.0009F}), floats({1000}), {.relative = 1e-3}).is_equal);
  EXPECT_TRUE(compare(floats({0.9e-7F}), floats({0})).is_equal);
  EXPECT_FALSE(compare(floats({1.2e-7F}), floats({0})).is_equal);
}

TEST(CompareValue, NamesTheLargestDifferenceAndItsPlace) {
  const OutputCheck check = compare(tensor_of<float>(ElementType::Float32, {2, 2}, {1, 2.5F, 3, 8}),
                                    tensor_of<float>(ElementType::Float32, {2, 2}, {1, 2, 3, 4}));
  EXPECT_FALSE(check.is_equal);
  EXPECT_EQ(check.reason, "2 of 4 elements differ by up to 4, most at [1, 1]: found 8, expected 4");
  EXPECT_EQ(check.max_abs, 4);
  EXPECT_EQ(check.max_rel, 1);
}

TEST(CompareValue, TakesNanAsNanAndAnInfinityAsItself) {
  EXPECT_TRUE(compare(floats({kNan, kInfinity, -kInfinity}), floats({kNan, kInfinity, -kInfinity}))
                  .is_equal);
  EXPECT_FALSE(compare(floats({kInfinity}), floats({-kInfinity})).is_equal);
  EXPECT_FALSE(compare(floats({1}), floats({kNan})).is_equal);
  EXPECT_FALSE(compare(floats({kNan}), floats({1})).is_equal);
  const OutputCheck check = compare(floats({0.5F, 3e38F}), floats({0, kInfinity}));
  EXPECT_EQ(check.reason, "2 of 2 elements differ, most at [1]: found 3e+38, expected inf");
  EXPECT_EQ(check.max_abs, 0.5);  // finite, so that it can stand in JSON
}

TEST(CompareValue, GivesBfloat16TwoUnitsInTheLastPlace) {
  // 0x3F80 is 1; a unit in the last place is 2^-7, and 2^-6 two of them.
  const auto bfloat16 = [](std::uint16_t bits) {
    return tensor_of<std::uint16_t>(ElementType::Bfloat16, {1}, {bits});
  };
  EXPECT_TRUE(compare(bfloat16(0x3F82), bfloat16(0x3F80)).is_equal);
  EXPECT_FALSE(compare(bfloat16(0x3F83), bfloat16(0x3F80)).is_equal);
}

TEST(CompareValue, WantsSmallIntegersBooleansAndStringsExact) {
  const auto integers = [](std::vector<std::int64_t> values) {
    return tensor_of<std::int64_t>(ElementType::Int64, {2}, values);
  };
  EXPECT_TRUE(compare(integers({3, -7}), integers({3, -7})).is_equal);
  EXPECT_FALSE(compare(integers({3, -7}), integers({3, -8})).is_equal);
  EXPECT_FALSE(compare(tensor_of<std::uint8_t>(ElementType::Bool, {1}, {1}),
                       tensor_of<std::uint8_t>(ElementType::Bool, {1}, {0}))
                   .is_equal);
  const OutputCheck check = compare(test::texts({"a", "b"}), test::texts({"a", "c"}));
  EXPECT_EQ(check.reason, "1 of 2 elements differ, most at [1]: found 'b', expected 'c'");
}

// 0xE1 is, from the low end, the 2-bit integers 1, 0, -2, -1, and the 4-bit integers 1, -2.
TEST(CompareValue, ReadsPackedElements) {
  const auto packed = [](ElementType type, std::int64_t count, std::uint8_t byte) {
    return tensor_of<std::uint8_t>(type, {count}, {byte});
  };
  EXPECT_TRUE(
      compare(packed(ElementType::Int2, 4, 0xE1), packed(ElementType::Int2, 4, 0xE1)).is_equal);
  EXPECT_EQ(compare(packed(ElementType::Int2, 4, 0xE1), packed(ElementType::Int2, 4, 0xD1)).reason,
            "1 of 4 elements differ by up to 3, most at [2]: found -2, expected 1");
  EXPECT_EQ(compare(packed(ElementType::Int4, 2, 0xE1), packed(ElementType::Int4, 2, 0xF1)).reason,
            "1 of 2 elements differ by up to 1, most at [1]: found -2, expected -1");
  // Bits behind the last element mean nothing.
  EXPECT_TRUE(
      compare(packed(ElementType::Uint2, 3, 0xC1), packed(ElementType::Uint2, 3, 0x01)).is_equal);
}

TEST(CompareValue, TakesTheModulusOfComplexNumbers) {
  const auto complex = [](float real, float imaginary) {
    return tensor_of<float>(ElementType::Complex64, {1}, {real, imaginary});
  };
  // The imaginary part alone is far off; of the modulus 1000 it is 0.5e-3.
  EXPECT_TRUE(compare(complex(1000, 0.5F), complex(1000, 0)).is_equal);
  EXPECT_FALSE(compare(complex(1000, 2), complex(1000, 0)).is_equal);
}

TEST(CompareValue, WantsTypeAndShape) {
  EXPECT_EQ(compare(floats({1}), tensor_of<double>(ElementType::Float64, {1}, {1})).reason,
            "found float32 1, expected float64 1");
  EXPECT_EQ(compare(floats({1, 2}), tensor_of<float>(ElementType::Float32, {2, 1}, {1, 2})).reason,
            "found float32 2, expected float32 2x1");
}

TEST(CompareValue, ComparesSequencesByLengthAndElement) {
  EXPECT_TRUE(compare_value(sequence_of(floats({1}), floats({2})),
                            sequence_of(floats({1}), floats({2})), kOnnx)
                  .is_equal);
  EXPECT_EQ(compare_value(sequence_of(floats({1})), sequence_of(), kOnnx).reason,
            "found a sequence of 1, expected a sequence of 0");
  EXPECT_EQ(compare_value(sequence_of(floats({1}), floats({2})),
                          sequence_of(floats({1}), floats({3})), kOnnx)
                .reason,
            "element 1: 1 of 1 elements differ by up to 1, most at [0]: found 2, expected 3");
  const OutputCheck check = compare_value(datum_of(floats({1})), sequence_of(floats({1})), kOnnx);
  EXPECT_EQ(check.reason, "found float32 1, expected sequence of 1");
}

TEST(CompareValue, TakesNothingAsNothingOnly) {
  const Datum nothing{.name = "o", .kind = DatumKind::None};
  EXPECT_TRUE(compare_value(nothing, nothing, kOnnx).is_equal);
  EXPECT_EQ(compare_value(nothing, datum_of(floats({1})), kOnnx).reason,
            "found empty optional, expected float32 1");
  const Datum other{.name = "m", .kind = DatumKind::Other};
  EXPECT_FALSE(compare_value(other, other, kOnnx).is_equal);  // nobody knows what is in them
}

}  // namespace
}  // namespace headroom::measure
