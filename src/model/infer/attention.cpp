// SPDX-License-Identifier: Apache-2.0
// Attention of the default domain: Attention, FlexAttention, RotaryEmbedding.
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "model/infer/control_flow.h"
#include "model/infer/generic.h"
#include "model/infer/rules.h"

namespace headroom::infer {
namespace {

/// [batch, heads, sequence, head size] of a query, key or value.
struct Heads {
  Dim batch{};
  Dim heads{};
  Dim sequence{};
  Dim size{};
};

// A 3-D input [batch, sequence, heads·size] is split by the number of heads.
Heads read_heads(const NodeInference& node, std::size_t input, std::string_view count_attribute) {
  const Shape& shape = *node.shape(input);
  if (shape.size() == 4) return {shape[0], shape[1], shape[2], shape[3]};
  if (shape.size() != 3) node.fail("query, key and value must have rank 3 or 4");
  const std::int64_t count = node.required_integer(count_attribute);
  if (count < 1) node.fail("the number of heads must be positive");
  const Dim size = node.compute(
      0, 3 + input, [&](std::int64_t width) { return quotient(width, count); }, shape[2]);
  return {shape[0], fixed(count), shape[1], size};
}

Dim total_sequence(const NodeInference& node, const Heads& key, std::size_t past) {
  if (!node.has_input(past)) return key.sequence;
  const Shape* cache = node.shape(past);
  if (!cache || cache->size() != 4) return node.unknown(1, 2);
  if (key.sequence.size == 0) return (*cache)[2];
  if ((*cache)[2].size == 0) return key.sequence;
  return node.compute(
      1, 2, [](std::int64_t a, std::int64_t b) { return plus(a, b); }, (*cache)[2], key.sequence);
}

void attention(NodeInference& node) {
  const ElementType element = node.element(0);
  if (!node.shape(0) || !node.shape(1) || !node.shape(2)) {
    node.set_element(0, element);
    node.set_element(1, element);
    node.set_element(2, node.element(2));
    return node.set_element(3, element);
  }
  const Heads query = read_heads(node, 0, "q_num_heads");
  const Heads key = read_heads(node, 1, "kv_num_heads");
  const Heads value = read_heads(node, 2, "kv_num_heads");
  node.agreed(query.size, key.size, "the head sizes of query and key");
  node.agreed(query.batch, key.batch, "the batches of query and key");
  const Dim total = total_sequence(node, key, 4);
  if (node.shape(0)->size() == 4) {
    node.set(0, element, {query.batch, query.heads, query.sequence, value.size});
  } else {
    const Dim width = node.compute(
        0, 2, [](std::int64_t a, std::int64_t b) { return times(a, b); }, query.heads, value.size);
    node.set(0, element, {query.batch, query.sequence, width});
  }
  node.set(1, element, {key.batch, key.heads, total, key.size});
  node.set(2, node.element(2), {value.batch, value.heads, total, value.size});
  node.set(3, element, {query.batch, query.heads, query.sequence, total});
}

constexpr std::array kRules = {
    Rule{"Attention", attention, 3},
    Rule{"RotaryEmbedding", same_as_first, 3},
};

// The body maps all scores at once, in the type in which the softmax is taken.
void infer_modifier(NodeInference& node, std::string_view attribute, const ValueType& scores) {
  Graph* body = node.body(attribute);
  if (!body) return;
  Scope scope{*body, &node.scope()};
  if (!infer_body(node, scope, {&scores, 1}, std::nullopt, node.walk().strictness()))
    node.fail(fmt::format("its body '{}' cannot run to its end", attribute));
}

void flex_attention(NodeInference& node) {
  for (std::size_t i = 0; i < 3; ++i) node.require_rank(i, 4);
  const Shape* query = node.shape(0);
  const Shape* key = node.shape(1);
  const Shape* value = node.shape(2);
  const ElementType otherwise =
      node.element(0) == ElementType::Float64 ? ElementType::Float64 : ElementType::Float32;
  ValueType scores{.kind = TypeKind::Tensor,
                   .element = node.element_attribute("softmax_precision", otherwise)};
  if (query && key) scores.shape = Shape{(*query)[0], (*query)[1], (*query)[2], (*key)[2]};
  infer_modifier(node, "score_mod", scores);
  infer_modifier(node, "prob_mod", scores);
  if (!query || !value) return node.set(0, node.element(0), node.unknown_shape(0, 4));
  node.set(0, node.element(0), {(*query)[0], (*query)[1], (*query)[2], (*value)[3]});
}

constexpr std::array kPreviewRules = {Rule{"FlexAttention", flex_attention, 3}};

}  // namespace

std::span<const Rule> attention_rules() {
  return kRules;
}

std::span<const Rule> preview_rules() {
  return kPreviewRules;
}

}  // namespace headroom::infer
