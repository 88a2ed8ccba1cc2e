// SPDX-License-Identifier: Apache-2.0
// What is checked of tensors when a model is loaded, and their elements when they are read.
#include <headroom/model/model.h>

#include <cstring>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/model_builder.h"
#include "support/thrown.h"

namespace headroom {
namespace {

using test::message_of;
using test::ModelBuilder;
using test::TemporaryFolder;
using test::TensorSpec;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

ModelBuilder holding(const TensorSpec& tensor) {
  ModelBuilder builder;
  builder.initializer(tensor);
  return builder;
}

std::string load_error(const TensorSpec& tensor) {
  return message_of(ErrorKind::BadInput, [&] { holding(tensor).parse(); });
}

Tensor read(const TensorSpec& tensor) {
  const Model model = holding(tensor).parse();
  return read_tensor(model.graph.initializers.at(0), ".");
}

std::string read_error(const TensorSpec& tensor) {
  const Model model = holding(tensor).parse();
  return message_of(ErrorKind::BadInput, [&] { read_tensor(model.graph.initializers.at(0), "."); });
}

template <class T>
std::vector<T> elements(const Tensor& tensor) {
  std::vector<T> values(tensor.data.bytes().size() / sizeof(T));
  std::memcpy(values.data(), tensor.data.bytes().data(), values.size() * sizeof(T));
  return values;
}

TEST(StoredTensor, StaysInTheFile) {
  const Model model = holding(test::float_tensor("w", {2, 3}, {1, 2, 3, 4, 5, 6})).parse();
  const StoredTensor& tensor = model.graph.initializers.at(0);
  EXPECT_EQ(tensor.name, "w");
  EXPECT_EQ(tensor.type, ElementType::Float32);
  EXPECT_THAT(tensor.dims, ElementsAre(2, 3));
  const auto file = model.file.bytes();
  EXPECT_GE(tensor.message.data(), file.data());
  EXPECT_LE(tensor.message.data() + tensor.message.size(), file.data() + file.size());
}

TEST(StoredTensor, HasDataOfTheRightSize) {
  EXPECT_THAT(load_error(test::raw_tensor("w", ElementType::Float32, {2, 3}, "1234")),
              HasSubstr("tensor 'w': shape 2x3 of float32 needs 24 bytes, raw_data has 4"));
  EXPECT_THAT(load_error(test::float_tensor("w", {3}, {1, 2})),
              HasSubstr("needs 3 entries in float_data, which has 2"));
  EXPECT_THAT(load_error(test::int64_tensor("w", {3}, {})),
              HasSubstr("in int64_data, which is not"));
}

TEST(StoredTensor, MayBeEmptyWithoutData) {
  EXPECT_TRUE(read(test::float_tensor("w", {0, 3}, {})).data.bytes().empty());
}

TEST(StoredTensor, HasNoNegativeOrOverflowingShape) {
  EXPECT_THAT(load_error(test::raw_tensor("w", ElementType::Uint8, {-1}, "")),
              HasSubstr("tensor 'w': shape -1 has a negative dimension"));
  constexpr std::int64_t kBig = std::int64_t{1} << 32;
  EXPECT_THAT(load_error(test::raw_tensor("w", ElementType::Uint8, {kBig, kBig}, "")),
              HasSubstr("63 bits"));
  EXPECT_THAT(load_error(test::raw_tensor("w", ElementType::Float64, {kBig, kBig / 8}, "")),
              HasSubstr("more bytes than 63 bits"));
}

TEST(StoredTensor, HasATypeThatOnnxDefines) {
  EXPECT_THAT(load_error(test::raw_tensor("w", static_cast<ElementType>(77), {1}, "x")),
              HasSubstr("tensor 'w': its element type is 77"));
}

TEST(StoredTensor, IsNotSplitIntoSegments) {
  TensorSpec tensor = test::float_tensor("w", {1}, {1});
  tensor.bytes += std::string("\x1a\x02\x08\x00", 4);  // segment { begin: 0 }
  EXPECT_THAT(load_error(tensor), HasSubstr("segments"));
}

TEST(StoredTensor, HasNoRawStrings) {
  EXPECT_THAT(load_error(test::raw_tensor("w", ElementType::String, {1}, "x")),
              HasSubstr("strings cannot be in raw_data"));
}

TEST(SparseTensor, KeepsValuesAndIndices) {
  ModelBuilder builder;
  builder.sparse_initializer(test::sparse_tensor(
      test::float_tensor("s", {2}, {5, 6}), test::int64_tensor("", {2, 2}, {0, 1, 2, 3}), {3, 4}));
  builder.node("Relu", {"s"}, {"y"});
  const Model model = builder.parse();
  ASSERT_EQ(model.graph.sparse_initializers.size(), 1U);
  EXPECT_THAT(model.graph.sparse_initializers[0].dims, ElementsAre(3, 4));
  const Value& value = model.graph.values[model.graph.nodes[0].inputs[0]];
  EXPECT_EQ(value.origin, Origin::SparseInitializer);
  EXPECT_EQ(to_string(*value.type.shape), "3x4");
}

TEST(SparseTensor, NeedsAsManyIndicesAsValues) {
  ModelBuilder builder;
  builder.sparse_initializer(test::sparse_tensor(test::float_tensor("s", {2}, {5, 6}),
                                                 test::int64_tensor("", {3}, {0, 1, 2}), {3, 4}));
  EXPECT_THAT(message_of(ErrorKind::BadInput, [&] { builder.parse(); }),
              HasSubstr("values of shape 2 and indices of shape 3"));
}

TEST(ReadTensor, ReadsEveryTypedField) {
  EXPECT_THAT(elements<float>(read(test::float_tensor("w", {2}, {1.5F, -2}))),
              ElementsAre(1.5F, -2.0F));
  EXPECT_THAT(elements<double>(read(test::double_tensor("w", {1}, {0.1}))), ElementsAre(0.1));
  EXPECT_THAT(elements<std::int64_t>(read(test::int64_tensor("w", {2}, {-1, INT64_MAX}))),
              ElementsAre(-1, INT64_MAX));
  EXPECT_THAT(elements<std::uint32_t>(
                  read(test::uint64_data_tensor("w", ElementType::Uint32, {1}, {UINT32_MAX}))),
              ElementsAre(UINT32_MAX));
  EXPECT_THAT(elements<std::uint64_t>(
                  read(test::uint64_data_tensor("w", ElementType::Uint64, {1}, {UINT64_MAX}))),
              ElementsAre(UINT64_MAX));
}

TEST(ReadTensor, NarrowsInt32Data) {
  const auto of = [](ElementType type, std::int32_t value) {
    return read(test::int32_data_tensor("w", type, {1}, {value}));
  };
  EXPECT_THAT(elements<std::int8_t>(of(ElementType::Int8, -5)), ElementsAre(-5));
  EXPECT_THAT(elements<std::uint8_t>(of(ElementType::Bool, 1)), ElementsAre(1));
  EXPECT_THAT(elements<std::int16_t>(of(ElementType::Int16, -300)), ElementsAre(-300));
  EXPECT_THAT(elements<std::int32_t>(of(ElementType::Int32, -70000)), ElementsAre(-70000));
  // 1.0 as IEEE 754 binary16 is 0x3C00.
  EXPECT_THAT(elements<std::uint16_t>(of(ElementType::Float16, 0x3C00)), ElementsAre(0x3C00));
}

TEST(ReadTensor, KeepsFourBitElementsPacked) {
  // Three 4-bit elements are two bytes, in raw_data and as two entries of int32_data alike.
  const auto raw = test::raw_tensor("w", ElementType::Int4, {3}, "\x21\x03");
  EXPECT_THAT(elements<std::uint8_t>(read(raw)), ElementsAre(0x21, 0x03));
  const auto typed = test::int32_data_tensor("w", ElementType::Int4, {3}, {0x21, 0x03});
  EXPECT_THAT(elements<std::uint8_t>(read(typed)), ElementsAre(0x21, 0x03));
}

TEST(ReadTensor, ReadsComplexNumbersAsPairs) {
  TensorSpec tensor = test::float_tensor("w", {1}, {1, 2});
  tensor.bytes += std::string("\x10\x0e", 2);  // data_type: COMPLEX64; the last one counts.
  EXPECT_THAT(elements<float>(read(tensor)), ElementsAre(1.0F, 2.0F));
}

TEST(ReadTensor, ReadsStrings) {
  EXPECT_THAT(read(test::string_tensor("w", {2}, {"a", ""})).strings, ElementsAre("a", ""));
  EXPECT_THAT(read_error(test::string_tensor("w", {3}, {"a"})),
              HasSubstr("needs 3 entries in string_data, which has 1"));
}

TEST(ReadTensor, ReadsUnpackedEntries) {
  // dims 2, data_type FLOAT, float_data 1.0 and 2.0 one by one, name w.
  const TensorSpec floats{
      std::string("\x08\x02\x10\x01\x25\x00\x00\x80\x3f\x25\x00\x00\x00\x40\x42\x01w", 17)};
  EXPECT_THAT(elements<float>(read(floats)), ElementsAre(1.0F, 2.0F));
  // data_type INT64, int64_data 5 and 6 one by one.
  const TensorSpec integers{std::string("\x08\x02\x10\x07\x38\x05\x38\x06\x42\x01w", 11)};
  EXPECT_THAT(elements<std::int64_t>(read(integers)), ElementsAre(5, 6));
}

TEST(ReadTensor, RefusesADifferentNumberOfEntries) {
  EXPECT_THAT(read_error(test::int64_tensor("w", {4}, {1, 2})),
              HasSubstr("tensor 'w': shape 4 of int64 needs 4 entries in int64_data, which has 2"));
}

TEST(ReadTensor, DoesNotAllocateWhatTheMessageDoesNotHold) {
  // 2^62 elements announced, one there: refused before any memory is asked for.
  EXPECT_THAT(
      read_error(test::int32_data_tensor("w", ElementType::Uint8, {std::int64_t{1} << 62}, {1})),
      HasSubstr("which has 1"));
}

TEST(ReadTensorFile, ReadsOneTensor) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "input_0.pb";
  std::ofstream(path, std::ios::binary) << test::float_tensor("x", {2}, {1, 2}).bytes;
  const Tensor tensor = read_tensor_file(path);
  EXPECT_EQ(tensor.name, "x");
  EXPECT_THAT(elements<float>(tensor), ElementsAre(1.0F, 2.0F));
}

TEST(ReadTensorFile, SaysWhatIsWrongWithTheFile) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "input_0.pb";
  std::ofstream(path, std::ios::binary) << "not a tensor";
  EXPECT_THAT(message_of(ErrorKind::BadInput, [&] { read_tensor_file(path); }),
              AllOf(HasSubstr("input_0.pb"), HasSubstr("looks like text")));
  std::ofstream(path, std::ios::binary | std::ios::trunc).flush();
  EXPECT_THAT(message_of(ErrorKind::BadInput, [&] { read_tensor_file(path); }),
              HasSubstr("is empty"));
  message_of(ErrorKind::NotFound, [&] { read_tensor_file(folder.path() / "none.pb"); });
}

}  // namespace
}  // namespace headroom
