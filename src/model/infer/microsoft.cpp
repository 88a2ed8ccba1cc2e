// SPDX-License-Identifier: Apache-2.0
// Domain com.microsoft: fused operators and products with quantised weights, as ONNX Runtime
// defines them (its ContribOperators.md). Attention and quantised operators: microsoft_*.cpp.
#include <array>

#include <fmt/format.h>

#include "model/infer/convolution.h"
#include "model/infer/generic.h"
#include "model/infer/normalization.h"
#include "model/infer/products.h"
#include "model/infer/quantization.h"
#include "model/infer/rules.h"

namespace headroom::infer {
namespace {

// A [..., K] times a packed weight of K rows and N columns.
void matmul_n_bits(NodeInference& node) {
  const std::int64_t inner = node.required_integer("K");
  const std::int64_t columns = node.required_integer("N");
  const Shape* a = node.shape(0);
  if (!a) return node.set_element(0, node.element(0));
  if (a->empty()) node.fail("input 0 must have rank 1 or more");
  node.agreed(a->back(), fixed(inner), "the last dimension of input 0 and attribute 'K'");
  Shape shape = *a;
  shape.back() = fixed(columns);
  node.set(0, node.element(0), std::move(shape));
}

void fused_conv(NodeInference& node) {
  convolve(node, 1, node.element(0));
}

void fused_matmul(NodeInference& node) {
  const bool moves_batch =
      node.node().integer("transBatchA", 0) != 0 || node.node().integer("transBatchB", 0) != 0;
  if (moves_batch) return node.set_element(0, node.element(0));
  multiply_matrices(node, 0, 1, node.element(0), node.node().integer("transA", 0) != 0,
                    node.node().integer("transB", 0) != 0);
}

void fused_gemm(NodeInference& node) {
  gemm_like(node, 0, 1, node.element(0));
}

void gemm_gelu(NodeInference& node) {
  multiply_matrices(node, 0, 1, node.element(0));
}

// Statistics are kept at the last axis; output 3 is the sum that is normalised.
void skip_layer_normalization(NodeInference& node) {
  same_as_first(node);
  set_statistics(node, 1, 3, -1, ElementType::Float32);
  node.set(3, ValueType(node.input(0)));
}

void simplified_layer_normalization(NodeInference& node) {
  same_as_first(node);
  set_statistics(node, 1, 2, node.node().integer("axis", -1), ElementType::Float32);
}

// Ids [B, S] and a table [V, H] give [B, S, H], lengths [B] and the sum before normalisation.
void embed_layer_normalization(NodeInference& node) {
  node.require_rank(0, 2);
  node.require_rank(2, 2);
  const Shape* ids = node.shape(0);
  const Shape* table = node.shape(2);
  const ElementType element = node.element(2);
  const Dim batch = ids ? ids->front() : node.unknown(0, 0);
  const Shape embedded = {batch, ids ? ids->back() : node.unknown(0, 1),
                          table ? table->back() : node.unknown(0, 2)};
  node.set(0, element, Shape(embedded));
  node.set(1, ElementType::Int32, {batch});
  node.set(2, element, Shape(embedded));
}

// The halves of the last dimension are multiplied.
void bias_split_gelu(NodeInference& node) {
  const Shape* x = node.shape(0);
  if (!x) return node.set_element(0, node.element(0));
  if (x->empty()) node.fail("input 0 must have rank 1 or more");
  Shape shape = *x;
  shape.back() = node.compute(
      0, shape.size() - 1, [](std::int64_t size) { return quotient(size, 2); }, x->back());
  node.set(0, node.element(0), std::move(shape));
}

void bias_dropout(NodeInference& node) {
  same_as_first(node);
  if (node.shape(0)) node.set(1, ElementType::Bool, Shape(*node.shape(0)));
}

void skip_group_norm(NodeInference& node) {
  same_as_first(node);
  node.set(1, ValueType(node.input(0)));
}

// Distances between the rows of two matrices.
void pairwise_distance(NodeInference& node) {
  node.require_rank(0, 2);
  node.require_rank(1, 2);
  const Shape* a = node.shape(0);
  const Shape* b = node.shape(1);
  node.set(0, node.element(0),
           {a ? a->front() : node.unknown(0, 0), b ? b->front() : node.unknown(0, 1)});
}

void expand_dims(NodeInference& node) {
  const Shape* x = node.shape(0);
  if (!x) return node.set_element(0, node.element(0));
  const Integer axis = node.integer(1);
  if (!axis) return node.set(0, node.element(0), node.unknown_shape(0, x->size() + 1));
  Shape shape = *x;
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(node.axis(*axis, x->size() + 1)),
               fixed(1));
  node.set(0, node.element(0), std::move(shape));
}

constexpr std::array kRules = {
    Rule{"BiasAdd", same_as_first, 2},
    Rule{"BiasDropout", bias_dropout, 2},
    Rule{"BiasGelu", same_as_first, 2},
    Rule{"BiasSoftmax", same_as_first, 2},
    Rule{"BiasSplitGelu", bias_split_gelu, 2},
    Rule{"CDist", pairwise_distance, 2},
    Rule{"DequantizeLinear", dequantize_linear, 2},
    Rule{"EmbedLayerNormalization", embed_layer_normalization, 1},
    Rule{"ExpandDims", expand_dims, 2},
    Rule{"FastGelu", same_as_first, 1},
    Rule{"FusedConv", fused_conv, 2},
    Rule{"FusedGemm", fused_gemm, 2},
    Rule{"FusedMatMul", fused_matmul, 2},
    Rule{"FusedMatMulActivation", fused_matmul, 2},
    Rule{"Gelu", same_as_first, 1},
    Rule{"GemmFastGelu", gemm_gelu, 2},
    Rule{"GroupNorm", same_as_first, 3},
    Rule{"Inverse", same_as_first, 1},
    Rule{"MatMulBnb4", matmul_n_bits, 3},
    Rule{"MatMulNBits", matmul_n_bits, 3},
    Rule{"MoE", same_as_first, 2},
    Rule{"QMoE", same_as_first, 2},
    Rule{"QuantizeLinear", quantize_linear, 2},
    Rule{"QuickGelu", same_as_first, 1},
    Rule{"RotaryEmbedding", same_as_first, 4},
    Rule{"SimplifiedLayerNormalization", simplified_layer_normalization, 2},
    Rule{"SkipGroupNorm", skip_group_norm, 4},
    Rule{"SkipLayerNormalization", skip_layer_normalization, 3},
    Rule{"SkipSimplifiedLayerNormalization", skip_layer_normalization, 3},
    Rule{"TransposeMatMul", fused_matmul, 2},
    Rule{"Trilu", same_as_first, 1},
};

}  // namespace

std::span<const Rule> microsoft_rules() {
  return kRules;
}

}  // namespace headroom::infer
