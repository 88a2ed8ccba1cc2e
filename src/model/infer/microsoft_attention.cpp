// SPDX-License-Identifier: Apache-2.0
// Attention of com.microsoft, as ONNX Runtime defines it (its ContribOperators.md).
#include <algorithm>
#include <array>

#include "model/infer/generic.h"
#include "model/infer/rules.h"

namespace headroom::infer {
namespace {

std::int64_t head_count(const NodeInference& node, std::string_view attribute) {
  const std::int64_t count = node.required_integer(attribute);
  if (count < 1) node.fail("the number of heads must be positive");
  return count;
}

Dim divided(const NodeInference& node, std::size_t output, std::size_t dimension, const Dim& dim,
            std::int64_t by) {
  return node.compute(
      output, dimension, [&](std::int64_t size) { return quotient(size, by); }, dim);
}

Dim added(const NodeInference& node, std::size_t output, std::size_t dimension, const Dim& a,
          const Dim& b) {
  if (b.size == 0) return a;
  if (a.size == 0) return b;
  return node.compute(
      output, dimension, [](std::int64_t x, std::int64_t y) { return plus(x, y); }, a, b);
}

// Input [B, S, D] and a weight for query, key and value, whose widths may be listed.
void attention_with_weights(NodeInference& node, ElementType element, std::size_t past) {
  const std::int64_t heads = head_count(node, "num_heads");
  node.require_rank(0, 3);
  node.require_rank(1, 2);
  const Shape* x = node.shape(0);
  const Shape* weight = node.shape(1);
  if (!x || !weight) {
    node.set_element(1, element);
    return node.set(0, element, node.unknown_shape(0, 3));
  }
  const auto widths = node.node().integers("qkv_hidden_sizes");
  const Dim width = widths.size() == 3 ? fixed(widths[2]) : divided(node, 0, 2, (*weight)[1], 3);
  node.set(0, element, {(*x)[0], (*x)[1], width});
  if (!node.has_output(1)) return;
  const Shape* cache = node.shape(past);
  Dim total = (*x)[1];
  if (node.has_input(past)) {
    total =
        cache && cache->size() == 5 ? added(node, 1, 3, (*cache)[3], (*x)[1]) : node.unknown(1, 3);
  }
  if (node.node().integer("past_present_share_buffer", 0) != 0)
    total = cache && cache->size() == 5 ? (*cache)[3] : node.unknown(1, 3);
  node.set(1, element, {fixed(2), (*x)[0], fixed(heads), total, divided(node, 1, 4, width, heads)});
}

void attention(NodeInference& node) {
  attention_with_weights(node, node.element(0), 4);
}

// The quantised form: scales and zero points stand between, the past is input 8.
void quantized_attention(NodeInference& node) {
  attention_with_weights(node, node.element(3), 8);
}

// Width of the output of MultiHeadAttention, from whatever form the value has.
Dim value_width(const NodeInference& node, std::int64_t heads) {
  const Shape* query = node.shape(0);
  const Shape* key = node.shape(1);
  const Shape* value = node.shape(2);
  const auto times_heads = [&](const Dim& size) {
    return node.compute(
        0, 2, [&](std::int64_t one) { return times(one, heads); }, size);
  };
  if (value && value->size() == 3) return (*value)[2];
  if (value && value->size() == 4) return times_heads((*value)[3]);
  if (key && key->size() == 5) return times_heads((*key)[4]);
  if (query && query->size() == 5) return times_heads((*query)[4]);
  return node.unknown(0, 2);
}

// Present key or value [B, heads, past + new, head size], from a past of the same form.
void set_present(NodeInference& node, std::size_t output, std::size_t input, std::size_t past,
                 std::int64_t heads) {
  if (!node.has_output(output)) return;
  const ElementType element = node.element(0);
  const Shape* now = node.shape(input);
  const Shape* cache = node.shape(past);
  const bool shares = node.has_input(9);  // A shared buffer: its length is that of the past.
  if (!now || (now->size() != 3 && now->size() != 4) || (node.has_input(past) && !cache) || shares)
    return node.set(output, element, node.unknown_shape(output, 4));
  const bool is_split = now->size() == 4;
  const Dim size = is_split ? (*now)[3] : divided(node, output, 3, (*now)[2], heads);
  // A key that is split into heads already stems from elsewhere and is not appended to a past.
  const Dim& fresh = (*now)[is_split ? 2 : 1];
  const Dim total =
      cache && cache->size() == 4 ? added(node, output, 2, (*cache)[2], fresh) : fresh;
  node.set(output, element, {(*now)[0], fixed(heads), total, size});
}

void multi_head_attention(NodeInference& node) {
  const std::int64_t heads = head_count(node, "num_heads");
  const Shape* query = node.shape(0);
  const ElementType element = node.element(0);
  if (!query) {
    node.set(0, element, node.unknown_shape(0, 3));
  } else {
    if (query->size() != 3 && query->size() != 5) node.fail("the query must have rank 3 or 5");
    node.set(0, element, {(*query)[0], (*query)[1], value_width(node, heads)});
  }
  set_present(node, 1, 1, 6, heads);
  set_present(node, 2, 2, 7, heads);
  if (node.has_output(3)) node.set(3, element, node.unknown_shape(3, 4));
}

// Present [B, kv heads, max(total, past), head size]: the past may be a larger buffer.
void set_group_present(NodeInference& node, std::size_t output, std::size_t past,
                       std::int64_t heads, const Dim& size) {
  if (!node.has_output(output)) return;
  const Shape* cache = node.shape(past);
  const Shape* query = node.shape(0);
  const Integer total = node.integer(6);
  Dim length = node.unknown(output, 2);
  if (!node.has_input(past)) {
    if (total) length = node.sized(total);
  } else if (cache && cache->size() == 4 && (*cache)[2].size && total) {
    length = fixed(std::max(*(*cache)[2].size, *total));
  }
  const ElementType element = node.has_input(past) ? node.element(past) : node.element(0);
  node.set(output, element,
           {query ? query->front() : node.unknown(output, 0), fixed(heads), length, size});
}

// Without key and value, the query holds all three.
void group_query_attention(NodeInference& node) {
  const std::int64_t heads = head_count(node, "num_heads");
  const std::int64_t groups = head_count(node, "kv_num_heads");
  node.require_rank(0, 3);
  const Shape* query = node.shape(0);
  const bool is_packed = !node.has_input(1);
  Dim size = node.unknown(1, 3);
  Dim width = node.unknown(0, 2);
  if (query) {
    const Integer parts =
        is_packed ? plus(heads, times(groups, std::int64_t{2}).value_or(0)) : Integer{heads};
    size = divided(node, 1, 3, (*query)[2], parts.value_or(1));
    width = is_packed ? node.compute(
                            0, 2, [&](std::int64_t one) { return times(one, heads); }, size)
                      : (*query)[2];
  }
  node.set(
      0, node.element(0),
      {query ? (*query)[0] : node.unknown(0, 0), query ? (*query)[1] : node.unknown(0, 1), width});
  set_group_present(node, 1, 3, groups, size);
  set_group_present(node, 2, 4, groups, size);
}

constexpr std::array kRules = {
    Rule{"Attention", attention, 2},
    Rule{"GroupQueryAttention", group_query_attention, 1},
    Rule{"MultiHeadAttention", multi_head_attention, 1},
    Rule{"QAttention", quantized_attention, 5},
};

}  // namespace

std::span<const Rule> microsoft_attention_rules() {
  return kRules;
}

}  // namespace headroom::infer
