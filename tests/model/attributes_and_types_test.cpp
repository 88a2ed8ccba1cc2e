// SPDX-License-Identifier: Apache-2.0
// Attributes and types of every kind that onnx.proto has.
#include <headroom/model/model.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/model_builder.h"
#include "support/thrown.h"

namespace headroom {
namespace {

using test::attr;
using test::AttributeSpec;
using test::message_of;
using test::ModelBuilder;
using testing::ElementsAre;
using testing::HasSubstr;

ModelBuilder with_attributes(const std::vector<AttributeSpec>& attributes) {
  ModelBuilder builder;
  builder.node("Op", {}, {"y"}, attributes, "", "n");
  return builder;
}

AttributeValue value_of(const AttributeSpec& attribute) {
  // The spans of tensors are not looked at here, so that the file may be gone.
  return with_attributes({attribute}).parse().graph.nodes.at(0).attributes.at(0).value;
}

std::string error_of(const std::vector<AttributeSpec>& attributes) {
  return message_of(ErrorKind::BadInput, [&] { with_attributes(attributes).parse(); });
}

TEST(Attributes, HoldNumbersAndTexts) {
  EXPECT_EQ(std::get<std::int64_t>(value_of(attr("a", -3))), -3);
  EXPECT_EQ(std::get<float>(value_of(attr("a", 1.5F))), 1.5F);
  EXPECT_EQ(std::get<std::string>(value_of(attr("a", "edge"))), "edge");
}

TEST(Attributes, HoldLists) {
  EXPECT_THAT(std::get<std::vector<std::int64_t>>(value_of(test::ints("a", {1, -2, 3}))),
              ElementsAre(1, -2, 3));
  EXPECT_THAT(std::get<std::vector<float>>(value_of(test::floats("a", {0.5F, 2.0F}))),
              ElementsAre(0.5F, 2.0F));
  EXPECT_THAT(std::get<std::vector<std::string>>(
                  value_of(attr("a", std::vector<std::string>{"x", "", "z"}))),
              ElementsAre("x", "", "z"));
}

TEST(Attributes, AreEmptyListsWhereOnlyTheTypeIsGiven) {
  EXPECT_TRUE(std::get<std::vector<std::int64_t>>(value_of(test::ints("a", {}))).empty());
  EXPECT_TRUE(
      std::get<std::vector<Graph>>(value_of(attr("a", std::vector<test::GraphBuilder>{}))).empty());
}

TEST(Attributes, ReadPackedLists) {
  // name "a"; ints (field 8) packed 1, 300; type 7.
  const AttributeSpec ints{
      std::string("\x0a\x01"
                  "a"
                  "\x42\x03\x01\xac\x02\xa0\x01\x07")};
  EXPECT_THAT(std::get<std::vector<std::int64_t>>(value_of(ints)), ElementsAre(1, 300));
  // floats (field 7) packed 1.0; type 6.
  const AttributeSpec floats{
      std::string("\x0a\x01"
                  "a"
                  "\x3a\x04\x00\x00\x80\x3f\xa0\x01\x06",
                  12)};
  EXPECT_THAT(std::get<std::vector<float>>(value_of(floats)), ElementsAre(1.0F));
}

TEST(Attributes, HoldTensorsAndSparseTensors) {
  const auto tensor = test::float_tensor("t", {2}, {1, 2});
  EXPECT_EQ(std::get<StoredTensor>(value_of(attr("a", tensor))).dims, std::vector<std::int64_t>{2});
  EXPECT_EQ(
      std::get<std::vector<StoredTensor>>(value_of(attr("a", std::vector{tensor, tensor}))).size(),
      2U);
  const auto sparse = test::sparse_tensor(tensor, test::int64_tensor("i", {2}, {0, 5}), {2, 4});
  EXPECT_EQ(std::get<StoredSparseTensor>(value_of(attr("a", sparse))).dims,
            (std::vector<std::int64_t>{2, 4}));
  EXPECT_EQ(
      std::get<std::vector<StoredSparseTensor>>(value_of(attr("a", std::vector{sparse}))).size(),
      1U);
}

TEST(Attributes, HoldTypes) {
  const auto type = test::tensor_type(ElementType::Int64, {{"n"}});
  EXPECT_EQ(std::get<ValueType>(value_of(attr("a", type))).element, ElementType::Int64);
  EXPECT_EQ(std::get<std::vector<ValueType>>(value_of(attr("a", std::vector{type, type}))).size(),
            2U);
}

TEST(Attributes, HoldGraphs) {
  test::GraphBuilder body("body");
  body.node("Constant", {}, {"k"}).output("k");
  const auto one = std::get<std::vector<Graph>>(value_of(attr("a", body)));
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].name, "body");
  EXPECT_EQ(std::get<std::vector<Graph>>(value_of(attr("a", std::vector{body, body}))).size(), 2U);
}

