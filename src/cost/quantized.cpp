// SPDX-License-Identifier: Apache-2.0
// Operators on quantised numbers. Their MACs are those of the operator in floating point; what the
// scales and zero points add is counted per element beside them: a zero point is subtracted once
// from each element of an operand that is not constant, and a result is scaled, shifted and
// rounded.
#include <array>

#include "cost/activation.h"
#include "cost/contraction.h"
#include "cost/formula.h"
#include "cost/softmax.h"

namespace headroom::cost {
namespace {

constexpr PerElement kDequantize{.multiply = 1, .convert = 1};
constexpr PerElement kQuantize{.divide = 1, .convert = 1};
// Accumulator to result: one combined scale, then rounding with saturation.
constexpr PerElement kRequantize{.multiply = 1, .convert = 1};

// `input` is shifted by the zero point in input `zero_point`.
void subtract_zero_point(NodeView& view, Tally& tally, std::size_t input, std::size_t zero_point) {
  const Operand operand = view.input(input);
  if (view.input(zero_point).exists() && !operand.is_constant())
    tally.add(Arithmetic::Add, operand.elements());
}

void requantize(NodeView& view, Tally& tally, std::size_t zero_point) {
  const Amount elements = view.output(0).elements();
  add_each(tally, kRequantize, elements);
  if (view.input(zero_point).exists()) tally.add(Arithmetic::Add, elements);
}

// x, scale, zero point.
void dequantize(NodeView& view, Tally& tally, std::size_t first) {
  const Amount elements = view.input(first).elements();
  add_each(tally, kDequantize, elements);
  if (view.input(first + 2).exists()) tally.add(Arithmetic::Add, elements);
}

void quantize_output(NodeView& view, Tally& tally, std::size_t zero_point) {
  const Amount elements = view.output(0).elements();
  add_each(tally, kQuantize, elements);
  if (view.input(zero_point).exists()) tally.add(Arithmetic::Add, elements);
}

void count_dequantize_linear(NodeView& view, Tally& tally) {
  dequantize(view, tally, 0);
}
void count_quantize_linear(NodeView& view, Tally& tally) {
  quantize_output(view, tally, 2);
}

// The range first: a minimum and a maximum over x.
void count_dynamic_quantize(NodeView& view, Tally& tally) {
  const Amount elements = view.input(0).elements();
  tally.add(Arithmetic::Compare, 2 * elements);
  add_each(tally, kQuantize, elements);
  tally.add(Arithmetic::Add, elements);
}

// x, w, x zero point, w zero point.
void count_conv_integer(NodeView& view, Tally& tally) {
  tally.macs += convolution_macs(view, 1);
  subtract_zero_point(view, tally, 0, 2);
  subtract_zero_point(view, tally, 1, 3);
}

// x, x scale, x zero point, w, w scale, w zero point, y scale, y zero point, B.
void count_qlinear_conv(NodeView& view, Tally& tally) {
  tally.macs += convolution_macs(view, 3);
  subtract_zero_point(view, tally, 0, 2);
  subtract_zero_point(view, tally, 3, 5);
  add_bias(view, tally, 8);
  requantize(view, tally, 7);
}

// A, B, a zero point, b zero point.
void count_matmul_integer(NodeView& view, Tally& tally) {
  tally.macs += matmul_macs(view, 0);
  subtract_zero_point(view, tally, 0, 2);
  subtract_zero_point(view, tally, 1, 3);
}

// a, a scale, a zero point, b, b scale, b zero point, y scale, y zero point.
void count_qlinear_matmul(NodeView& view, Tally& tally) {
  tally.macs += matmul_macs(view, 0);
  subtract_zero_point(view, tally, 0, 2);
  subtract_zero_point(view, tally, 3, 5);
  requantize(view, tally, 7);
}

// A, a scale, a zero point, B, b scale, b zero point, C, y scale, y zero point; without y scale the
// result is floating point.
void count_qgemm(NodeView& view, Tally& tally) {
  tally.macs += gemm_macs(view, 0);
  subtract_zero_point(view, tally, 0, 2);
  subtract_zero_point(view, tally, 3, 5);
  add_bias(view, tally, 6);
  if (view.input(7).exists()) {
    requantize(view, tally, 8);
  } else {
    add_each(tally, kDequantize, view.output(0).elements());
  }
}

// A (floating point), B, b scale, b zero point, bias.
void count_dynamic_quantize_matmul(NodeView& view, Tally& tally) {
  tally.mac_operand = 1;  // A becomes what B is.
  count_dynamic_quantize(view, tally);
  tally.macs += matmul_macs(view, 0);
  subtract_zero_point(view, tally, 1, 3);
  add_each(tally, kDequantize, view.output(0).elements());
  add_bias(view, tally, 4);
}

// A, B, a scale, b scale, a zero point, b zero point, bias.
void count_matmul_integer_to_float(NodeView& view, Tally& tally) {
  tally.macs += matmul_macs(view, 0);
  subtract_zero_point(view, tally, 0, 4);
  subtract_zero_point(view, tally, 1, 5);
  add_each(tally, kDequantize, view.output(0).elements());
  add_bias(view, tally, 6);
}

// A [..., K] and blocks of packed weights [N, blocks, bytes]: bias is input 5. Weights that are not
// constant are dequantised in each run: N K elements.
void count_matmul_nbits(NodeView& view, Tally& tally) {
  tally.macs += matmul_macs(view, 0);
  add_bias(view, tally, 5);
  if (view.input(1).is_constant()) return;
  const Amount weights = view.output(0).dim(-1) * view.input(0).dim(-1);
  add_each(tally, kDequantize, weights);
  if (view.input(3).exists()) tally.add(Arithmetic::Add, weights);
}

void count_blocked_matmul(NodeView& view, Tally& tally) {
  tally.macs += matmul_macs(view, 0);
}

// data, indices, scales, zero points: only what is gathered is dequantised.
void count_gather_block_quantized(NodeView& view, Tally& tally) {
  const Amount elements = view.output(0).elements();
  add_each(tally, kDequantize, elements);
  tally.add(Arithmetic::Add, elements);
}

// A, a scale, a zero point, B, b scale, b zero point, c scale, c zero point.
void count_qlinear_binary(NodeView& view, Tally& tally, Arithmetic kind) {
  dequantize(view, tally, 0);
  dequantize(view, tally, 3);
  tally.add(kind, view.output(0).elements());
  quantize_output(view, tally, 7);
}
void count_qlinear_add(NodeView& view, Tally& tally) {
  count_qlinear_binary(view, tally, Arithmetic::Add);
}
void count_qlinear_mul(NodeView& view, Tally& tally) {
  count_qlinear_binary(view, tally, Arithmetic::Multiply);
}

// condition, then x and y with scale and zero point, then those of z.
void count_qlinear_where(NodeView& view, Tally& tally) {
  dequantize(view, tally, 1);
  dequantize(view, tally, 4);
  tally.add(Arithmetic::Compare, view.output(0).elements());
  quantize_output(view, tally, 8);
}

// X, X scale, X zero point, Y scale, Y zero point.
void count_qlinear_sigmoid(NodeView& view, Tally& tally) {
  dequantize(view, tally, 0);
  add_activation(view, tally, "Sigmoid", view.output(0).elements());
  quantize_output(view, tally, 4);
}
void count_qlinear_leaky_relu(NodeView& view, Tally& tally) {
  dequantize(view, tally, 0);
  add_activation(view, tally, "LeakyRelu", view.output(0).elements());
  quantize_output(view, tally, 4);
}

// X, X scale, X zero point, Y scale, Y zero point; `opset` is that of the Softmax it stands for.
void count_qlinear_softmax(NodeView& view, Tally& tally) {
  dequantize(view, tally, 0);
  const Operand x = view.input(0);
  const bool is_one_axis = view.integer("opset", 13) >= 13;
  const std::int64_t axis = view.integer("axis", -1);
  add_softmax(tally, x.elements(),
              x.elements() / (is_one_axis ? x.dim(axis) : x.product(axis, -1)));
  quantize_output(view, tally, 4);
}

// Sums run over the integers; the division joins the scale.
void count_qlinear_global_pool(NodeView& view, Tally& tally) {
  subtract_zero_point(view, tally, 0, 2);
  tally.add(Arithmetic::Add, view.input(0).elements() - view.output(0).elements());
  requantize(view, tally, 4);
}
void count_qlinear_pool(NodeView& view, Tally& tally) {
  Amount kernel = 1;
  for (const std::int64_t size : view.node().integers("kernel_shape"))
    kernel *= static_cast<std::uint64_t>(std::max<std::int64_t>(size, 0));
  subtract_zero_point(view, tally, 0, 2);
  tally.add(Arithmetic::Add, view.output(0).elements() * (kernel - 1));
  requantize(view, tally, 4);
}

// Y scale, Y zero point, then each part with its scale and zero point.
void count_qlinear_concat(NodeView& view, Tally& tally) {
  for (std::size_t part = 2; part < view.input_count(); part += 3) dequantize(view, tally, part);
  quantize_output(view, tally, 1);
}

constexpr std::array kFormulas = {
    Formula{kOnnx, "ConvInteger", {}, count_conv_integer, Traffic::Window},
    Formula{kOnnx, "DequantizeLinear", {}, count_dequantize_linear},
    Formula{kOnnx, "DynamicQuantizeLinear", {}, count_dynamic_quantize},
    Formula{kOnnx, "MatMulInteger", {}, count_matmul_integer},
    Formula{kOnnx, "QLinearConv", {}, count_qlinear_conv, Traffic::Window},
    Formula{kOnnx, "QLinearMatMul", {}, count_qlinear_matmul},
    Formula{kOnnx, "QuantizeLinear", {}, count_quantize_linear},
    Formula{kMicrosoft, "DequantizeLinear", {}, count_dequantize_linear},
    Formula{kMicrosoft, "DynamicQuantizeMatMul", {}, count_dynamic_quantize_matmul},
    Formula{kMicrosoft,
            "GatherBlockQuantized",
            {},
            count_gather_block_quantized,
            Traffic::Whole,
            0,
            input_bit(0) | input_bit(2) | input_bit(3)},
    Formula{kMicrosoft, "MatMulBnb4", {}, count_blocked_matmul},
    Formula{kMicrosoft, "MatMulFpQ4", {}, count_blocked_matmul, Traffic::Whole, input_bit(2)},
    Formula{kMicrosoft, "MatMulInteger16", {}, count_blocked_matmul},
    Formula{kMicrosoft, "MatMulIntegerToFloat", {}, count_matmul_integer_to_float},
    Formula{kMicrosoft, "MatMulNBits", {}, count_matmul_nbits},
    Formula{kMicrosoft, "QGemm", {}, count_qgemm},
    Formula{kMicrosoft, "QLinearAdd", {}, count_qlinear_add},
    Formula{kMicrosoft, "QLinearAveragePool", {}, count_qlinear_pool},
    Formula{kMicrosoft, "QLinearConcat", {}, count_qlinear_concat},
    Formula{kMicrosoft, "QLinearConv", {}, count_qlinear_conv},
    Formula{kMicrosoft, "QLinearGlobalAveragePool", {}, count_qlinear_global_pool},
    Formula{kMicrosoft, "QLinearLeakyRelu", {}, count_qlinear_leaky_relu},
    Formula{kMicrosoft, "QLinearMul", {}, count_qlinear_mul},
    Formula{kMicrosoft, "QLinearSigmoid", {}, count_qlinear_sigmoid},
    Formula{kMicrosoft, "QLinearSoftmax", {}, count_qlinear_softmax},
    Formula{kMicrosoft, "QLinearWhere", {}, count_qlinear_where},
    Formula{kMicrosoft, "QuantizeLinear", {}, count_quantize_linear},
    Formula{kMicrosoftNhwc, "QLinearConv", {}, count_qlinear_conv},
};

}  // namespace

std::span<const Formula> quantized_formulas() {
  return kFormulas;
}

}  // namespace headroom::cost
