// SPDX-License-Identifier: Apache-2.0
// Recurrent layers: RNN, GRU, LSTM; and linear attention, whose state is recurrent too.
#include <array>

#include <fmt/format.h>

#include "model/infer/generic.h"
#include "model/infer/rules.h"

namespace headroom::infer {
namespace {

Dim hidden_size(const NodeInference& node) {
  const std::int64_t given = node.node().integer("hidden_size", 0);
  const Shape* recurrence = node.shape(2);
  if (recurrence && recurrence->size() != 3) node.require_rank(2, 3);
  if (given > 0 && recurrence)
    return node.agreed(fixed(given), (*recurrence)[2], "hidden_size and the recurrence weight");
  if (given > 0) return fixed(given);
  return recurrence ? (*recurrence)[2] : node.unknown(0, 3);
}

std::int64_t directions(const NodeInference& node) {
  const std::string_view direction = node.node().text("direction", "forward");
  if (direction == "bidirectional") return 2;
  if (direction == "forward" || direction == "reverse") return 1;
  node.fail(fmt::format("direction '{}' is none of forward, reverse, bidirectional", direction));
}

// X is [sequence, batch, input], with layout 1 [batch, sequence, input].
void recurrent(NodeInference& node) {
  node.require_rank(0, 3);
  const Shape* x = node.shape(0);
  if (x && node.shape(1)) {
    node.require_rank(1, 3);
    node.agreed((*x)[2], (*node.shape(1))[2], "the input size and that of the weight");
  }
  const bool is_batch_first = node.node().integer("layout", 0) != 0;
  const Dim sequence = x ? (*x)[is_batch_first ? 1 : 0] : node.unknown(0, is_batch_first ? 1 : 0);
  const Dim batch = x ? (*x)[is_batch_first ? 0 : 1] : node.unknown(0, is_batch_first ? 0 : 2);
  const Dim hidden = hidden_size(node);
  const Dim direction = fixed(directions(node));
  const ElementType element = first_element(node, 0, 3);
  const Shape state =
      is_batch_first ? Shape{batch, direction, hidden} : Shape{direction, batch, hidden};
  node.set(0, element,
           is_batch_first ? Shape{batch, sequence, direction, hidden}
                          : Shape{sequence, direction, batch, hidden});
  node.set(1, element, Shape(state));
  if (node.node().op == "LSTM") node.set(2, element, Shape(state));
}

// Query, key and value are [B, T, heads·size]; the state is [B, kv_heads, key size, value size].
void linear_attention(NodeInference& node) {
  const std::int64_t query_heads = node.required_integer("q_num_heads");
  const std::int64_t heads = node.required_integer("kv_num_heads");
  if (query_heads < 1 || heads < 1) node.fail("the numbers of heads must be positive");
  for (std::size_t i = 0; i < 3; ++i) node.require_rank(i, 3);
  const ElementType element = first_element(node, 0, 3);
  const ElementType state = node.has_input(3) ? node.element(3) : element;
  const Shape* query = node.shape(0);
  const Shape* key = node.shape(1);
  const Shape* value = node.shape(2);
  if (!query || !key || !value) {
    node.set(0, element, node.unknown_shape(0, 3));
    return node.set(1, state, node.unknown_shape(1, 4));
  }
  const auto per_head = [&](std::int64_t size) { return quotient(size, heads); };
  const Dim value_size = node.compute(1, 3, per_head, (*value)[2]);
  const Dim width = node.compute(
      0, 2, [&](std::int64_t size) { return times(size, query_heads); }, value_size);
  node.set(0, element, {(*query)[0], (*query)[1], width});
  node.set(1, state,
           {(*query)[0], fixed(heads), node.compute(1, 2, per_head, (*key)[2]), value_size});
}

constexpr std::array kRules = {
    Rule{"GRU", recurrent, 3},
    Rule{"LSTM", recurrent, 3},
    Rule{"LinearAttention", linear_attention, 3},
    Rule{"RNN", recurrent, 3},
};

}  // namespace

std::span<const Rule> recurrent_rules() {
  return kRules;
}

}  // namespace headroom::infer
