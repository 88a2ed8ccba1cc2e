// SPDX-License-Identifier: Apache-2.0
// Shapes that a graph computes for itself: small integer tensors are evaluated, open elements keep
// the names of the dimensions they stem from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/inferred.h"
#include "support/thrown.h"

namespace headroom {
namespace {

using test::attr;
using test::inferred;
using test::int64_tensor;
using test::ints;
using test::ModelBuilder;
using test::type_of;
using testing::ElementsAre;

// The elements of a value: numbers, and symbols where open.
std::vector<std::string> elements(const Model& model, std::string_view name) {
  std::vector<std::string> result;
  for (ValueId id = 0; id < model.graph.values.size(); ++id) {
    const auto found = model.graph.known.find(id);
    if (model.graph.values[id].name != name || found == model.graph.known.end()) continue;
    for (std::size_t i = 0; i < found->second.elements.size(); ++i)
      result.push_back(found->second.elements[i] ? std::to_string(*found->second.elements[i])
                                                 : found->second.symbols.at(i));
  }
  return result;
}

std::vector<double> reals(const Model& model, std::string_view name) {
  for (const auto& [id, known] : model.graph.known)
    if (model.graph.values[id].name == name) return known.reals;
  return {};
}

// Splitting the heads of attention, as exporters write it: the batch and the length are read from
// the input's shape, 12 heads of 64 are constants.
ModelBuilder split_heads() {
  ModelBuilder model;
  model.input("x", ElementType::Float32, {{"batch", "length", 768}});
  model.initializer("zero", std::vector<std::int64_t>{}, std::vector<std::int64_t>{0});
  model.initializer("one", std::vector<std::int64_t>{}, std::vector<std::int64_t>{1});
  model.initializer("first", {1}, std::vector<std::int64_t>{0});
  model.initializer("heads", {1}, std::vector<std::int64_t>{12});
  model.initializer("size", {1}, std::vector<std::int64_t>{64});
  model.node("Shape", {"x"}, {"shape"});
  model.node("Gather", {"shape", "zero"}, {"b"});
  model.node("Gather", {"shape", "one"}, {"l"});
  model.node("Unsqueeze", {"b", "first"}, {"b1"});
  model.node("Unsqueeze", {"l", "first"}, {"l1"});
  model.node("Concat", {"b1", "l1", "heads", "size"}, {"target"}, {attr("axis", 0)});
  model.node("Reshape", {"x", "target"}, {"y"});
  model.output("y");
  return model;
}

TEST(InferEvaluation, CarriesSymbolsFromShapeToReshape) {
  const Model model = inferred(split_heads());
  EXPECT_THAT(elements(model, "shape"), ElementsAre("batch", "length", "768"));
  EXPECT_THAT(elements(model, "target"), ElementsAre("batch", "length", "12", "64"));
  EXPECT_EQ(type_of(model, "y"), "float32 batchxlengthx12x64");
}

TEST(InferEvaluation, ComputesTheSameWithFixedSizes) {
  const Model model = inferred(split_heads(), {.dims = {{"batch", 2}, {"length", 5}}});
  EXPECT_THAT(elements(model, "target"), ElementsAre("2", "5", "12", "64"));
  EXPECT_EQ(type_of(model, "y"), "float32 2x5x12x64");
}

TEST(InferEvaluation, DoesArithmeticAsIntegersDo) {
  // On [6, 7]: + 1 = [7, 8]; · 2 = [12, 14]; − 7 = [−1, 0]; / 4 truncates: [1, 1]; mod 4 = [2, 3];
  // −7 / 2 = −3 and −7 mod 4 = 1 (the sign of the divisor).
  ModelBuilder model;
  model.input("x", ElementType::Float32, {{6, 7}});
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::int64_t>>{
           {"one", 1}, {"two", 2}, {"four", 4}, {"seven", 7}, {"minus", -7}})
    model.initializer(int64_tensor(name, {1}, {value}));
  model.node("Shape", {"x"}, {"s"});
  model.node("Add", {"s", "one"}, {"sum"});
  model.node("Mul", {"s", "two"}, {"product"});
  model.node("Sub", {"s", "seven"}, {"difference"});
  model.node("Div", {"s", "four"}, {"quotient"});
  model.node("Mod", {"s", "four"}, {"rest"});
  model.node("Div", {"minus", "two"}, {"truncated"});
  model.node("Mod", {"minus", "four"}, {"positive"});
  model.node("ReduceProd", {"s"}, {"count"}, {attr("keepdims", 0)});
  const Model result = inferred(model);
  EXPECT_THAT(elements(result, "sum"), ElementsAre("7", "8"));
  EXPECT_THAT(elements(result, "product"), ElementsAre("12", "14"));
  EXPECT_THAT(elements(result, "difference"), ElementsAre("-1", "0"));
  EXPECT_THAT(elements(result, "quotient"), ElementsAre("1", "1"));
  EXPECT_THAT(elements(result, "rest"), ElementsAre("2", "3"));
  EXPECT_THAT(elements(result, "truncated"), ElementsAre("-3"));
  EXPECT_THAT(elements(result, "positive"), ElementsAre("1"));
  EXPECT_THAT(elements(result, "count"), ElementsAre("42"));
}

TEST(InferEvaluation, KeepsASymbolThroughNeutralElementsOnly) {
  ModelBuilder model;
  model.input("x", ElementType::Float32, {{"n"}});
  model.initializer(int64_tensor("zero", {1}, {0}));
  model.initializer(int64_tensor("one", {1}, {1}));
  model.initializer(int64_tensor("two", {1}, {2}));
  model.node("Shape", {"x"}, {"s"});
  model.node("Add", {"s", "zero"}, {"a"});
  model.node("Mul", {"a", "one"}, {"b"});
  model.node("Div", {"b", "one"}, {"c"});
  model.node("Sub", {"c", "s"}, {"d"});
  model.node("Mul", {"s", "two"}, {"e"}, {}, "", "twice");
  const Model result = inferred(model);
  EXPECT_THAT(elements(result, "c"), ElementsAre("n"));
  EXPECT_THAT(elements(result, "d"), ElementsAre("0"));
  EXPECT_THAT(elements(result, "e"), ElementsAre("n -> twice output 0, element 0"));
}

TEST(InferEvaluation, SlicesShapesAndMakesConstants) {
  // [2, 3, 4, 5][1:3] = [3, 4]; a tensor of that shape filled with 7; [5, 4, 3, 2] backwards.
  ModelBuilder model;
  model.input("x", ElementType::Float32, {{2, 3, 4, 5}});
  model.initializer(int64_tensor("start", {1}, {1}));
  model.initializer(int64_tensor("end", {1}, {3}));
  model.initializer(int64_tensor("last", {1}, {-1}));
  model.initializer(int64_tensor("before", {1}, {INT64_MIN}));
  model.initializer(int64_tensor("axis", {1}, {0}));
  model.initializer(int64_tensor("back", {1}, {-1}));
  model.node("Shape", {"x"}, {"s"});
  model.node("Slice", {"s", "start", "end"}, {"middle"});
  model.node("Slice", {"s", "last", "before", "axis", "back"}, {"reversed"});
  model.node("ConstantOfShape", {"middle"}, {"sevens"},
             {attr("value", int64_tensor("v", {1}, {7}))});
  const Model result = inferred(model);
  EXPECT_THAT(elements(result, "middle"), ElementsAre("3", "4"));
  EXPECT_THAT(elements(result, "reversed"), ElementsAre("5", "4", "3", "2"));
  EXPECT_EQ(type_of(result, "sevens"), "int64 3x4");
  EXPECT_EQ(elements(result, "sevens"), std::vector<std::string>(12, "7"));
}

TEST(InferEvaluation, CountsRanges) {
  // ceil((7 − 0) / 2) = 4: 0, 2, 4, 6. Range(0, n, 1) has n elements.
  ModelBuilder model;
  model.input("x", ElementType::Float32, {{7, "n"}});
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::int64_t>>{{"zero", 0}, {"one", 1}, {"two", 2}})
    model.initializer(int64_tensor(name, {}, {value}));
  model.node("Shape", {"x"}, {"s"});
  model.node("Gather", {"s", "zero"}, {"seven"});
  model.node("Gather", {"s", "one"}, {"count"});
  model.node("Range", {"zero", "seven", "two"}, {"even"});
  model.node("Range", {"zero", "count", "one"}, {"positions"});
  model.node("Range", {"one", "count", "one"}, {"later"}, {}, "", "r");
  const Model result = inferred(model);
  EXPECT_THAT(elements(result, "even"), ElementsAre("0", "2", "4", "6"));
  EXPECT_EQ(type_of(result, "positions"), "int64 n");
  EXPECT_THAT(test::open_dims(result, "later"), ElementsAre("n -> r output 0, dimension 0"));
}

