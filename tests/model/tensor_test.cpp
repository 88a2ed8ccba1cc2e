// SPDX-License-Identifier: Apache-2.0
#include <headroom/model/tensor.h>

#include <algorithm>
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/thrown.h"

namespace headroom {
namespace {

using testing::HasSubstr;

TEST(ElementCount, IsTheProductOfTheDimensions) {
  EXPECT_EQ(element_count(std::vector<std::int64_t>{}), 1U);
  EXPECT_EQ(element_count(std::vector<std::int64_t>{2, 3, 4}), 24U);
  EXPECT_EQ(element_count(std::vector<std::int64_t>{5, 0, 7}), 0U);
}

TEST(ElementCount, IsZeroWhereADimensionIsZeroHoweverLargeTheOthers) {
  EXPECT_EQ(element_count(std::vector<std::int64_t>{INT64_MAX, INT64_MAX, 0}), 0U);
}

TEST(ElementCount, RefusesNegativeDimensions) {
  const std::vector<std::int64_t> shape{2, -1};
  EXPECT_THAT(test::message_of(ErrorKind::BadInput, [&] { element_count(shape); }),
              HasSubstr("shape 2x-1 has a negative dimension"));
}

TEST(ElementCount, RefusesProductsAbove63Bits) {
  const std::vector<std::int64_t> fits{std::int64_t{1} << 31, std::int64_t{1} << 31};
  EXPECT_EQ(element_count(fits), std::uint64_t{1} << 62U);
  const std::vector<std::int64_t> shape{std::int64_t{1} << 32, std::int64_t{1} << 31};
  EXPECT_THAT(test::message_of(ErrorKind::BadInput, [&] { element_count(shape); }),
              HasSubstr("63 bits"));
}

TEST(ShapeText, JoinsByXAndCutsWhatNobodyReads) {
  EXPECT_EQ(shape_text(std::vector<std::int64_t>{}), "scalar");
  EXPECT_EQ(shape_text(std::vector<std::int64_t>{1, 3, 224, 224}), "1x3x224x224");
  EXPECT_THAT(shape_text(std::vector<std::int64_t>(1000, 1)), HasSubstr("(1000 dimensions)"));
}

TEST(MakeTensor, GivesAlignedZeros) {
  Tensor tensor = make_tensor("x", ElementType::Float32, {3, 5});
  const auto bytes = tensor.data.bytes();
  EXPECT_EQ(bytes.size(), 60U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes.data()) % 64, 0U);
  EXPECT_TRUE(
      std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; }));
}

TEST(MakeTensor, PacksSubByteTypes) {
  EXPECT_EQ(make_tensor("x", ElementType::Int4, {3}).data.bytes().size(), 2U);
}

TEST(MakeTensor, GivesEmptyStringsForStrings) {
  const Tensor tensor = make_tensor("x", ElementType::String, {2, 2});
  EXPECT_EQ(tensor.strings.size(), 4U);
  EXPECT_TRUE(tensor.data.bytes().empty());
}

TEST(MakeTensor, RefusesUndefinedTypes) {
  test::message_of(ErrorKind::BadInput, [] { make_tensor("x", ElementType::Undefined, {1}); });
}

TEST(MakeTensor, SaysSoWhereThereIsNoMemory) {
  // 2^62 bytes: more than any address space.
  EXPECT_THAT(
      test::message_of(ErrorKind::Limit,
                       [] { make_tensor("big", ElementType::Uint8, {std::int64_t{1} << 62}); }),
      HasSubstr("'big'"));
}

TEST(CopyOf, SharesNothingWithTheOriginal) {
  Tensor tensor = make_tensor("x", ElementType::Uint8, {2});
  tensor.data.bytes()[0] = std::byte{7};
  const Tensor copy = copy_of(tensor);
  tensor.data.bytes()[0] = std::byte{9};
  EXPECT_EQ(copy.name, "x");
  EXPECT_EQ(copy.shape, tensor.shape);
  EXPECT_EQ(copy.data.bytes()[0], std::byte{7});
}

}  // namespace
}  // namespace headroom