TEST(Attributes, TellTheirTypeFromTheOnlyValueWhereItIsLeftOut) {
  EXPECT_EQ(std::get<std::int64_t>(value_of({std::string("\x0a\x01"
                                                         "a"
                                                         "\x18\x07")})),
            7);
  EXPECT_THAT(error_of({{std::string("\x0a\x01"
                                     "a")}}),
              HasSubstr("attribute 'a': it has no type"));
}

TEST(Attributes, AreRefusedTwice) {
  EXPECT_THAT(error_of({attr("axis", 1), attr("k", 1), attr("axis", 2)}),
              HasSubstr("node 'n': its attribute 'axis' is there twice"));
}

TEST(Attributes, AreRefusedWithoutNameOrWithAnUnknownType) {
  EXPECT_THAT(error_of({attr("", 1)}), HasSubstr("it has no name"));
  EXPECT_THAT(error_of({{std::string("\x0a\x01"
                                     "a"
                                     "\xa0\x01\x63")}}),
              HasSubstr("its type 99 is not"));
}

TEST(Attributes, AreRefusedWhereTheAnnouncedMessageIsNotThere) {
  EXPECT_THAT(error_of({{std::string("\x0a\x01"
                                     "a"
                                     "\xa0\x01\x05")}}),
              HasSubstr("is not there"));
}

ValueType type_of_input(const test::TypeSpec& type) {
  ModelBuilder builder;
  builder.input("x", type);
  return builder.parse().graph.values.at(0).type;
}

TEST(Types, AreTensorsWithOrWithoutShape) {
  EXPECT_EQ(type_of_input(test::tensor_type(ElementType::Int4)).shape, std::nullopt);
  const ValueType scalar =
      type_of_input(test::tensor_type(ElementType::Bfloat16, std::vector<test::DimSpec>{}));
  EXPECT_EQ(scalar.kind, TypeKind::Tensor);
  EXPECT_EQ(scalar.element, ElementType::Bfloat16);
  EXPECT_EQ(scalar.shape, Shape{});
}

TEST(Types, KeepDeclaredDimensionsAsTheyAre) {
  const ValueType type =
      type_of_input(test::tensor_type(ElementType::Float32, {{-1, 0, "n", std::nullopt, 7}}));
  const Shape expected{{-1, {}}, {0, {}}, {std::nullopt, "n"}, {std::nullopt, {}}, {7, {}}};
  EXPECT_EQ(type.shape, expected);
}

TEST(Types, AreSparseTensorsSequencesOptionalsAndMaps) {
  const auto tensor = test::tensor_type(ElementType::Float32, {{2}});
  EXPECT_EQ(type_of_input(test::sparse_tensor_type(ElementType::Float32)).kind,
            TypeKind::SparseTensor);
  const ValueType sequence = type_of_input(test::sequence_type(tensor));
  EXPECT_EQ(sequence.kind, TypeKind::Sequence);
  ASSERT_EQ(sequence.inner.size(), 1U);
  EXPECT_EQ(to_string(*sequence.inner[0].shape), "2");
  const ValueType optional = type_of_input(test::optional_type(test::sequence_type(tensor)));
  EXPECT_EQ(optional.kind, TypeKind::Optional);
  EXPECT_EQ(optional.inner.at(0).kind, TypeKind::Sequence);
  const ValueType map = type_of_input(test::map_type(ElementType::String, tensor));
  EXPECT_EQ(map.kind, TypeKind::Map);
  EXPECT_EQ(map.element, ElementType::String);
  EXPECT_EQ(map.inner.at(0).element, ElementType::Float32);
}

TEST(Types, AreUnknownWhereOpaqueOrEmpty) {
  EXPECT_EQ(type_of_input(test::opaque_type("d", "n")).kind, TypeKind::Unknown);
  EXPECT_EQ(type_of_input({}).kind, TypeKind::Unknown);
}

TEST(Types, WithAnUndefinedElementTypeAreADiagnostic) {
  ModelBuilder builder;
  builder.input("x", static_cast<ElementType>(99), {{2}});
  const Model model = builder.parse();
  ASSERT_EQ(model.diagnostics.size(), 1U);
  EXPECT_EQ(model.diagnostics[0].code, "undefined_element_type");
  EXPECT_EQ(model.diagnostics[0].place, "input 'x'");
  EXPECT_THAT(model.diagnostics[0].message, HasSubstr("element type 99"));
  EXPECT_EQ(model.graph.values[0].type.element, ElementType::Undefined);
}

TEST(Types, AreRefusedBelow64Levels) {
  test::TypeSpec type = test::tensor_type(ElementType::Float32);
  for (int i = 0; i < 65; ++i) type = test::sequence_type(type);
  ModelBuilder builder;
  builder.input("x", type);
  EXPECT_THAT(message_of(ErrorKind::BadInput, [&] { builder.parse(); }),
              HasSubstr("types are nested deeper than 64 levels"));
}

}  // namespace
}  // namespace headroom