TEST(InferEvaluation, KnowsThatASizeIsNotNegative) {
  // Expand as PyTorch writes it: −1 in the target means «as it is», and is replaced by 1.
  ModelBuilder model;
  model.input("x", ElementType::Float32, {{"n", 1}});
  model.initializer(int64_tensor("four", {1}, {4}));
  model.initializer(int64_tensor("zero", {}, {0}));
  model.initializer(int64_tensor("axis", {1}, {0}));
  model.initializer(int64_tensor("minus", {1}, {-1}));
  model.initializer(int64_tensor("ones", {2}, {1, 1}));
  model.node("Shape", {"x"}, {"s"});
  model.node("Gather", {"s", "zero"}, {"n0"});
  model.node("Unsqueeze", {"n0", "axis"}, {"n1"});
  model.node("Concat", {"n1", "four"}, {"target"}, {attr("axis", 0)});
  model.node("Equal", {"target", "minus"}, {"is_minus"});
  model.node("Where", {"is_minus", "ones", "target"}, {"replaced"});
  model.node("Expand", {"x", "replaced"}, {"y"});
  const Model result = inferred(model);
  EXPECT_THAT(elements(result, "is_minus"), ElementsAre("0", "0"));
  EXPECT_EQ(type_of(result, "y"), "float32 nx4");
}

