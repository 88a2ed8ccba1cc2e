// SPDX-License-Identifier: Apache-2.0
// What the caller fixes, what files leave open, and what they declare.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/inferred.h"
#include "support/thrown.h"

namespace headroom {
namespace {

using test::inferred;
using test::message_of;
using test::ModelBuilder;
using test::type_of;
using testing::ElementsAre;
using testing::HasSubstr;

ModelBuilder two_inputs() {
  ModelBuilder model;
  model.input("image", ElementType::Float32, {{"batch", 3, std::nullopt, 0}});
  model.input("mask", ElementType::Float32, {{"batch", -1, "?"}});
  model.node("Relu", {"image"}, {"y"});
  model.node("Relu", {"mask"}, {"z"});
  model.output("y").output("z");
  return model;
}

std::string misuse(const ShapeOptions& options) {
  return message_of(ErrorKind::Usage, [&] { inferred(two_inputs(), options); });
}

TEST(InferOptions, OpensWhatFilesWriteForOpen) {
  const Model model = inferred(two_inputs());
  EXPECT_THAT(test::open_dims(model, "y"), ElementsAre("batch", "image.dim2", "image.dim3"));
  EXPECT_THAT(test::open_dims(model, "z"), ElementsAre("batch", "mask.dim1", "mask.dim2"));
}

TEST(InferOptions, FixesASymbolWhereverItStands) {
  const Model model = inferred(two_inputs(), {.dims = {{"batch", 4}, {"mask.dim1", 5}}});
  EXPECT_EQ(type_of(model, "y"), "float32 4x3ximage.dim2ximage.dim3");
  EXPECT_EQ(type_of(model, "z"), "float32 4x5xmask.dim2");
}

TEST(InferOptions, TakesSymbolsFromAShape) {
  const Model model = inferred(two_inputs(), {.shapes = {{"image", {2, 3, 8, 9}}}});
  EXPECT_EQ(type_of(model, "y"), "float32 2x3x8x9");
  EXPECT_EQ(type_of(model, "z"), "float32 2xmask.dim1xmask.dim2");
}

TEST(InferOptions, RefusesUnknownNames) {
  EXPECT_EQ(misuse({.shapes = {{"imag", {1, 3, 2, 2}}}}),
            "--shape: the model has no input 'imag'; did you mean 'image'? possible: image, mask");
  EXPECT_EQ(misuse({.dims = {{"bach", 1}}}),
            "--dim bach=1: no input has an open dimension of this name; did you mean 'batch'? "
            "possible: batch, image.dim2, image.dim3, mask.dim1, mask.dim2");
}

TEST(InferOptions, RefusesAnotherRank) {
  EXPECT_EQ(misuse({.shapes = {{"image", {1, 3, 2}}}}),
            "input 'image' has rank 4 (batchx3ximage.dim2ximage.dim3), --shape gives rank 3");
}

TEST(InferOptions, RefusesContradictions) {
  EXPECT_THAT(misuse({.shapes = {{"image", {1, 4, 2, 2}}}}),
              HasSubstr("dimension 1 of the input is fixed to 3"));
  EXPECT_THAT(misuse({.shapes = {{"image", {1, 3, 2, 2}}, {"mask", {2, 2, 2}}}}),
              HasSubstr("dimension 'batch'"));
  EXPECT_THAT(misuse({.shapes = {{"image", {1, 3, 2, 2}}}, .dims = {{"batch", 2}}}),
              HasSubstr("dimension 'batch'"));
}

TEST(InferOptions, TakesTheValuesOfInputs) {
  ModelBuilder model;
  model.input("x", ElementType::Float32, {{2, 6}});
  model.input("shape", ElementType::Int64, {{2}});
  model.node("Reshape", {"x", "shape"}, {"y"});
  EXPECT_EQ(type_of(inferred(model), "y"), "float32 ?x?");
  EXPECT_EQ(type_of(inferred(model, {.values = {{"shape", {.elements = {3, 4}}}}}), "y"),
            "float32 3x4");
}

TEST(InferOptions, RefusesValuesThatDoNotFillTheirInput) {
  EXPECT_THAT(misuse({.values = {{"mask", {.elements = {1}}}}}),
              HasSubstr("values: 1 are given for the input 'mask', which is "));
  EXPECT_THAT(misuse({.values = {{"msk", {.elements = {1}}}}}), HasSubstr("did you mean 'mask'"));
}

TEST(KnownElements, AreThoseOfSmallTensorsOfNumbers) {
  Tensor tensor = make_tensor("t", ElementType::Int16, {2});
  tensor.data.bytes()[2] = std::byte{7};
  EXPECT_EQ(known_elements(tensor)->elements, (std::vector<std::optional<std::int64_t>>{0, 7}));
  EXPECT_EQ(known_elements(make_tensor("t", ElementType::Float64, {}))->reals,
            std::vector<double>{0});
  EXPECT_TRUE(known_elements(make_tensor("t", ElementType::Int64, {1024})));
  EXPECT_FALSE(known_elements(make_tensor("t", ElementType::Int64, {1025})));
  EXPECT_FALSE(known_elements(make_tensor("t", ElementType::String, {1})));
  EXPECT_FALSE(known_elements(make_tensor("t", ElementType::Int4, {2})));
}

TEST(InferOptions, RefusesNegativeSizes) {
  EXPECT_THAT(misuse({.shapes = {{"image", {-1, 3, 2, 2}}}}), HasSubstr("a size is at least 0"));
  EXPECT_THAT(misuse({.dims = {{"batch", -1}}}), HasSubstr("a size is at least 0"));
}

// What NonZero gives is for a run to tell; Relu and Shape are not.
ModelBuilder found_by_data() {
  ModelBuilder model;
  model.input("x", ElementType::Float32, {{2, 3}})
      .node("Relu", {"x"}, {"r"}, {}, "", "relu")
      .node("NonZero", {"r"}, {"n"}, {}, "", "find")
      .node("Shape", {"n"}, {"s"}, {}, "", "shape")
      .node("ConstantOfShape", {"s"}, {"y"}, {}, "", "fill")
      .output("y", ElementType::Float32);
  return model;
}

ObservedType seen(ElementType element, const std::vector<std::int64_t>& sizes) {
  ObservedType type{.type = {.kind = TypeKind::Tensor, .element = element}};
  type.type.shape.emplace();
  for (const std::int64_t size : sizes) type.type.shape->push_back(Dim{.size = size});
  return type;
}

TEST(InferObserved, FillsWhatInferenceLeavesOpen) {
  EXPECT_EQ(type_of(inferred(found_by_data()), "y"), "float32 2x?");
  const Model result =
      inferred(found_by_data(), {.observed = {{"r", seen(ElementType::Float32, {2, 3})},
                                              {"n", seen(ElementType::Int64, {2, 4})}}});
  EXPECT_EQ(type_of(result, "n"), "int64 2x4");
  EXPECT_TRUE(test::find_value(result, "n")->is_observed);
  EXPECT_FALSE(test::find_value(result, "r")->is_observed) << "inference knew it";
  EXPECT_EQ(type_of(result, "y"), "float32 2x4");
  ASSERT_EQ(result.diagnostics.size(), 1U);
  EXPECT_EQ(result.diagnostics[0].code, "observed");
  EXPECT_EQ(result.diagnostics[0].message,
            "a run gave the types of 2 values: 1 as inferred, 1 that inference left open");
}

TEST(InferObserved, ReportsARunThatDiffers) {
  const Model result =
      inferred(found_by_data(), {.observed = {{"r", seen(ElementType::Float32, {2, 4})}}});
  ASSERT_EQ(result.diagnostics.size(), 2U);
  EXPECT_EQ(result.diagnostics[0].code, "observed_differs");
  EXPECT_EQ(result.diagnostics[0].severity, Severity::Warning);
  EXPECT_EQ(result.diagnostics[0].place, "node 'relu' (Relu)");
  EXPECT_THAT(result.diagnostics[0].message,
              HasSubstr("'r' was inferred as float32 2x3 and is float32 2x4 in the run"));
  EXPECT_EQ(type_of(result, "r"), "float32 2x4");
  // It was once counted among those that inference left open.
  EXPECT_EQ(
      result.diagnostics[1].message,
      "a run gave the types of 1 value: 0 as inferred, 0 that inference left open, 1 otherwise");
}

TEST(InferObserved, CompletesElementsThatAreKnownInPart) {
  // [2, n]: n is open, and the whole was seen.
  ModelBuilder model;
  model.input("x", ElementType::Float32, {{2, "n"}})
      .node("Shape", {"x"}, {"s"})
      .node("ConstantOfShape", {"s"}, {"y"})
      .output("y", ElementType::Float32);
  ObservedType sizes = seen(ElementType::Int64, {2});
  sizes.elements = KnownElements{.elements = {2, 5}};
  EXPECT_EQ(type_of(inferred(model, {.observed = {{"s", sizes}}}), "y"), "float32 2x5");
}

TEST(InferObserved, ComputesOnWithTheElementsThatWereSeen) {
  ModelBuilder model;
  model.input("x", ElementType::Float32, {{2, 3}})
      .node("NonZero", {"x"}, {"n"})
      .node("ReduceMax", {"n"}, {"m"}, {test::attr("keepdims", 0)})
      .node("Range", {"zero", "m", "one"}, {"y"})
      .initializer("zero", {}, std::vector<std::int64_t>{0})
      .initializer("one", {}, std::vector<std::int64_t>{1})
      .output("y", ElementType::Int64);
  ObservedType most = seen(ElementType::Int64, {});
  most.elements = KnownElements{.elements = {2}};
  EXPECT_EQ(type_of(inferred(model, {.observed = {{"m", most}}}), "y"), "int64 2");
}

TEST(InferFindings, NamesOperatorsWithoutARuleOnce) {
  ModelBuilder model;
  model.opset("", 21).opset("acme", 1);
  model.input("x", ElementType::Float32, {{2}});
  model.node("Warp", {"x"}, {"a"}, {}, "acme", "w1");
  model.node("Warp", {"a"}, {"b"}, {}, "acme", "w2");
  model.node("Relu", {"b"}, {"c"});
  model.value_info("b", ElementType::Float32, {{2, 5}});
  const Model result = inferred(model);
  ASSERT_EQ(result.diagnostics.size(), 1U);
  EXPECT_EQ(result.diagnostics[0].severity, Severity::Note);
  EXPECT_EQ(result.diagnostics[0].code, "no_shape_inference");
  EXPECT_THAT(result.diagnostics[0].message, HasSubstr("operator acme.Warp"));
  EXPECT_THAT(result.diagnostics[0].message, HasSubstr("2 nodes"));
  EXPECT_EQ(type_of(result, "a"), "unknown");
  // What the file declares is used instead.
  EXPECT_EQ(type_of(result, "c"), "float32 2x5");
}

TEST(InferFindings, SaysOnceWhereARankGotLost) {
  // As many axes as `axes` holds go, and nobody knows how many: the reason once stood nowhere.
  ModelBuilder model;
  model.input("x", ElementType::Float32, {{2, 3, 4}});
  model.input("axes", ElementType::Int64, {{"n"}});
  model.node("ReduceSum", {"x", "axes"}, {"a"}, {test::attr("keepdims", 0)}, "", "sum");
  model.node("Relu", {"a"}, {"y"});
  const Model result = inferred(model);
  EXPECT_EQ(type_of(result, "y"), "float32 of unknown rank");
  ASSERT_EQ(result.diagnostics.size(), 1U);
  EXPECT_EQ(result.diagnostics[0].code, "rank_unknown");
  EXPECT_EQ(result.diagnostics[0].place, "node 'sum' (ReduceSum)");
  EXPECT_THAT(result.diagnostics[0].message, HasSubstr("the rank of 'a' depends on data"));
}

TEST(InferFindings, ReportsAnOutputThatIsDeclaredOtherwise) {
  ModelBuilder model;
  model.input("x", ElementType::Float32, {{2, 3}});
  model.node("Relu", {"x"}, {"y"});
  model.output("y", ElementType::Float32, {{2, 4}});
  const Model result = inferred(model);
  ASSERT_EQ(result.diagnostics.size(), 1U);
  EXPECT_EQ(result.diagnostics[0].severity, Severity::Warning);
  EXPECT_EQ(result.diagnostics[0].code, "declared_output_differs");
  EXPECT_EQ(result.diagnostics[0].place, "output 'y'");
  EXPECT_THAT(result.diagnostics[0].message,
              HasSubstr("declared float32 2x4, inferred float32 2x3"));
  EXPECT_EQ(type_of(result, "y"), "float32 2x3");
}

TEST(InferFindings, TakesADeclaredSizeOnlyForWhatDependsOnData) {
  ModelBuilder model;
  model.input("x", ElementType::Float32, {{"n"}});
  model.node("NonZero", {"x"}, {"y"});
  model.node("Concat", {"x", "x"}, {"z"}, {test::attr("axis", 0)}, "", "c");
  model.output("y", ElementType::Int64, {{1, 5}});
  model.output("z", ElementType::Float32, {{20}});
  const Model result = inferred(model);
  EXPECT_EQ(type_of(result, "y"), "int64 1x5");
  // The declaration may stem from one shape of x.
  EXPECT_THAT(test::open_dims(result, "z"), ElementsAre("n -> c output 0, dimension 0"));
}

TEST(InferHostile, RefusesCountsThatOverflow) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 40;
  const auto error = [](const ModelBuilder& model) {
    return message_of(ErrorKind::BadInput, [&] { inferred(model); });
  };
  ModelBuilder input;
  input.input("x", ElementType::Float32, {{kHuge, kHuge}});
  EXPECT_THAT(error(input), HasSubstr("does not fit 63 bits"));
  ModelBuilder product;
  product.input("a", ElementType::Float32, {{kHuge, 1}});
  product.input("b", ElementType::Float32, {{1, kHuge}});
  product.node("MatMul", {"a", "b"}, {"y"}, {}, "", "m");
  EXPECT_THAT(error(product), HasSubstr("node 'm' (MatMul): the element count of output 0"));
}

// Two integers and two reals once were read as four of one kind, past the end of a list.
TEST(InferHostile, SurvivesElementTypesThatDiffer) {
  ModelBuilder model;
  model.initializer("reals", {2}, std::vector<float>{1, 2});
  model.initializer("integers", {2}, std::vector<std::int64_t>{3, 4});
  model.node("Concat", {"reals", "integers"}, {"y"}, {test::attr("axis", 0)});
  const Model result = inferred(model);
  EXPECT_EQ(type_of(result, "y"), "float32 4");
  for (const auto& [id, known] : result.graph.known) EXPECT_NE(result.graph.values[id].name, "y");
}

TEST(InferHostile, RefusesMissingInputsAndAttributes) {
  const auto error = [](const ModelBuilder& model) {
    return message_of(ErrorKind::BadInput, [&] { inferred(model); });
  };
  ModelBuilder inputs;
  inputs.input("x", ElementType::Float32, {{2}});
  inputs.node("Add", {"x"}, {"y"}, {}, "", "a");
  EXPECT_EQ(error(inputs),
            "node 'a' (Add): input 1 is missing, at least 2 must be given; inputs: 'x' float32 2");
  ModelBuilder attributes;
  attributes.input("x", ElementType::Float32, {{2}});
  attributes.node("Cast", {"x"}, {"y"}, {test::attr("to", 99)});
  EXPECT_THAT(error(attributes), HasSubstr("attribute 'to' is 99, which is no element type"));
}

}  // namespace
}  // namespace headroom
