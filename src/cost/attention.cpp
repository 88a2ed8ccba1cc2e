// SPDX-License-Identifier: Apache-2.0
// Attention in its spellings. B batches, S queries, T keys, H heads: the products Q K' and P V take
// (|Q| + |Y|) T MACs, whether they are one operator or two matrix products. A mask, causal or not,
// and a window subtract nothing: the decomposed form computes what it masks.
#include <array>

#include "cost/formula.h"
#include "cost/softmax.h"

namespace headroom::cost {
namespace {

// x cos + rotated x sin.
constexpr PerElement kRotate{.add = 1, .multiply = 2};

struct Products {
  Amount queries{};  ///< Elements of Q: B S H D.
  Amount keys{};     ///< T.
  Amount scores{};   ///< B H S T.
};

// Scale, mask, soft cap and softmax of the scores, and the two products.
void add_products(NodeView& view, Tally& tally, const Products& products, std::size_t mask) {
  const Operand y = view.output(0);
  tally.macs += (products.queries + y.elements()) * products.keys;
  tally.add(Arithmetic::Multiply, products.scores);
  if (view.input(mask).exists()) {
    const bool is_bool = view.input(mask).element() == ElementType::Bool;
    tally.add(is_bool ? Arithmetic::Compare : Arithmetic::Add, products.scores);
  }
  if (view.node().real("softcap", 0.0F) > 0.0F)
    add_each(tally, {.multiply = 1, .divide = 1, .exponential = 1}, products.scores);
  add_softmax(tally, products.scores, products.scores / products.keys);
}

Amount heads(NodeView& view, std::string_view attribute) {
  const std::int64_t count = view.integer(attribute, 0);
  if (count > 0) return static_cast<std::uint64_t>(count);
  view.note("the attribute '" + std::string(attribute) + "' is missing");
  return 1;
}

// Q, K, V, mask, past key, past value: [B, H, S, D] or [B, S, H D].
void count_attention(NodeView& view, Tally& tally) {
  const Operand q = view.input(0);
  const bool is_flat = q.rank() == 3;
  const std::int64_t length_axis = is_flat ? 1 : 2;
  Products products{.queries = q.elements(), .keys = view.input(1).dim(length_axis)};
  if (view.input(4).exists()) products.keys += view.input(4).dim(2);
  const Amount head_count = is_flat ? heads(view, "q_num_heads") : q.dim(1);
  products.scores = q.dim(0) * head_count * q.dim(length_axis) * products.keys;
  add_products(view, tally, products, 3);
}

// query [B, T, H D], key [B, T, G D], value [B, T, G E], past state, decay, beta. The state [D, E]
// of each of G heads takes up k v', a sum of products over T; each of H heads reads it with q. The
// delta rules read it with k too, to write only what differs from v. Source: ONNX operator
// specification, LinearAttention; the recurrence is counted, whatever `chunk_size` says.
void count_linear_attention(NodeView& view, Tally& tally) {
  const Operand value = view.input(2);
  const Amount width = value.dim(2) / heads(view, "kv_num_heads");
  const Amount writes = view.input(1).elements() * width;
  const std::string_view rule = view.node().text("update_rule", "gated_delta");
  tally.macs += writes + view.input(0).elements() * width;
  tally.add(Arithmetic::Multiply, view.output(0).elements());
  if (rule == "gated" || rule == "gated_delta") {
    tally.add(Arithmetic::Exponential, view.input(4).elements());
    tally.add(Arithmetic::Multiply, writes);
  }
  if (rule == "delta" || rule == "gated_delta") {
    tally.macs += writes;
    add_each(tally, {.add = 1, .multiply = 1}, value.elements());
  }
}

struct Layout {
  std::size_t bias;
  std::size_t mask;
  std::size_t past;
};

// query [B, S, H D], key [B, T, H D] or [B, H, T, D]; packed as [B, S, H, 3, D], [B, T, H, 2, D].
void count_multi_head(NodeView& view, Tally& tally, const Layout& layout) {
  const Operand query = view.input(0);
  const Operand key = view.input(1);
  const bool is_packed = query.rank() == 5;
  Products products{.queries = query.elements() / (is_packed ? 3 : 1), .keys = query.dim(1)};
  if (key.exists()) products.keys = key.dim(key.rank() == 4 ? 2 : 1);
  if (view.input(layout.past).exists()) products.keys += view.input(layout.past).dim(2);
  products.scores = query.dim(0) * heads(view, "num_heads") * query.dim(1) * products.keys;
  add_products(view, tally, products, layout.mask);
  if (!view.input(layout.bias).exists()) return;
  tally.add(Arithmetic::Add, query.elements());
  if (key.exists()) tally.add(Arithmetic::Add, key.elements());
  if (view.input(2).exists()) tally.add(Arithmetic::Add, view.input(2).elements());
}

void count_multi_head_attention(NodeView& view, Tally& tally) {
  count_multi_head(view, tally, {.bias = 3, .mask = 5, .past = 6});
}

void count_decoder_masked_attention(NodeView& view, Tally& tally) {
  count_multi_head(view, tally, {.bias = 10, .mask = 4, .past = 5});
}

// T: what total_sequence_length says, else the length of present_key, else past and new keys.
Amount group_query_keys(NodeView& view) {
  if (const auto total = view.known_scalar(6); total && *total > 0)
    return static_cast<std::uint64_t>(*total);
  if (view.output(1).exists()) return view.output(1).dim(2);
  const Amount now = view.input(0).dim(1);
  return view.input(3).exists() ? view.input(3).dim(2) + now : now;
}

// query [B, S, H D], key and value [B, S, G D] (or all packed in query), past key [B, G, P, D].
void count_group_query_attention(NodeView& view, Tally& tally) {
  const Operand query = view.input(0);
  const Amount queries = view.output(0).elements();  // As wide as Q, also where Q is packed.
  const Amount head_count = heads(view, "num_heads");
  Products products{.queries = queries, .keys = group_query_keys(view)};
  products.scores = query.dim(0) * head_count * query.dim(1) * products.keys;
  add_products(view, tally, products, 10);
  if (!view.flag("do_rotary")) return;
  add_each(tally, kRotate, queries + queries / head_count * heads(view, "kv_num_heads"));
}

// input [B, S, I], weights [I, widths of Q, K and V], bias, mask, past [2, B, H, P, D].
void count_projected(NodeView& view, Tally& tally, std::size_t mask, std::size_t past) {
  const Operand input = view.input(0);
  const Amount positions = input.dim(0) * input.dim(1);
  const Amount projected = positions * view.input(1).dim(1);
  tally.macs += projected * input.dim(2);
  if (view.input(2).exists()) tally.add(Arithmetic::Add, projected);
  const std::int64_t width = view.entry("qkv_hidden_sizes", 0, 0);
  Products products{
      .queries = width > 0 ? positions * static_cast<std::uint64_t>(width) : projected / 3,
      .keys = input.dim(1)};
  if (view.input(past).exists()) products.keys += view.input(past).dim(3);
  products.scores = positions * heads(view, "num_heads") * products.keys;
  add_products(view, tally, products, mask);
}

void count_microsoft_attention(NodeView& view, Tally& tally) {
  count_projected(view, tally, 5, 4);
}

// input, weights, bias, input scale, weight scale, mask, input zero point, weight zero point, past.
void count_quantized_attention(NodeView& view, Tally& tally) {
  count_projected(view, tally, view.input_count(), 8);
  const Operand input = view.input(0);
  add_each(tally, {.multiply = 1, .convert = 1},
           input.dim(0) * input.dim(1) * view.input(1).dim(1));
  if (view.input(6).exists()) tally.add(Arithmetic::Add, input.elements());
}

// [B, S, H D] or [B, H, S, D]; of each head the first rotary_embedding_dim elements, all where it
// is 0.
void count_rotary(NodeView& view, Tally& tally) {
  const Operand x = view.input(0);
  Amount rotated = x.elements();
  if (const std::int64_t part = view.integer("rotary_embedding_dim", 0); part > 0) {
    const Amount head_size = x.rank() == 3 ? x.dim(2) / heads(view, "num_heads") : x.dim(-1);
    rotated = rotated / head_size * static_cast<std::uint64_t>(part);
  }
  add_each(tally, kRotate, rotated);
}

constexpr std::array kFormulas = {
    Formula{kOnnx, "Attention", {}, count_attention, Traffic::Whole, input_bit(6)},
    Formula{kOnnx, "LinearAttention", {}, count_linear_attention},
    Formula{kOnnx,
            "RotaryEmbedding",
            {},
            count_rotary,
            Traffic::Whole,
            0,
            input_bit(1) | input_bit(2),
            3},
    // Its bodies map all scores at once.
    Formula{kOnnxPreview, "FlexAttention", {}, count_attention},
    Formula{kMicrosoft, "Attention", {}, count_microsoft_attention, Traffic::Whole, input_bit(6)},
    Formula{kMicrosoft,
            "DecoderMaskedMultiHeadAttention",
            {},
            count_decoder_masked_attention,
            Traffic::Whole,
            input_bit(7)},
    Formula{kMicrosoft,
            "GroupQueryAttention",
            {},
            count_group_query_attention,
            Traffic::Whole,
            input_bit(5) | input_bit(6),
            input_bit(7) | input_bit(8),
            9},
    Formula{kMicrosoft, "MultiHeadAttention", {}, count_multi_head_attention},
    Formula{kMicrosoft, "QAttention", {}, count_quantized_attention},
    Formula{kMicrosoft,
            "RotaryEmbedding",
            {},
            count_rotary,
            Traffic::Whole,
            0,
            input_bit(2) | input_bit(3),
            1},
};

}  // namespace

void add_softmax(Tally& tally, Amount elements, Amount rows) {
  tally.add(Arithmetic::Compare, elements - rows);
  tally.add(Arithmetic::Add, elements + (elements - rows));
  tally.add(Arithmetic::Exponential, elements);
  tally.add(Arithmetic::Divide, elements);
}

void add_log_softmax(Tally& tally, Amount elements, Amount rows) {
  tally.add(Arithmetic::Compare, elements - rows);
  tally.add(Arithmetic::Add, 2 * elements + (elements - rows));
  tally.add(Arithmetic::Exponential, elements + rows);
}

std::span<const Formula> attention_formulas() {
  return kFormulas;
}

}  // namespace headroom::cost
