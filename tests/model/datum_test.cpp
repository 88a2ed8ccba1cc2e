// SPDX-License-Identifier: Apache-2.0
// Values in files: tensors, sequences, optionals, and what is no such value.
#include <headroom/base/error.h>
#include <headroom/model/datum.h>
#include <headroom/model/model.h>

#include <cstring>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/model_builder.h"
#include "support/temp_folder.h"
#include "support/thrown.h"
#include "support/value_spec.h"

namespace headroom {
namespace {

using test::Held;
using test::message_of;
using test::value_holder;
using testing::ElementsAre;
using testing::HasSubstr;

class ReadDatum : public testing::Test {
 protected:
  Datum read(const std::string& bytes, TypeKind declared) {
    std::ofstream(folder_ / "v.pb", std::ios::binary) << bytes;
    return read_datum_file(folder_ / "v.pb", declared);
  }

  std::string refusal(ErrorKind kind, const std::string& bytes, TypeKind declared) {
    return message_of(kind, [&] { read(bytes, declared); });
  }

  bool survives(const std::string& bytes, TypeKind declared) {
    try {
      read(bytes, declared);
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  test::TempFolder folder_;
};

std::string tensor_bytes(const std::vector<float>& values) {
  return test::float_tensor("t", {static_cast<std::int64_t>(values.size())}, values).bytes;
}

std::vector<float> floats_of(const Datum& datum) {
  std::vector<float> values(datum.tensor.data.bytes().size() / sizeof(float));
  if (!values.empty())
    std::memcpy(values.data(), datum.tensor.data.bytes().data(), values.size() * sizeof(float));
  return values;
}

TEST_F(ReadDatum, GivesATensor) {
  const Datum datum = read(tensor_bytes({1, 2}), TypeKind::Tensor);
  EXPECT_EQ(datum.kind, DatumKind::Tensor);
  EXPECT_EQ(datum.name, "t");
  EXPECT_THAT(floats_of(datum), ElementsAre(1, 2));
  EXPECT_EQ(description_of(datum), "float32 2");
}

TEST_F(ReadDatum, GivesASequenceInOrder) {
  const Datum datum = read(
      value_holder("s", Held::Tensor, {tensor_bytes({1, 2}), tensor_bytes({}), tensor_bytes({3})}),
      TypeKind::Sequence);
  EXPECT_EQ(datum.kind, DatumKind::Sequence);
  EXPECT_EQ(datum.name, "s");
  ASSERT_EQ(datum.elements.size(), 3U);
  EXPECT_THAT(floats_of(datum.elements[0]), ElementsAre(1, 2));
  EXPECT_THAT(datum.elements[1].tensor.shape, ElementsAre(0));
  EXPECT_THAT(floats_of(datum.elements[2]), ElementsAre(3));
  EXPECT_EQ(description_of(datum), "sequence of 3");
}

TEST_F(ReadDatum, GivesAnEmptySequenceWhoseElementTypeIsSaid) {
  const Datum datum = read(value_holder("s", Held::Tensor, {}), TypeKind::Sequence);
  EXPECT_EQ(datum.kind, DatumKind::Sequence);
  EXPECT_TRUE(datum.elements.empty());
}

TEST_F(ReadDatum, GivesSequencesOfSequencesAndOfOptionals) {
  const std::string inner = value_holder("", Held::Tensor, {tensor_bytes({4})});
  const Datum nested = read(value_holder("s", Held::Sequence, {inner, inner}), TypeKind::Sequence);
  EXPECT_THAT(floats_of(nested.elements.at(1).elements.at(0)), ElementsAre(4));
  const Datum optionals = read(
      value_holder("s", Held::Optional, {value_holder("", Held::Nothing, {})}), TypeKind::Sequence);
  EXPECT_EQ(optionals.elements.at(0).kind, DatumKind::None);
}

TEST_F(ReadDatum, GivesWhatAnOptionalHolds) {
  const Datum tensor =
      read(value_holder("o", Held::Tensor, {tensor_bytes({5})}), TypeKind::Optional);
  EXPECT_EQ(tensor.kind, DatumKind::Tensor);
  EXPECT_EQ(tensor.name, "o");
  EXPECT_EQ(tensor.tensor.name, "o");
  EXPECT_THAT(floats_of(tensor), ElementsAre(5));
  const std::string sequence = value_holder("", Held::Tensor, {tensor_bytes({6})});
  const Datum held = read(value_holder("o", Held::Sequence, {sequence}), TypeKind::Optional);
  EXPECT_EQ(held.kind, DatumKind::Sequence);
}

// The empty message has no bytes: an empty file is an empty optional and nothing else.
TEST_F(ReadDatum, GivesAnEmptyOptional) {
  EXPECT_EQ(read("", TypeKind::Optional).kind, DatumKind::None);
  const Datum named = read(value_holder("o", Held::Tensor, {}), TypeKind::Optional);
  EXPECT_EQ(named.kind, DatumKind::None);
  EXPECT_EQ(named.name, "o");
  EXPECT_EQ(description_of(named), "empty optional");
  EXPECT_THAT(refusal(ErrorKind::BadInput, "", TypeKind::Sequence),
              HasSubstr("v.pb': the file is empty; a SequenceProto is wanted"));
  EXPECT_THAT(refusal(ErrorKind::BadInput, "", TypeKind::Tensor),
              HasSubstr("v.pb': the file is empty; a TensorProto is wanted"));
}

TEST_F(ReadDatum, NamesThePlaceOfABadElement) {
  const std::string cut = test::raw_tensor("t", ElementType::Float32, {2}, "1234").bytes;
  EXPECT_THAT(
      refusal(ErrorKind::BadInput, value_holder("s", Held::Tensor, {tensor_bytes({1}), cut}),
              TypeKind::Sequence),
      HasSubstr("v.pb': element #1, tensor 't': shape 2 of float32 needs 8 bytes"));
}

TEST_F(ReadDatum, RefusesWhatItCannotHold) {
  EXPECT_THAT(
      refusal(ErrorKind::Unsupported, value_holder("s", Held::Map, {"x"}), TypeKind::Sequence),
      HasSubstr("SequenceProto of maps cannot be read"));
  EXPECT_THAT(
      refusal(ErrorKind::BadInput, value_holder("s", static_cast<Held>(9), {}), TypeKind::Sequence),
      HasSubstr("elem_type of the SequenceProto is 9"));
  EXPECT_THAT(refusal(ErrorKind::Unsupported, "x", TypeKind::Map), HasSubstr("holds a map"));
}

TEST_F(ReadDatum, RefusesEndlessNesting) {
  std::string bytes = value_holder("", Held::Tensor, {});
  for (int i = 0; i < 100; ++i) bytes = value_holder("", Held::Sequence, {bytes});
  EXPECT_THAT(refusal(ErrorKind::BadInput, bytes, TypeKind::Sequence),
              HasSubstr("nested deeper than 64 levels"));
}

TEST_F(ReadDatum, EndsInAValueOrAnErrorWhereverTheFileIsCutAndWhicheverBitIsFlipped) {
  const std::string inner = value_holder(
      "i", Held::Tensor, {tensor_bytes({1, 2}), test::string_tensor("w", {2}, {"a", "bc"}).bytes});
  std::string bytes =
      value_holder("s", Held::Sequence, {inner, value_holder("j", Held::Tensor, {})});
  std::size_t refused = 0;
  for (std::size_t length = 0; length < bytes.size(); ++length)
    if (!survives(bytes.substr(0, length), TypeKind::Sequence)) ++refused;
  EXPECT_GT(refused, bytes.size() / 2);
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    const auto mask = static_cast<char>(1U << (bit % 8));
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
    survives(bytes, TypeKind::Sequence);
    survives(bytes, TypeKind::Optional);
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
  }
  EXPECT_TRUE(survives(bytes, TypeKind::Sequence));
}

TEST(EmptySequenceModel, IsAModelWithOneEmptyOutput) {
  const std::string bytes = empty_sequence_model(ElementType::String);
  const Model model = parse_model(std::as_bytes(std::span(bytes)), ".");
  ASSERT_EQ(model.graph.nodes.size(), 1U);
  EXPECT_EQ(model.graph.nodes[0].op, "SequenceEmpty");
  EXPECT_EQ(model.graph.nodes[0].integer("dtype", 0), 8);  // STRING in onnx.proto
  const ValueType& type = model.graph.values[model.graph.outputs.at(0)].type;
  EXPECT_EQ(type.kind, TypeKind::Sequence);
  EXPECT_EQ(type.inner.at(0).element, ElementType::String);
}

}  // namespace
}  // namespace headroom