TEST(InferEvaluation, RoundsRealsAsFloat32) {
  // Half of a height as exporters write it: 7 · 0.5 = 3.5, floor 3, as an integer 3.
  ModelBuilder model;
  model.input("x", ElementType::Float32, {{7}});
  model.initializer("half", {1}, std::vector<float>{0.5F});
  model.initializer("tenth", {1}, std::vector<float>{0.1F});
  model.node("Shape", {"x"}, {"s"});
  model.node("Cast", {"s"}, {"f"}, {attr("to", 1)});
  model.node("Mul", {"f", "half"}, {"m"});
  model.node("Floor", {"m"}, {"g"});
  model.node("Cast", {"g"}, {"i"}, {attr("to", 7)});
  model.node("Mul", {"f", "tenth"}, {"t"});
  const Model result = inferred(model);
  EXPECT_THAT(reals(result, "m"), ElementsAre(3.5));
  EXPECT_THAT(elements(result, "i"), ElementsAre("3"));
  EXPECT_THAT(reals(result, "t"), ElementsAre(static_cast<double>(7.0F * 0.1F)));
}

TEST(InferEvaluation, ForgetsWhatDoesNotFitItsType) {
  // 2³¹ − 1 + 1 does not fit int32; 300 does not fit uint8.
  ModelBuilder model;
  model.initializer(test::int32_data_tensor("largest", ElementType::Int32, {1}, {INT32_MAX}));
  model.initializer(test::int32_data_tensor("one", ElementType::Int32, {1}, {1}));
  model.initializer(int64_tensor("many", {2}, {300, 200}));
  model.node("Add", {"largest", "one"}, {"y"}, {}, "", "sum");
  model.node("Cast", {"many"}, {"z"}, {attr("to", 2)}, "", "cast");
  const Model result = inferred(model);
  EXPECT_THAT(elements(result, "y"), ElementsAre("depends on data: sum output 0, element 0"));
  EXPECT_THAT(elements(result, "z"),
              ElementsAre("depends on data: cast output 0, element 0", "200"));
}

TEST(InferEvaluation, LeavesPartsThatOnlyARunKnowsOpen) {
  ModelBuilder model;
  model.input("x", ElementType::Float32, {{2, 3}});
  model.input("k", ElementType::Int64, {{1}});
  model.initializer(int64_tensor("six", {1}, {6}));
  model.node("Concat", {"six", "k"}, {"target"}, {attr("axis", 0)}, "", "join");
  model.node("Reshape", {"x", "target"}, {"y"}, {}, "", "view");
  const Model result = inferred(model);
  EXPECT_THAT(elements(result, "target"),
              ElementsAre("6", "depends on data: join output 0, element 1"));
  EXPECT_THAT(
      test::open_dims(result, "y"),
      ElementsAre("depends on data: join output 0, element 1 -> view output 0, dimension 1"));
}

TEST(InferEvaluation, SaysWhichNodeMakesASizeDependOnData) {
  ModelBuilder model;
  model.input("x", ElementType::Float32, {{2, 3}});
  model.node("NonZero", {"x"}, {"y"}, {}, "", "/NonZero");
  const Model result = inferred(model);
  EXPECT_EQ(type_of(result, "y"), "int64 2x?");
  EXPECT_THAT(test::open_dims(result, "y"),
              ElementsAre("depends on data: /NonZero output 0, dimension 1"));
}

TEST(InferEvaluation, DoesNotReadLargeTensors) {
  // 1025 elements: one above the limit.
  ModelBuilder model;
  model.initializer(int64_tensor("many", {1025}, std::vector<std::int64_t>(1025, 1)));
  model.initializer(int64_tensor("one", {1}, {1}));
  model.node("Add", {"many", "one"}, {"y"});
  const Model result = inferred(model);
  EXPECT_EQ(type_of(result, "y"), "int64 1025");
  EXPECT_TRUE(elements(result, "y").empty());
}

}  // namespace
}  // namespace headroom
