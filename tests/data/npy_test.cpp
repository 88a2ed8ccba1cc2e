// SPDX-License-Identifier: Apache-2.0
// Files are bytes here, laid out by hand after NumPy enhancement proposal 1; numpy 2.4 reads the
// valid ones as the tests say.
#include "data/npy.h"

#include <cstring>
#include <fstream>

#include <gmock/gmock.h>

#include "support/temp_folder.h"
#include "support/thrown.h"

namespace headroom {
namespace {

using test::message_of;
using testing::ElementsAre;
using testing::HasSubstr;

std::string npy(const std::string& header, const std::string& data, int version = 1) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  file += static_cast<char>(header.size() & 0xFFU);
  file += static_cast<char>(header.size() >> 8U);
  if (version > 1) file += std::string(2, '\0');
  return file + header + data;
}

std::string header_of(const std::string& descr, const std::string& shape,
                      const std::string& order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

class Npy : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& bytes) {
    const std::filesystem::path path = folder_ / "a.npy";
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  Tensor read(const std::string& bytes) { return read_npy(write(bytes)); }
  std::string refusal(ErrorKind kind, const std::string& bytes) {
    return message_of(kind, [&] { read(bytes); });
  }

 private:
  test::TempFolder folder_{};
};

template <class T>
std::vector<T> elements(const Tensor& tensor) {
  std::vector<T> values(tensor.data.bytes().size() / sizeof(T));
  std::memcpy(values.data(), tensor.data.bytes().data(), values.size() * sizeof(T));
  return values;
}

// 1.5 is 0x3FC00000 in IEEE 754 single precision, -2 is 0xC0000000.
TEST_F(Npy, ReadsLittleAndBigEndianFloats) {
  const Tensor little =
      read(npy(header_of("<f4", "(2,)"), std::string("\x00\x00\xC0\x3F\x00\x00\x00\xC0", 8)));
  EXPECT_EQ(little.type, ElementType::Float32);
  EXPECT_THAT(little.shape, ElementsAre(2));
  EXPECT_THAT(elements<float>(little), ElementsAre(1.5F, -2.0F));
  const Tensor big =
      read(npy(header_of(">f4", "(1, 2)"), std::string("\x3F\xC0\x00\x00\xC0\x00\x00\x00", 8)));
  EXPECT_THAT(big.shape, ElementsAre(1, 2));
  EXPECT_THAT(elements<float>(big), ElementsAre(1.5F, -2.0F));
}

TEST_F(Npy, ReadsEveryNumberType) {
  const std::vector<std::pair<std::string, ElementType>> types = {
      {"|b1", ElementType::Bool},      {"|i1", ElementType::Int8},
      {"<i2", ElementType::Int16},     {"<i4", ElementType::Int32},
      {"<i8", ElementType::Int64},     {"|u1", ElementType::Uint8},
      {"<u2", ElementType::Uint16},    {"<u4", ElementType::Uint32},
      {"<u8", ElementType::Uint64},    {"<f2", ElementType::Float16},
      {"<f4", ElementType::Float32},   {"<f8", ElementType::Float64},
      {"<c8", ElementType::Complex64}, {"<c16", ElementType::Complex128}};
  for (const auto& [descr, type] : types) {
    const auto size = static_cast<std::size_t>(std::stoi(descr.substr(2)));
    const Tensor tensor = read(npy(header_of(descr, "()"), std::string(size, '\x01')));
    EXPECT_EQ(tensor.type, type) << descr;
    EXPECT_TRUE(tensor.shape.empty()) << descr;
    EXPECT_EQ(tensor.data.bytes().size(), size) << descr;
  }
}

// Real and imaginary part are swapped each for itself.
TEST_F(Npy, SwapsThePartsOfComplexNumbers) {
  const Tensor tensor =
      read(npy(header_of(">c8", "(1,)"), std::string("\x3F\xC0\x00\x00\xC0\x00\x00\x00", 8)));
  EXPECT_THAT(elements<float>(tensor), ElementsAre(1.5F, -2.0F));
}

// U+00E9 and U+20AC in UTF-8 are C3 A9 and E2 82 AC.
TEST_F(Npy, ReadsStrings) {
  const std::string e_acute("\xE9\x00\x00\x00", 4);
  const std::string euro("\xAC\x20\x00\x00", 4);
  const std::string zero(4, '\0');
  const Tensor unicode = read(npy(header_of("<U2", "(2,)"), e_acute + euro + e_acute + zero));
  EXPECT_EQ(unicode.type, ElementType::String);
  EXPECT_THAT(unicode.strings, ElementsAre("\xC3\xA9\xE2\x82\xAC", "\xC3\xA9"));
  const Tensor bytes = read(npy(header_of("|S3", "(2,)"), std::string("ab\0abc", 6)));
  EXPECT_THAT(bytes.strings, ElementsAre("ab", "abc"));
}

TEST_F(Npy, ReadsVersionsTwoAndThree) {
  for (const int version : {2, 3}) {
    EXPECT_THAT(elements<std::uint8_t>(read(npy(header_of("|u1", "(2,)"), "\x05\x06", version))),
                ElementsAre(5, 6));
  }
}

TEST_F(Npy, DescribesWithoutElements) {
  const FileTensor found = describe_npy(write(npy(header_of("<i8", "(3, 4)"), "")));
  EXPECT_EQ(found.type, ElementType::Int64);
  EXPECT_THAT(found.shape, ElementsAre(3, 4));
}

TEST_F(Npy, RefusesFortranOrderWithARemedy) {
  EXPECT_THAT(refusal(ErrorKind::Unsupported,
                      npy(header_of("<f4", "(1, 2)", "True"), std::string(8, '\0'))),
              HasSubstr("numpy.ascontiguousarray"));
  // One axis lies the same way in both orders, and numpy itself writes True there at times.
  EXPECT_THAT(read(npy(header_of("|u1", "(2,)", "True"), "\x05\x06")).shape, ElementsAre(2));
}

TEST_F(Npy, RefusesTypesThatOnnxLacks) {
  for (const std::string descr : {"<M8[s]", "|O", "<f16", "|V2", "<q8", "<f", "x"}) {
    EXPECT_THAT(
        refusal(ErrorKind::Unsupported, npy(header_of(descr, "(1,)"), std::string(16, '\0'))),
        HasSubstr("astype"))
        << descr;
  }
  EXPECT_THAT(
      refusal(ErrorKind::Unsupported,
              npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }\n", "")),
      HasSubstr("of several fields"));
}

TEST_F(Npy, RefusesBrokenFiles) {
  const std::string good = npy(header_of("<f4", "(2,)"), std::string(8, '\0'));
  EXPECT_THAT(refusal(ErrorKind::BadInput, ""), HasSubstr("magic"));
  EXPECT_THAT(refusal(ErrorKind::BadInput, "hello, this is text"), HasSubstr("magic"));
  EXPECT_THAT(refusal(ErrorKind::BadInput, good.substr(0, 30)), HasSubstr("inside its header"));
  EXPECT_THAT(refusal(ErrorKind::BadInput, good.substr(0, good.size() - 1)),
              HasSubstr("shape 2 of 4 bytes an element does not match the 7 bytes"));
  EXPECT_THAT(refusal(ErrorKind::BadInput, good + "x"), HasSubstr("the 9 bytes"));
  EXPECT_THAT(refusal(ErrorKind::BadInput, npy("{'descr': '<f4'}\n", "")),
              HasSubstr("lacks descr or shape"));
  EXPECT_THAT(refusal(ErrorKind::BadInput, npy("{'descr': '<f4', 'shape': (1", "")),
              HasSubstr("lacks a ')'"));
  EXPECT_THAT(refusal(ErrorKind::BadInput, npy(header_of("<f4", "(-1,)"), "")),
              HasSubstr("not of sizes"));
  EXPECT_THAT(refusal(ErrorKind::BadInput, npy("{'colour': 1}\n", "")),
              HasSubstr("unknown key 'colour'"));
}

TEST_F(Npy, RefusesSizesThatOverflow) {
  EXPECT_THROW(read(npy(header_of("<f4", "(4294967296, 4294967296)"), "")), Error);
  EXPECT_THROW(read(npy(header_of("<f8", "(2305843009213693952,)"), "")), Error);
  EXPECT_THROW(read(npy(header_of("<f4", "(99999999999999999999,)"), "")), Error);
}

}  // namespace
}  // namespace headroom
