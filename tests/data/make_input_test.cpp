// SPDX-License-Identifier: Apache-2.0
// The expected numbers come from tests/data/reference_values.py, which knows the published
// generator and nothing of this library.
#include <headroom/data.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include <gmock/gmock.h>

#include "support/temp_folder.h"
#include "support/thrown.h"

namespace headroom {
namespace {

using test::message_of;
using testing::ElementsAre;
using testing::HasSubstr;

template <class T>
std::vector<T> elements(const Tensor& tensor) {
  std::vector<T> values(tensor.data.bytes().size() / sizeof(T));
  std::memcpy(values.data(), tensor.data.bytes().data(), values.size() * sizeof(T));
  return values;
}

InputSpec spec_of(const std::string& name, ElementType type, std::vector<std::int64_t> shape,
                  FillKind fill, std::int64_t low = 0, std::int64_t high = 0) {
  return {.name = name,
          .type = type,
          .shape = std::move(shape),
          .fill = fill,
          .low = low,
          .high = high};
}

TEST(MakeInput, FollowsTheSpecifiedStreamOfNormals) {
  const Tensor tensor = make_input(spec_of("x", ElementType::Float32, {2, 2}, FillKind::Normal), 7);
  EXPECT_EQ(tensor.name, "x");
  EXPECT_THAT(elements<float>(tensor), ElementsAre(0x1.24bcce0000000p+0F, -0x1.cea3c40000000p-1F,
                                                   -0x1.fa70b80000000p+0F, 0x1.8253260000000p-6F));
}

TEST(MakeInput, RoundsOnceToSmallFormats) {
  const Tensor half = make_input(spec_of("x", ElementType::Float16, {4}, FillKind::Normal), 7);
  EXPECT_THAT(elements<std::uint16_t>(half), ElementsAre(0x3C93, 0xBB3B, 0xBFEA, 0x2609));
  const Tensor brain = make_input(spec_of("x", ElementType::Bfloat16, {4}, FillKind::Normal), 7);
  EXPECT_THAT(elements<std::uint16_t>(brain), ElementsAre(0x3F92, 0xBF67, 0xBFFD, 0x3CC1));
}

TEST(MakeInput, FillsBothPartsOfComplexNumbers) {
  const Tensor tensor = make_input(spec_of("x", ElementType::Complex64, {2}, FillKind::Normal), 7);
  EXPECT_THAT(elements<float>(tensor), ElementsAre(0x1.24bcce0000000p+0F, -0x1.cea3c40000000p-1F,
                                                   -0x1.fa70b80000000p+0F, 0x1.8253260000000p-6F));
}

TEST(MakeInput, DrawsIntegersFromTheRange) {
  const Tensor tensor =
      make_input(spec_of("ids", ElementType::Int64, {6}, FillKind::Integers, 0, 9), 7);
  EXPECT_THAT(elements<std::int64_t>(tensor), ElementsAre(2, 0, 0, 6, 4, 0));
}

// -3, -1, 5, -5, -4 are the nibbles D, F, 5, B, C; the first of a pair is the low one.
TEST(MakeInput, PacksFourBitsFromTheLowNibbleUp) {
  const Tensor tensor =
      make_input(spec_of("nibbles", ElementType::Int4, {5}, FillKind::Integers, -8, 7), 7);
  EXPECT_THAT(elements<std::uint8_t>(tensor), ElementsAre(0xFD, 0xB5, 0x0C));
}

// Four times the code 3 in a byte is 0xFF; a fifth begins the next byte.
TEST(MakeInput, PacksTwoBitsFourToAByte) {
  const Tensor tensor =
      make_input(spec_of("x", ElementType::Uint2, {5}, FillKind::Integers, 3, 3), 7);
  EXPECT_THAT(elements<std::uint8_t>(tensor), ElementsAre(0xFF, 0x03));
}

TEST(MakeInput, GivesIntegersToEveryType) {
  const Tensor real =
      make_input(spec_of("x", ElementType::Float32, {2}, FillKind::Integers, 1, 1), 0);
  EXPECT_THAT(elements<float>(real), ElementsAre(1.0F, 1.0F));
  const Tensor truth =
      make_input(spec_of("x", ElementType::Bool, {2}, FillKind::Integers, 1, 1), 0);
  EXPECT_THAT(elements<std::uint8_t>(truth), ElementsAre(1, 1));
  const Tensor small =
      make_input(spec_of("x", ElementType::Uint8, {1}, FillKind::Integers, 300, 300), 0);
  EXPECT_THAT(elements<std::uint8_t>(small), ElementsAre(255));
}

TEST(MakeInput, MakesWordsAndZeros) {
  const Tensor words = make_input(spec_of("t", ElementType::String, {3}, FillKind::Words), 0);
  EXPECT_THAT(words.strings, ElementsAre("text0", "text1", "text2"));
  const Tensor zeros = make_input(spec_of("x", ElementType::Float64, {2}, FillKind::Zeros), 0);
  EXPECT_THAT(elements<double>(zeros), ElementsAre(0.0, 0.0));
}

TEST(MakeInput, MakesOnesOfEveryNumber) {
  EXPECT_THAT(
      elements<float>(make_input(spec_of("x", ElementType::Float32, {2}, FillKind::Ones), 0)),
      ElementsAre(1, 1));
  EXPECT_THAT(elements<std::uint16_t>(
                  make_input(spec_of("x", ElementType::Float16, {1}, FillKind::Ones), 0)),
              ElementsAre(0x3C00));
  EXPECT_THAT(
      elements<std::int64_t>(make_input(spec_of("x", ElementType::Int64, {2}, FillKind::Ones), 0)),
      ElementsAre(1, 1));
}

// Without its sign a denormal number lies between the bits of zero and those of the smallest
// normal.
template <class T>
void expect_denormals(ElementType type, T smallest_normal) {
  const auto bits = elements<T>(make_input(spec_of("x", type, {1000}, FillKind::Denormal), 3));
  const auto sign = static_cast<T>(T{1} << (8 * sizeof(T) - 1));
  int negative = 0;
  T largest = 0;
  for (const T element : bits) {
    const auto magnitude = static_cast<T>(element & static_cast<T>(~sign));
    EXPECT_GT(magnitude, T{0});
    EXPECT_LT(magnitude, smallest_normal);
    if (element >= sign) ++negative;
    largest = std::max(largest, magnitude);
  }
  EXPECT_NEAR(negative, 500, 80);                  // five standard deviations
  EXPECT_GT(largest, smallest_normal / 100 * 98);  // of 1000 all below 98 %: 2 in 10^9
}

TEST(MakeInput, MakesDenormalsOfBothSignsOverTheirWholeRange) {
  expect_denormals(ElementType::Float16, std::uint16_t{0x0400});
  expect_denormals(ElementType::Bfloat16, std::uint16_t{0x0080});
  expect_denormals(ElementType::Float32, std::uint32_t{0x00800000});
  expect_denormals(ElementType::Float64, std::uint64_t{0x0010000000000000});
}

TEST(MakeInput, MakesAShareOfZeros) {
  InputSpec spec = spec_of("x", ElementType::Float32, {10'000}, FillKind::Sparse);
  const auto sparse = [&](double zeros) {
    spec.zeros = zeros;
    return elements<float>(make_input(spec, 5));
  };
  const auto half = sparse(0.5);
  EXPECT_NEAR(static_cast<double>(std::count(half.begin(), half.end(), 0.0F)), 5000, 250);
  const auto more = sparse(0.9);
  EXPECT_NEAR(static_cast<double>(std::count(more.begin(), more.end(), 0.0F)), 9000, 150);
  // The elements that are left are the same ones.
  for (std::size_t i = 0; i < half.size(); ++i)
    EXPECT_TRUE(more[i] == 0 || more[i] == half[i]) << i;
}

TEST(MakeInput, RefusesFillsThatATypeDoesNotHave) {
  for (const auto& [type, fill] : {std::pair{ElementType::Int32, FillKind::Denormal},
                                   std::pair{ElementType::Float8E5M2, FillKind::Denormal},
                                   std::pair{ElementType::Int32, FillKind::Sparse}}) {
    EXPECT_THAT(
        message_of(ErrorKind::BadInput,
                   [type = type, fill = fill] { make_input(spec_of("x", type, {1}, fill), 0); }),
        HasSubstr("cannot be filled with"));
  }
}

TEST(MakeInput, MakesScalarsAndEmptyTensors) {
  EXPECT_EQ(
      make_input(spec_of("x", ElementType::Float32, {}, FillKind::Normal), 0).data.bytes().size(),
      4U);
  EXPECT_TRUE(make_input(spec_of("x", ElementType::Float32, {2, 0}, FillKind::Normal), 0)
                  .data.bytes()
                  .empty());
}

TEST(MakeInput, DependsOnSeedAndName) {
  const auto first = [](const std::string& name, std::uint64_t seed) {
    return elements<float>(
        make_input(spec_of(name, ElementType::Float32, {1}, FillKind::Normal), seed))[0];
  };
  EXPECT_EQ(first("x", 1), first("x", 1));
  EXPECT_NE(first("x", 1), first("x", 2));
  EXPECT_NE(first("x", 1), first("y", 1));
}

TEST(MakeInput, RefusesAFillThatTheTypeCannotTake) {
  EXPECT_THAT(
      message_of(ErrorKind::BadInput,
                 [] { make_input(spec_of("t", ElementType::String, {1}, FillKind::Normal), 0); }),
      HasSubstr("input 't': string cannot be filled with normal"));
}

// The file, a scalar of type uint8, was made by numpy.save(f, numpy.uint8(7)).
TEST(MakeInput, NamesInputNeedAndFindWhenAFileDiffers) {
  const test::TempFolder folder;
  const std::string path = (folder / "a.npy").string();
  {
    std::string bytes = "\x93NUMPY";
    bytes += std::string("\x01\x00\x46\x00", 4);
    std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (), }";
    header.resize(0x46 - 1, ' ');
    std::FILE* file = std::fopen(path.c_str(), "wb");
    const std::string content = bytes + header + "\n\x07";
    std::fwrite(content.data(), 1, content.size(), file);
    std::fclose(file);
  }
  InputSpec spec = spec_of("x", ElementType::Uint8, {}, FillKind::File);
  spec.path = path;
  EXPECT_THAT(elements<std::uint8_t>(make_input(spec, 0)), ElementsAre(7));
  EXPECT_EQ(make_input(spec, 0).name, "x");
  spec.type = ElementType::Float32;
  spec.shape = {1, 3};
  EXPECT_EQ(message_of(ErrorKind::BadInput, [&] { make_input(spec, 0); }),
            "input 'x' needs float32 1x3; '" + path + "' holds uint8 scalar");
}

}  // namespace
}  // namespace headroom
