// SPDX-License-Identifier: Apache-2.0
// Sums of products of two tensors in floating point: convolutions and matrix products. One
// multiply-add is one MAC; a padded position counts like any other, as a direct algorithm computes
// it.
#include "cost/contraction.h"

#include <array>

#include "cost/activation.h"
#include "cost/einsum.h"
#include "cost/formula.h"

namespace headroom::cost {

Amount convolution_macs(NodeView& view, std::size_t weight) {
  return view.output(0).elements() * view.input(weight).product(1, -1);
}

Amount matmul_macs(NodeView& view, std::size_t left) {
  return view.output(0).elements() * view.input(left).dim(-1);
}

Amount gemm_macs(NodeView& view, std::size_t left) {
  return view.output(0).elements() * view.input(left).dim(view.flag("transA") ? 0 : 1);
}

void add_bias(NodeView& view, Tally& tally, std::size_t bias) {
  if (view.input(bias).exists()) tally.add(Arithmetic::Add, view.output(0).elements());
}

namespace {

// X [N, C, ...], W [M, C / group, kernel...] (channels last: [M, kernel..., C / group]), B [M].
void count_conv(NodeView& view, Tally& tally) {
  tally.macs += convolution_macs(view, 1);
  add_bias(view, tally, 2);
}

// Conv, then + Z, then an activation.
void count_fused_conv(NodeView& view, Tally& tally) {
  count_conv(view, tally);
  add_bias(view, tally, 3);
  add_activation(view, tally, view.node().text("activation", ""), view.output(0).elements());
}

// X [N, C, ...], W [C, M / group, kernel...]: each input element meets M / group kernels. What
// falls into the cropped border is counted, as the padding of Conv is.
void count_conv_transpose(NodeView& view, Tally& tally) {
  tally.macs += view.input(0).elements() * view.input(1).product(1, -1);
  add_bias(view, tally, 2);
}

// X, W, offset [N, G * kernel * rank, out...], B, mask. Each channel samples X between its pixels,
// 2^rank neighbours with a weight each.
void count_deform_conv(NodeView& view, Tally& tally) {
  tally.macs += convolution_macs(view, 1);
  add_bias(view, tally, 3);
  const std::size_t rank = view.input(0).rank();
  if (rank < 3 || rank > 34) return view.note("the input of DeformConv needs 1 to 32 spatial axes");
  const Amount neighbours = std::uint64_t{1} << (rank - 2);
  const Amount samples =
      view.input(0).product(0, 1) * view.input(1).product(2, -1) * view.output(0).product(2, -1);
  tally.add(Arithmetic::Multiply, samples * neighbours);
  tally.add(Arithmetic::Add, samples * (neighbours - 1));
  if (view.input(4).exists()) tally.add(Arithmetic::Multiply, samples);
}

// input [N, C, L], weight [C, 1, kernel], bias, the last kernel - 1 columns of before.
void count_causal_conv(NodeView& view, Tally& tally) {
  tally.macs += convolution_macs(view, 1);
  add_bias(view, tally, 2);
  if (view.node().text("activation", "none") != "none")
    add_activation(view, tally, "Swish", view.output(0).elements());
}

void count_matmul(NodeView& view, Tally& tally) {
  tally.macs += matmul_macs(view, 0);
}

void add_alpha(NodeView& view, Tally& tally) {
  if (view.node().real("alpha", 1.0F) != 1.0F)
    tally.add(Arithmetic::Multiply, view.output(0).elements());
}

// transBatchA moves the batch axes between the two of the matrix: [M, batch..., K].
void count_fused_matmul(NodeView& view, Tally& tally) {
  const bool is_batch_inside = view.flag("transBatchA");
  const std::int64_t row_axis = is_batch_inside ? 0 : -2;
  const Operand left = view.input(0);
  const bool is_transposed = view.flag("transA") && left.rank() > 1;
  tally.macs += view.output(0).elements() * left.dim(is_transposed ? row_axis : -1);
  add_alpha(view, tally);
}

void count_fused_matmul_activation(NodeView& view, Tally& tally) {
  count_fused_matmul(view, tally);
  add_activation(view, tally, view.node().text("activation", ""), view.output(0).elements());
}

// alpha A' B' + beta C; C is broadcast and scaled before it is added.
void count_gemm(NodeView& view, Tally& tally) {
  tally.macs += gemm_macs(view, 0);
  add_alpha(view, tally);
  add_bias(view, tally, 2);
  const Operand bias = view.input(2);
  if (bias.exists() && view.node().real("beta", 1.0F) != 1.0F)
    tally.add(Arithmetic::Multiply, bias.elements());
}

void count_fused_gemm(NodeView& view, Tally& tally) {
  count_gemm(view, tally);
  add_activation(view, tally, view.node().text("activation", ""), view.output(0).elements());
}

// X [..., K], W, bias, then a gelu by tanh.
void count_gemm_fast_gelu(NodeView& view, Tally& tally) {
  tally.macs += matmul_macs(view, 0);
  add_bias(view, tally, 2);
}

// theta [N, d, d + 1] times the homogeneous coordinates of each output position.
void count_affine_grid(NodeView& view, Tally& tally) {
  tally.macs += view.output(0).elements() * view.input(0).dim(2);
}

constexpr std::array kFormulas = {
    Formula{kOnnx, "AffineGrid", {}, count_affine_grid, Traffic::Whole, kAfterFirst},
    Formula{kOnnx, "CausalConvWithState", {}, count_causal_conv},
    Formula{kOnnx, "Conv", {}, count_conv, Traffic::Window},
    Formula{kOnnx, "ConvTranspose", {}, count_conv_transpose},
    Formula{kOnnx, "DeformConv", {}, count_deform_conv},
    Formula{kOnnx, "Einsum", {}, count_einsum},
    Formula{kOnnx, "Gemm", {}, count_gemm},
    Formula{kOnnx, "MatMul", {}, count_matmul},
    Formula{kMicrosoft, "FusedConv", {}, count_fused_conv, Traffic::Window},
    Formula{kMicrosoft, "FusedGemm", {}, count_fused_gemm},
    Formula{kMicrosoft, "FusedMatMul", {}, count_fused_matmul},
    Formula{kMicrosoft, "FusedMatMulActivation", {}, count_fused_matmul_activation},
    Formula{kMicrosoft, "GemmFastGelu", kGeluTanh, count_gemm_fast_gelu},
    Formula{kMicrosoft, "NhwcConv", {}, count_conv},
    Formula{kMicrosoft, "NhwcFusedConv", {}, count_fused_conv},
    Formula{kMicrosoft, "TransposeMatMul", {}, count_fused_matmul},
    Formula{kMicrosoftNhwc, "Conv", {}, count_conv},
    Formula{kMicrosoftNhwc, "ConvTranspose", {}, count_conv_transpose},
};

}  // namespace

std::span<const Formula> contraction_formulas() {
  return kFormulas;
}

}  // namespace headroom::cost
