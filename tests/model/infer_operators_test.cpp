// SPDX-License-Identifier: Apache-2.0
// Shapes and types of the other families: broadcasting, reductions, products, recurrent layers,
// normalisations, quantisation, attention, traditional machine learning. Expected values follow
// from the operator specifications, by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/inferred.h"
#include "support/thrown.h"

namespace headroom {
namespace {

using test::attr;
using test::floats;
using test::ints;
using test::message_of;
using test::OneNode;
using test::type_of;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kMl = "ai.onnx.ml";
constexpr std::string_view kMicrosoft = "com.microsoft";

std::string error_of(const OneNode& node) {
  return message_of(ErrorKind::BadInput, [&] { node.infer(); });
}

TEST(InferBroadcast, AlignsAtTheLastDimension) {
  EXPECT_EQ(OneNode("Add", {{2, 1, 4}}).input({{3, 1}}).y(), "float32 2x3x4");
  EXPECT_EQ(OneNode("Mul", test::kScalar).input({{5}}).y(), "float32 5");
  EXPECT_EQ(OneNode("Sum", {{3, 1}}).input({{1, 4}}).input({{2, 1, 1}}).y(), "float32 2x3x4");
  EXPECT_EQ(
      error_of(OneNode("Add", {{2, 3}}).input({{4}})),
      "node 'n' (Add): sizes 3 and 4 cannot be broadcast; inputs: 'x' float32 2x3, 'i1' float32 4");
}

TEST(InferBroadcast, KnowsWhatAnOpenSizeCanBe) {
  // Equal symbols are equal sizes; beside 5, an open size is 5 or 1; beside 1 it stays.
  EXPECT_EQ(OneNode("Add", {{"n", 3}}).input({{"n", 1}}).y(), "float32 nx3");
  EXPECT_EQ(OneNode("Add", {{"n"}}).input({{5}}).y(), "float32 5");
  EXPECT_EQ(OneNode("Add", {{"n"}}).input({{1}}).y(), "float32 n");
  EXPECT_THAT(test::open_dims(OneNode("Add", {{"n"}}).input({{"m"}}).infer(), "y"),
              ElementsAre("n -> n output 0, dimension 0"));
}

TEST(InferBroadcast, GivesBoolForComparisons) {
  EXPECT_EQ(OneNode("Less", {{2, 1}}).input({{3}}).y(), "bool 2x3");
  EXPECT_EQ(OneNode("IsNaN", {{2}}).y(), "bool 2");
}

TEST(InferBroadcast, FollowsTheFirstInputInOldVersions) {
  EXPECT_EQ(OneNode("Add", {{2, 3, 4}}).opset(6).input({{3}}).with(attr("axis", 1)).y(),
            "float32 2x3x4");
}

TEST(InferReduce, TakesAxesFromAttributeOrInput) {
  EXPECT_EQ(OneNode("ReduceMean", {{2, 3, 4}}).opset(13).with(ints("axes", {-1})).y(),
            "float32 2x3x1");
  EXPECT_EQ(OneNode("ReduceMean", {{2, 3, 4}}).list({0, 2}).with(attr("keepdims", 0)).y(),
            "float32 3");
  EXPECT_EQ(OneNode("ReduceSum", {{2, 3}}).y(), "float32 1x1");
  EXPECT_EQ(OneNode("ReduceSum", {{2, 3}}).with(attr("noop_with_empty_axes", 1)).y(),
            "float32 2x3");
  // One unknown axis: either dimension may be the one that goes.
  EXPECT_EQ(
      OneNode("ReduceSum", {{2, 3}}).input({{1}}, ElementType::Int64).with(attr("keepdims", 0)).y(),
      "float32 ?");
  EXPECT_THAT(error_of(OneNode("ReduceSum", {{2, 3}}).list({2})),
              HasSubstr("axis 2 is outside [-2, 2)"));
}

TEST(InferReduce, GivesPositionsAsIntegers) {
  EXPECT_EQ(OneNode("ArgMax", {{2, 3}}).with(attr("axis", 1)).with(attr("keepdims", 0)).y(),
            "int64 2");
}

TEST(InferMatMul, MultipliesAndBroadcasts) {
  EXPECT_EQ(OneNode("MatMul", {{5, 1, 2, 3}}).input({{4, 3, 6}}).y(), "float32 5x4x2x6");
  EXPECT_EQ(OneNode("MatMul", {{3}}).input({{3, 6}}).y(), "float32 6");
  EXPECT_EQ(OneNode("MatMul", {{2, 3}}).input({{3}}).y(), "float32 2");
  EXPECT_EQ(OneNode("MatMul", {{3}}).input({{3}}).y(), "float32 scalar");
  EXPECT_EQ(OneNode("MatMul", {{"batch", 2, 3}}).input({{3, 6}}).y(), "float32 batchx2x6");
  EXPECT_EQ(
      error_of(OneNode("MatMul", {{2, 3}}).input({{4, 6}})),
      "node 'n' (MatMul): the inner dimensions of the product: 3 and 4 differ; inputs: 'x' float32 "
      "2x3, 'i1' float32 4x6");
}

TEST(InferGemm, TransposesItsInputs) {
  EXPECT_EQ(OneNode("Gemm", {{3, 2}})
                .input({{6, 3}})
                .input({{6}})
                .with(attr("transA", 1))
                .with(attr("transB", 1))
                .y(),
            "float32 2x6");
  EXPECT_THAT(error_of(OneNode("Gemm", {{2, 3}}).input({{3, 6}}).input({{5}})),
              HasSubstr("sizes 6 and 5 cannot be broadcast"));
}

TEST(InferEinsum, ReadsTheEquation) {
  const auto einsum = [](const char* equation, const test::DimsSpec& a, const test::DimsSpec& b) {
    return OneNode("Einsum", a).input(b).with(attr("equation", equation)).y();
  };
  EXPECT_EQ(einsum("bhid,bhjd->bhij", {{"b", 8, 5, 64}}, {{"b", 8, 7, 64}}), "float32 bx8x5x7");
  EXPECT_EQ(einsum("...ij,...jk->...ik", {{2, 1, 3, 4}}, {{5, 4, 6}}), "float32 2x5x3x6");
  // Without an arrow: letters that occur once, in alphabetical order: i and k.
  EXPECT_EQ(einsum("kj,ji", {{2, 3}}, {{3, 4}}), "float32 4x2");
  EXPECT_THAT(message_of(ErrorKind::BadInput,
                         [&] {
                           einsum("ij,jk->ik", {{2, 3}}, {{4, 5}});
                         }),
              HasSubstr("sizes 3 and 4 cannot be broadcast"));
  EXPECT_THAT(message_of(ErrorKind::BadInput,
                         [&] {
                           einsum("ij->ij", {{2, 3}}, {{4, 5}});
                         }),
              HasSubstr("1 terms for 2 inputs"));
}

TEST(InferRecurrent, GivesEachStepAndTheLastState) {
  // 7 steps, batch 2, input 5, hidden 4, both directions.
  const Model model = OneNode("LSTM", {{7, "batch", 5}})
                          .input({{2, 16, 5}})
                          .input({{2, 16, 4}})
                          .with(attr("hidden_size", 4))
                          .with(attr("direction", "bidirectional"))
                          .infer({"y", "h", "c"});
  EXPECT_EQ(type_of(model, "y"), "float32 7x2xbatchx4");
  EXPECT_EQ(type_of(model, "h"), "float32 2xbatchx4");
  EXPECT_EQ(type_of(model, "c"), "float32 2xbatchx4");
  // With layout 1 the batch comes first; the hidden size follows from the recurrence weight.
  const Model batch_first = OneNode("GRU", {{2, 7, 5}})
                                .input({{1, 12, 5}})
                                .input({{1, 12, 4}})
                                .with(attr("layout", 1))
                                .infer({"y", "h"});
  EXPECT_EQ(type_of(batch_first, "y"), "float32 2x7x1x4");
  EXPECT_EQ(type_of(batch_first, "h"), "float32 2x1x4");
}

TEST(InferNormalization, KeepsStatisticsBeforeTheAxis) {
  const Model model = OneNode("LayerNormalization", {{2, "n", 8}}, ElementType::Float16)
                          .input({{8}}, ElementType::Float16)
                          .infer({"y", "mean", "deviation"});
  EXPECT_EQ(type_of(model, "y"), "float16 2xnx8");
  EXPECT_EQ(type_of(model, "mean"), "float32 2xnx1");
  EXPECT_EQ(type_of(model, "deviation"), "float32 2xnx1");
  EXPECT_THAT(error_of(OneNode("BatchNormalization", {{1, 3, 4, 4}})
                           .input({{4}})
                           .input({{4}})
                           .input({{4}})
                           .input({{4}})),
              HasSubstr("3 and 4 differ"));
}

TEST(InferQuantization, TakesTheTypeOfTheZeroPoint) {
  EXPECT_EQ(OneNode("QuantizeLinear", {{2, 3}}).input(test::kScalar).y(), "uint8 2x3");
  EXPECT_EQ(OneNode("QuantizeLinear", {{2, 3}})
                .input(test::kScalar)
                .input(test::kScalar, ElementType::Int4)
                .y(),
            "int4 2x3");
  EXPECT_EQ(
      OneNode("QuantizeLinear", {{2, 3}}).input(test::kScalar).with(attr("output_dtype", 17)).y(),
      "float8e4m3fn 2x3");
  EXPECT_EQ(OneNode("DequantizeLinear", {{2, 3}}, ElementType::Int8)
                .input(test::kScalar, ElementType::Float16)
                .y(),
            "float16 2x3");
}

TEST(InferConstant, KnowsEachFormOfAValue) {
  const auto constant = [](const test::AttributeSpec& value) {
    test::ModelBuilder model;
    model.node("Constant", {}, {"y"}, {value});
    return type_of(test::inferred(model), "y");
  };
  EXPECT_EQ(constant(attr("value", test::zero_tensor("v", ElementType::Int8, {2, 3}))), "int8 2x3");
  EXPECT_EQ(constant(attr("value_int", 4)), "int64 scalar");
  EXPECT_EQ(constant(ints("value_ints", {4, 5})), "int64 2");
  EXPECT_EQ(constant(attr("value_float", 4.0F)), "float32 scalar");
  EXPECT_EQ(constant(floats("value_floats", {4, 5, 6})), "float32 3");
  EXPECT_EQ(constant(attr("value_string", "a")), "string scalar");
  EXPECT_EQ(constant(attr("value_strings", std::vector<std::string>{"a", "b"})), "string 2");
  EXPECT_THAT(message_of(ErrorKind::BadInput, [&] { constant(attr("other", 1)); }),
              HasSubstr("no attribute holds a value"));
}

TEST(InferAttention, AppendsThePast) {
  // Query [2, 8 heads, 3, 64]; 4 key and value heads, past 5, new 3: total 8.
  const Model model = OneNode("Attention", {{2, 8, 3, 64}})
                          .opset(23)
                          .input({{2, 4, 3, 64}})
                          .input({{2, 4, 3, 32}})
                          .omitted()
                          .input({{2, 4, 5, 64}})
                          .input({{2, 4, 5, 32}})
                          .infer({"y", "key", "value"});
  EXPECT_EQ(type_of(model, "y"), "float32 2x8x3x32");
  EXPECT_EQ(type_of(model, "key"), "float32 2x4x8x64");
  EXPECT_EQ(type_of(model, "value"), "float32 2x4x8x32");
}

TEST(InferTraditionalMl, GivesLabelsAndScores) {
  const Model model =
      OneNode("LinearClassifier", {{"n", 4}})
          .opset(1, kMl)
          .with(floats("coefficients", {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3}))
          .with(floats("intercepts", {1, 2, 3}))
          .with(attr("classlabels_strings", std::vector<std::string>{"a", "b", "c"}))
          .infer({"y", "scores"});
  EXPECT_EQ(type_of(model, "y"), "string n");
  EXPECT_EQ(type_of(model, "scores"), "float32 nx3");
  EXPECT_EQ(OneNode("Normalizer", {{5, 3}}, ElementType::Int64).opset(1, kMl).y(), "float32 5x3");
  EXPECT_EQ(
      OneNode("ZipMap", {{5, 3}}).opset(1, kMl).with(ints("classlabels_int64s", {0, 1, 2})).y(),
      "sequence of map");
}

TEST(InferMicrosoft, MultipliesPackedWeights) {
  // A [2, n, 64] times 64 rows of 4 bits: 10 columns, blocks of 32.
  const auto product = [](int inner) {
    return OneNode("MatMulNBits", {{2, "n", 64}})
        .opset(1, kMicrosoft)
        .input({{10, 2, 16}}, ElementType::Uint8)
        .input({{20}})
        .with(attr("K", inner))
        .with(attr("N", 10))
        .with(attr("bits", 4))
        .with(attr("block_size", 32));
  };
  EXPECT_EQ(product(64).y(), "float32 2xnx10");
  EXPECT_THAT(error_of(product(65)), HasSubstr("64 and 65 differ"));
}

TEST(InferMicrosoft, NormalisesASum) {
  const Model model = OneNode("SkipLayerNormalization", {{2, 3, 8}})
                          .opset(1, kMicrosoft)
                          .input({{2, 3, 8}})
                          .input({{8}})
                          .infer({"y", "", "", "sum"});
  EXPECT_EQ(type_of(model, "y"), "float32 2x3x8");
  EXPECT_EQ(type_of(model, "sum"), "float32 2x3x8");
}

}  // namespace
}  // namespace headroom
