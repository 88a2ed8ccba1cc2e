// SPDX-License-Identifier: Apache-2.0
// Matrix products in floating point and quantised, and Einsum. Derived by hand.
#include <gtest/gtest.h>

#include "cost/counted.h"

namespace headroom::test {
namespace {

TEST(Gemm, CountsRowsTimesColumnsTimesDepth) {
  const NodeWork work = count_one({"Gemm", {data({3, 5}), weight({5, 7}), weight({7})}});
  EXPECT_EQ(work.macs.value, 3U * 7U * 5U);
  EXPECT_EQ(other(work, Arithmetic::Add), 21U);
  EXPECT_EQ(other(work, Arithmetic::Multiply), 0U);
}

TEST(Gemm, FollowsTheTranspositions) {
  // All four spellings of a 3x5 by 5x7 product.
  for (const int a : {0, 1})
    for (const int b : {0, 1}) {
      const Given left = a == 0 ? data({3, 5}) : data({5, 3});
      const Given right = b == 0 ? weight({5, 7}) : weight({7, 5});
      const NodeWork work =
          count_one({"Gemm", {left, right}, {attr("transA", a), attr("transB", b)}});
      EXPECT_EQ(work.macs.value, 105U) << a << b;
    }
}

TEST(Gemm, CountsItsScales) {
  // alpha scales 21 results, beta the 7 elements of C before they are broadcast.
  const NodeWork work = count_one({"Gemm",
                                   {data({3, 5}), weight({5, 7}), weight({7})},
                                   {attr("alpha", 0.5F), attr("beta", 2.0F)}});
  EXPECT_EQ(other(work, Arithmetic::Multiply), 21U + 7U);
}

TEST(MatMul, CountsABatch) {
  // 2 x 3 products of 4x5 by 5x6: 6 x 4 x 6 x 5.
  const NodeWork work = count_one({"MatMul", {data({2, 3, 4, 5}), data({2, 3, 5, 6})}});
  EXPECT_EQ(work.macs.value, 720U);
}

TEST(MatMul, BroadcastsTheBatch) {
  // [2,1,4,5] by [3,5,6] gives [2,3,4,6].
  EXPECT_EQ(count_one({"MatMul", {data({2, 1, 4, 5}), data({3, 5, 6})}}).macs.value, 720U);
}

TEST(MatMul, TakesVectors) {
  EXPECT_EQ(count_one({"MatMul", {data({5}), data({5, 6})}}).macs.value, 30U);
  EXPECT_EQ(count_one({"MatMul", {data({4, 5}), data({5})}}).macs.value, 20U);
  EXPECT_EQ(count_one({"MatMul", {data({5}), data({5})}}).macs.value, 5U);
  EXPECT_EQ(count_one({"MatMul", {data({5}), data({3, 5, 6})}}).macs.value, 90U);
}

TEST(MatMul, CountsNothingForAnEmptyBatch) {
  const NodeWork work =
      count_one({"MatMul", {weight({4, 5}), data({0, 5, 6})}, {}, "", 21, {"y"}, data({0, 4, 6})});
  EXPECT_EQ(work.macs.value, 0U);
}

TEST(FusedMatMul, FollowsTranspositionAndBatchPlacement) {
  struct Row {
    std::vector<std::int64_t> a;
    std::vector<AttributeSpec> attributes;
  };
  // The left matrix is 4x5 with batch 2; B is [2, 5, 6], so 2 x 4 x 6 x 5 MACs each time.
  const std::vector<Row> rows = {
      {{2, 4, 5}, {}},
      {{2, 5, 4}, {attr("transA", 1)}},
      {{4, 2, 5}, {attr("transBatchA", 1)}},
      {{5, 2, 4}, {attr("transA", 1), attr("transBatchA", 1)}},
  };
  for (const Row& row : rows) {
    const NodeWork work = count_one({.op = "FusedMatMul",
                                     .inputs = {data(row.a), data({2, 5, 6})},
                                     .attributes = row.attributes,
                                     .domain = "com.microsoft",
                                     .declared = data({2, 4, 6})});
    EXPECT_EQ(work.macs.value, 240U) << work.inputs[0];
  }
}

TEST(FusedMatMul, CountsItsScale) {
  const NodeWork work = count_one({.op = "FusedMatMul",
                                   .inputs = {data({4, 5}), data({5, 6})},
                                   .attributes = {attr("alpha", 0.125F)},
                                   .domain = "com.microsoft",
                                   .declared = data({4, 6})});
  EXPECT_EQ(other(work, Arithmetic::Multiply), 24U);
}

TEST(MatMulInteger, CountsAsMatMul) {
  const NodeWork work =
      count_one({"MatMulInteger", {data({4, 5}, kU8), weight({5, 6}, kI8), weight({}, kU8)}});
  EXPECT_EQ(work.macs.value, 120U);
  EXPECT_EQ(other(work, Arithmetic::Add), 20U);  // The zero point of A.
}

TEST(QLinearMatMul, CountsAsMatMulWithItsRequantisation) {
  const NodeWork work =
      count_one({"QLinearMatMul",
                 {data({4, 5}, kU8), weight({}), weight({}, kU8), weight({5, 6}, kU8), weight({}),
                  weight({}, kU8), weight({}), weight({}, kU8)}});
  EXPECT_EQ(work.macs.value, 120U);
  EXPECT_EQ(other(work, Arithmetic::Multiply), 24U);
  EXPECT_EQ(other(work, Arithmetic::Convert), 24U);
  EXPECT_EQ(other(work, Arithmetic::Add), 20U + 24U);
}

TEST(QGemm, CountsAsGemm) {
  const NodeWork work =
      count_one({.op = "QGemm",
                 .inputs = {data({5, 4}, kU8), weight({}), weight({}, kU8), weight({6, 5}, kI8),
                            weight({}), weight({}, kI8), weight({6}, ElementType::Int32)},
                 .attributes = {attr("transA", 1), attr("transB", 1)},
                 .domain = "com.microsoft",
                 .declared = data({4, 6})});
  EXPECT_EQ(work.macs.value, 120U);
  EXPECT_EQ(other(work, Arithmetic::Add), 20U + 24U);
}

TEST(DynamicQuantizeMatMul, AddsTheQuantisationOfItsInput) {
  const NodeWork work = count_one({.op = "DynamicQuantizeMatMul",
                                   .inputs = {data({4, 5}), weight({5, 6}, kI8), weight({})},
                                   .domain = "com.microsoft",
                                   .declared = data({4, 6})});
  EXPECT_EQ(work.macs.value, 120U);
  EXPECT_EQ(other(work, Arithmetic::Compare), 40U);        // Minimum and maximum of 20 elements.
  EXPECT_EQ(other(work, Arithmetic::Convert), 20U + 24U);  // In and out.
}

// 2 x 3 rows of K = 64 by 32 columns of 4-bit weights in blocks of 32: [32, 2, 16] bytes.
OneNode four_bit_product() {
  return {.op = "MatMulNBits",
          .inputs = {data({2, 3, 64}), weight({32, 2, 16}, kU8), weight({32, 2})},
          .attributes = {attr("K", 64), attr("N", 32), attr("bits", 4), attr("block_size", 32)},
          .domain = "com.microsoft"};
}

TEST(MatMulNBits, CountsAsTheMatMulThatItStandsFor) {
  const NodeWork work = count_one(four_bit_product());
  EXPECT_EQ(work.macs.value, 6U * 32U * 64U);
  EXPECT_EQ(all_other(work), 0U);
}

TEST(MatMulNBits, ReadsItsWeightsPacked) {
  const NodeWork work = count_one(four_bit_product());
  // A 6 x 64 floats, 32 x 64 weights in half a byte each, 64 scales.
  EXPECT_EQ(work.read.value, 6U * 64U * 4U + 32U * 64U / 2U + 64U * 4U);
  EXPECT_EQ(work.written.value, 6U * 32U * 4U);
  EXPECT_EQ(work.parameter_bytes.value, 32U * 64U / 2U + 64U * 4U);
}

struct Equation {
  const char* text;
  std::vector<Given> operands;
  std::uint64_t macs;
  std::uint64_t multiplications;
  std::uint64_t additions;
};

TEST(Products, CountByTheTypeOfTheirLeftOperand) {
  // 2 x 3 x 4 products each. Weights of 4 bits meet floats, and so do floats that become bytes
  // only after the file: what an engine makes of either is its own.
  struct Row {
    OneNode node;
    ElementType type;
  };
  const Given f = weight({3, 4});
  const Given u = weight({3, 4}, kU8);
  const Given bytes = weight({3, 4}, kI8);
  const Given one = weight({});
  const Given zero = weight({}, kU8);
  const Given y = data({2, 4});
  for (const Row& row : std::vector<Row>{
           {{"MatMul", {data({2, 3}), f}}, kF32},
           {{"MatMulInteger", {data({2, 3}, kU8), bytes}}, kU8},
           {{"QLinearMatMul", {data({2, 3}, kU8), one, zero, u, one, zero, one, zero}}, kU8},
           {{.op = "MatMulIntegerToFloat",
           .inputs = {data({2, 3}, kI8), bytes, one, one},
           .domain = "com.microsoft",
           .declared = y},
            kI8},
           {{.op = "DynamicQuantizeMatMul",
           .inputs = {data({2, 3}), bytes, one},
           .domain = "com.microsoft",
           .declared = y},
            kI8},
           {{.op = "MatMulNBits",
           .inputs = {data({2, 3}), weight({4, 1, 8}, kU8), weight({4})},
           .attributes = {attr("K", 3), attr("N", 4), attr("bits", 4), attr("block_size", 16)},
           .domain = "com.microsoft"},
            kF32}}) {
    const Work work = count(model_of(row.node));
    EXPECT_EQ(work.nodes[0].macs.value, 24U) << row.node.op;
    EXPECT_EQ(to_string(work.nodes[0].mac_type), to_string(row.type)) << row.node.op;
    EXPECT_EQ(work.macs_by_type.at(row.type).value, 24U) << row.node.op;
  }
}

TEST(GemmFastGelu, CountsAMatMulItsBiasAndAGelu) {
  // 2 x 4 outputs of 3 products.
  const NodeWork work = count_one({.op = "GemmFastGelu",
                                   .inputs = {data({2, 3}), weight({3, 4}), weight({4})},
                                   .domain = "com.microsoft"});
  EXPECT_EQ(work.macs.value, 24U);
  EXPECT_EQ(other(work, Arithmetic::Add), 8U + 16U);
  EXPECT_EQ(other(work, Arithmetic::Exponential), 8U);
}

TEST(Einsum, CountsItsContraction) {
  const std::vector<Equation> equations = {
      // A batched product: 2 x 3 x 5 outputs, 4 terms.
      {"bij,bjk->bik", {data({2, 3, 4}), data({2, 4, 5})}, 120, 0, 0},
      // The same without an output term: labels that appear once, so b and j are summed: ik.
      {"bij,bjk", {data({2, 3, 4}), data({2, 4, 5})}, 120, 0, 0},
      // Spaces mean nothing.
      {" b i j , b j k -> b i k ", {data({2, 3, 4}), data({2, 4, 5})}, 120, 0, 0},
      // An ellipsis stands for the batch 6 x 2.
      {"...ij,...jk->...ik", {data({6, 2, 3, 4}), data({6, 2, 4, 5})}, 720, 0, 0},
      // It broadcasts.
      {"...ij,...jk->...ik", {data({6, 2, 3, 4}), data({4, 5})}, 720, 0, 0},
      // Nothing is summed in an outer product: 3 x 4 multiplications.
      {"i,j->ij", {data({3}), data({4})}, 0, 12, 0},
      {"i,i->i", {data({3}), data({3})}, 0, 3, 0},
      {"i,i->", {data({3}), data({3})}, 3, 0, 0},
      // One operand: a transposition, a sum of 12 into 3, a trace of 4.
      {"ij->ji", {data({3, 4})}, 0, 0, 0},
      {"ij->i", {data({3, 4})}, 0, 0, 9},
      {"ii->", {data({4, 4})}, 0, 0, 3},
      {"ii->i", {data({4, 4})}, 0, 0, 0},
      // A repeated label reads the diagonal: 4 x 5 products.
      {"ii,ij->j", {data({4, 4}), data({4, 5})}, 20, 0, 0},
      // Three operands from the left: (ij,jk) 2 x 3 x 4 MACs, then (ik,kl) 2 x 4 x 5.
      {"ij,jk,kl->il", {data({2, 3}), data({3, 4}), data({4, 5})}, 24 + 40, 0, 0},
      // The first step of (i,j,ij) sums nothing: 2 x 3 products, then 2 x 3 MACs.
      {"i,j,ij->", {data({2}), data({3}), data({2, 3})}, 6, 6, 0},
  };
  for (const Equation& equation : equations) {
    const NodeWork work =
        count_one({"Einsum", equation.operands, {attr("equation", equation.text)}});
    ASSERT_EQ(work.status, CountStatus::Counted) << equation.text << ": " << work.reason;
    EXPECT_EQ(work.macs.value, equation.macs) << equation.text;
    EXPECT_EQ(other(work, Arithmetic::Multiply), equation.multiplications) << equation.text;
    EXPECT_EQ(other(work, Arithmetic::Add), equation.additions) << equation.text;
  }
}

TEST(AffineGrid, MultipliesThetaWithEachPosition) {
  // 4 x 5 positions x 2 coordinates, 3 products each.
  ModelBuilder builder;
  builder.input("theta", kF32, {{1, 2, 3}})
      .initializer("size", {4}, std::vector<std::int64_t>{1, 3, 4, 5})
      .node("AffineGrid", {"theta", "size"}, {"y"})
      .output("y", kF32);
  EXPECT_EQ(count(builder).nodes[0].macs.value, 40U * 3U);
}

}  // namespace
}  // namespace headroom::test
