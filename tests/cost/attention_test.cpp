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
