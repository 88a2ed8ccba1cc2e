// SPDX-License-Identifier: Apache-2.0
// Attention counts the same however it is spelled. All spellings: batch 2, 4 heads of 8, 3 queries,
// 5 keys. Q K' takes 2 x 4 x 3 x 5 x 8 MACs, P V as many.
#include <gtest/gtest.h>

#include "cost/counted.h"

namespace headroom::test {
namespace {

constexpr std::uint64_t kScores = 2 * 4 * 3 * 5;
constexpr std::uint64_t kMacs = 2 * kScores * 8;

TEST(Attention, CountsTheTwoProductsOfFourDimensionalInputs) {
  const NodeWork work =
      count_one({.op = "Attention",
                 .inputs = {data({2, 4, 3, 8}), data({2, 4, 5, 8}), data({2, 4, 5, 8})},
                 .opset = 23});
  EXPECT_EQ(work.macs.value, kMacs);
  // The scale; then softmax over 24 rows of 5: 4 comparisons, 5 differences and 4 sums, 5 exp, 5
  // quotients in each.
  EXPECT_EQ(other(work, Arithmetic::Multiply), kScores);
  EXPECT_EQ(other(work, Arithmetic::Compare), 24U * 4U);
  EXPECT_EQ(other(work, Arithmetic::Add), 24U * 9U);
  EXPECT_EQ(other(work, Arithmetic::Exponential), kScores);
  EXPECT_EQ(other(work, Arithmetic::Divide), kScores);
}

TEST(Attention, TakesValuesOfAnotherWidth) {
  // Values of 6: P V takes 2 x 4 x 3 x 5 x 6.
  const NodeWork work =
      count_one({.op = "Attention",
                 .inputs = {data({2, 4, 3, 8}), data({2, 4, 5, 8}), data({2, 4, 5, 6})},
                 .opset = 23});
  EXPECT_EQ(work.macs.value, kScores * (8 + 6));
}

TEST(Attention, CountsFlatInputsTheSame) {
  const NodeWork work = count_one({.op = "Attention",
                                   .inputs = {data({2, 3, 32}), data({2, 5, 32}), data({2, 5, 32})},
                                   .attributes = {attr("q_num_heads", 4), attr("kv_num_heads", 4)},
                                   .opset = 23});
  EXPECT_EQ(work.macs.value, kMacs);
  EXPECT_EQ(other(work, Arithmetic::Exponential), kScores);
}

TEST(Attention, CountsPastKeys) {
  // 2 of the 5 keys come from the cache.
  const NodeWork work =
      count_one({.op = "Attention",
                 .inputs = {data({2, 4, 3, 8}), data({2, 4, 3, 8}), data({2, 4, 3, 8}), omitted(),
                            data({2, 4, 2, 8}), data({2, 4, 2, 8})},
                 .opset = 23,
                 .outputs = {"y", "present_key", "present_value"}});
  EXPECT_EQ(work.macs.value, kMacs);
}

TEST(Attention, CountsGroupedHeadsByTheQueries) {
  // Two heads of keys serve four of queries.
  const NodeWork work =
      count_one({.op = "Attention",
                 .inputs = {data({2, 4, 3, 8}), data({2, 2, 5, 8}), data({2, 2, 5, 8})},
                 .opset = 23});
  EXPECT_EQ(work.macs.value, kMacs);
}

TEST(Attention, CountsAMaskedScoreLikeAnyOther) {
  const NodeWork work = count_one(
      {.op = "Attention",
       .inputs = {data({2, 4, 3, 8}), data({2, 4, 5, 8}), data({2, 4, 5, 8}), data({3, 5})},
       .attributes = {attr("is_causal", 1)},
       .opset = 23});
  EXPECT_EQ(work.macs.value, kMacs);
  EXPECT_EQ(other(work, Arithmetic::Add), 24U * 9U + kScores);
}

TEST(Attention, CountsTheDecomposedFormTheSame) {
  ModelBuilder builder;
  builder.input("q", kF32, {{2, 4, 3, 8}})
      .input("k", kF32, {{2, 4, 5, 8}})
      .input("v", kF32, {{2, 4, 5, 8}})
      .initializer("scale", {}, std::vector<float>{0.35F})
      .node("Transpose", {"k"}, {"kt"}, {ints("perm", {0, 1, 3, 2})})
      .node("MatMul", {"q", "kt"}, {"s"})
      .node("Mul", {"s", "scale"}, {"scaled"})
      .node("Softmax", {"scaled"}, {"p"})
      .node("MatMul", {"p", "v"}, {"y"})
      .output("y", kF32);
  const Work work = count(builder);
  EXPECT_EQ(work.macs.value, kMacs);
  const NodeWork fused =
      count_one({.op = "Attention",
                 .inputs = {data({2, 4, 3, 8}), data({2, 4, 5, 8}), data({2, 4, 5, 8})},
                 .opset = 23});
  EXPECT_EQ(work.other, fused.other);
}

std::uint64_t macs_of_matmuls() {
  ModelBuilder builder;
  builder.input("q", kF32, {{2, 4, 3, 8}})
      .input("k", kF32, {{2, 4, 5, 8}})
      .input("v", kF32, {{2, 4, 5, 8}})
      .node("Transpose", {"k"}, {"kt"}, {ints("perm", {0, 1, 3, 2})})
      .node("MatMul", {"q", "kt"}, {"s"})
      .node("Softmax", {"s"}, {"p"})
      .node("MatMul", {"p", "v"}, {"y"})
      .output("y", kF32);
  return count(builder).macs.value;
}

std::uint64_t macs_of_einsums() {
  ModelBuilder builder;
  builder.input("q", kF32, {{2, 3, 4, 8}})
      .input("k", kF32, {{2, 5, 4, 8}})
      .input("v", kF32, {{2, 5, 4, 8}})
      .node("Einsum", {"q", "k"}, {"s"}, {attr("equation", "bqhd,bkhd->bhqk")})
      .node("Softmax", {"s"}, {"p"})
      .node("Einsum", {"p", "v"}, {"y"}, {attr("equation", "bhqk,bkhd->bqhd")})
      .output("y", kF32);
  return count(builder).macs.value;
}

// Flat inputs [2, 3 or 5, 32] of a fused operator of com.microsoft.
OneNode fused(const char* op, std::vector<AttributeSpec> attributes) {
  return {.op = op,
          .inputs = {data({2, 3, 32}), data({2, 5, 32}), data({2, 5, 32})},
          .attributes = std::move(attributes),
          .domain = "com.microsoft",
          .declared = data({2, 3, 32})};
}

TEST(Attention, CountsTheSameInEverySpelling) {
  const std::vector<Given> heads = {data({2, 4, 3, 8}), data({2, 4, 5, 8}), data({2, 4, 5, 8})};
  EXPECT_EQ(macs_of_matmuls(), kMacs);
  EXPECT_EQ(macs_of_einsums(), kMacs);
  EXPECT_EQ(count_one({.op = "Attention", .inputs = heads, .opset = 23}).macs.value, kMacs);
  EXPECT_EQ(count_one({.op = "FlexAttention",
                       .inputs = heads,
                       .domain = std::string(kPreviewDomain),
                       .opset = 26})
                .macs.value,
            kMacs);
  EXPECT_EQ(count_one(fused("MultiHeadAttention", {attr("num_heads", 4)})).macs.value, kMacs);
  // 2 of its 5 keys come from the cache; as many heads of keys as of queries.
  EXPECT_EQ(count_one({.op = "GroupQueryAttention",
                       .inputs = {data({2, 3, 32}), data({2, 3, 32}), data({2, 3, 32}),
                                  data({2, 4, 2, 8}), data({2, 4, 2, 8})},
                       .attributes = {attr("num_heads", 4), attr("kv_num_heads", 4)},
                       .domain = "com.microsoft",
                       .declared = data({2, 3, 32})})
                .macs.value,
            kMacs);
}

TEST(FlexAttention, RunsItsBodiesOnceOverAllScores) {
  GraphBuilder cap("cap");
  cap.input("scores").node("Tanh", {"scores"}, {"capped"}, {}, "", "tanh").output("capped");
  OneNode node{.op = "FlexAttention",
               .inputs = {data({2, 4, 3, 8}), data({2, 4, 5, 8}), data({2, 4, 5, 8})},
               .attributes = {attr("score_mod", cap)},
               .domain = std::string(kPreviewDomain),
               .opset = 26};
  const Work work = count(model_of(node));
  ASSERT_TRUE(work.is_complete());
  EXPECT_EQ(work.nodes[0].macs.value, kMacs);
  EXPECT_EQ(work.nodes[1].name, "n/score_mod/tanh");
  EXPECT_EQ(other(work.nodes[1], Arithmetic::Exponential), kScores);
}

// 2 batches of 3 steps; 4 heads of 8 read 2 states of 8 x 5.
OneNode linear_attention(const char* rule) {
  return {
      .op = "LinearAttention",
      .inputs = {data({2, 3, 32}), data({2, 3, 16}), data({2, 3, 10}), omitted(), data({2, 3, 2}),
                 data({2, 3, 2})},
      .attributes = {attr("q_num_heads", 4), attr("kv_num_heads", 2), attr("update_rule", rule)},
      .opset = 27,
      .outputs = {"y", "state"}};
}

TEST(LinearAttention, WritesAndReadsItsStates) {
  // A step writes 2 x 40 products and reads 4 x 40; 20 outputs are scaled.
  const NodeWork plain = count_one(linear_attention("linear"));
  EXPECT_EQ(plain.macs.value, 6U * (80 + 160));
  EXPECT_EQ(all_other(plain), 6U * 20U);
  // The delta reads 2 x 40 more; the gate takes exp of 2 numbers and scales 80 elements of state;
  // 10 values are corrected and weighted.
  const NodeWork gated = count_one(linear_attention("gated_delta"));
  EXPECT_EQ(gated.macs.value, 6U * (80 + 160 + 80));
  EXPECT_EQ(other(gated, Arithmetic::Exponential), 6U * 2U);
  EXPECT_EQ(other(gated, Arithmetic::Multiply), 6U * (20 + 80 + 10));
  EXPECT_EQ(other(gated, Arithmetic::Add), 6U * 10U);
}

TEST(MultiHeadAttention, CountsTheSame) {
  const NodeWork work = count_one({.op = "MultiHeadAttention",
                                   .inputs = {data({2, 3, 32}), data({2, 5, 32}), data({2, 5, 32})},
                                   .attributes = {attr("num_heads", 4)},
                                   .domain = "com.microsoft",
                                   .declared = data({2, 3, 32})});
  EXPECT_EQ(work.macs.value, kMacs);
  EXPECT_EQ(other(work, Arithmetic::Exponential), kScores);
}

TEST(MultiHeadAttention, TakesKeysByHeadAndPastKeys) {
  const NodeWork crossed =
      count_one({.op = "MultiHeadAttention",
                 .inputs = {data({2, 3, 32}), data({2, 4, 5, 8}), data({2, 4, 5, 8})},
                 .attributes = {attr("num_heads", 4)},
                 .domain = "com.microsoft",
                 .declared = data({2, 3, 32})});
  EXPECT_EQ(crossed.macs.value, kMacs);
  const NodeWork cached =
      count_one({.op = "MultiHeadAttention",
                 .inputs = {data({2, 3, 32}), data({2, 3, 32}), data({2, 3, 32}), omitted(),
                            omitted(), omitted(), data({2, 4, 2, 8}), data({2, 4, 2, 8})},
                 .attributes = {attr("num_heads", 4)},
                 .domain = "com.microsoft",
                 .declared = data({2, 3, 32})});
  EXPECT_EQ(cached.macs.value, kMacs);
}

TEST(GroupQueryAttention, TakesThePastAndTheNewKeys) {
  const NodeWork work = count_one({.op = "GroupQueryAttention",
                                   .inputs = {data({2, 3, 32}), data({2, 3, 16}), data({2, 3, 16}),
                                              data({2, 2, 2, 8}), data({2, 2, 2, 8})},
                                   .attributes = {attr("num_heads", 4), attr("kv_num_heads", 2)},
                                   .domain = "com.microsoft",
                                   .declared = data({2, 3, 32})});
  EXPECT_EQ(work.macs.value, kMacs);
}

TEST(GroupQueryAttention, CountsItsRotations) {
  const NodeWork work = count_one(
      {.op = "GroupQueryAttention",
       .inputs = {data({2, 5, 32}), data({2, 5, 16}), data({2, 5, 16})},
       .attributes = {attr("num_heads", 4), attr("kv_num_heads", 2), attr("do_rotary", 1)},
       .domain = "com.microsoft",
       .declared = data({2, 5, 32})});
  // Queries 2 x 5 x 32 and keys 2 x 5 x 16, two products each; and 2 x 4 x 5 x 5 scores scaled.
  EXPECT_EQ(other(work, Arithmetic::Multiply), 2U * (320U + 160U) + 200U);
}

TEST(MicrosoftAttention, AddsItsProjection) {
  // [2, 3, 16] by [16, 96]: 2 x 3 x 96 x 16. Then 3 queries meet 3 keys: 2 x 2 x 4 x 9 x 8.
  const NodeWork work = count_one({.op = "Attention",
                                   .inputs = {data({2, 3, 16}), weight({16, 96}), weight({96})},
                                   .attributes = {attr("num_heads", 4)},
                                   .domain = "com.microsoft",
                                   .declared = data({2, 3, 32})});
  EXPECT_EQ(work.macs.value, 9'216U + 1'152U);
}

TEST(QAttention, CountsAsAttention) {
  const NodeWork work = count_one({.op = "QAttention",
                                   .inputs = {data({2, 3, 16}, kU8), weight({16, 96}, kI8),
                                              weight({96}), weight({}), weight({})},
                                   .attributes = {attr("num_heads", 4)},
                                   .domain = "com.microsoft",
                                   .declared = data({2, 3, 32})});
  EXPECT_EQ(work.macs.value, 9'216U + 1'152U);
}

TEST(RotaryEmbedding, RotatesAllOrAPartOfEachHead) {
  // x cos + x' sin: two products and a sum for each of 2 x 4 x 3 x 8 elements.
  const NodeWork all =
      count_one({.op = "RotaryEmbedding",
                 .inputs = {data({2, 4, 3, 8}), weight({2, 3, 4}), weight({2, 3, 4})},
                 .opset = 23});
  EXPECT_EQ(other(all, Arithmetic::Multiply), 384U);
  EXPECT_EQ(other(all, Arithmetic::Add), 192U);
  const NodeWork half =
      count_one({.op = "RotaryEmbedding",
                 .inputs = {data({2, 4, 3, 8}), weight({2, 3, 2}), weight({2, 3, 2})},
                 .attributes = {attr("rotary_embedding_dim", 4)},
                 .opset = 23});
  EXPECT_EQ(other(half, Arithmetic::Multiply), 192U);
}

}  // namespace
}  // namespace headroom::test
