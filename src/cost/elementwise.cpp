// SPDX-License-Identifier: Apache-2.0
// Operators that compute each output element from the elements at its place. A function that the
// hardware evaluates as one (exp, tanh, sigmoid, erf) is one Exponential; compositions count their
// parts.
#include <array>

#include "cost/activation.h"
#include "cost/formula.h"

namespace headroom::cost {
namespace {

constexpr PerElement kOneAdd{.add = 1};
constexpr PerElement kOneMultiply{.multiply = 1};
constexpr PerElement kOneDivide{.divide = 1};
constexpr PerElement kOneCompare{.compare = 1};
constexpr PerElement kOneExponential{.exponential = 1};
constexpr PerElement kOneLogic{.logic = 1};
constexpr PerElement kOneConvert{.convert = 1};

// k operands need k - 1 operations for each output element.
Amount joins(NodeView& view) {
  return (Amount(view.present_inputs()) - 1) * view.output(0).elements();
}

void count_sum(NodeView& view, Tally& tally) {
  tally.add(Arithmetic::Add, joins(view));
}

void count_extremum(NodeView& view, Tally& tally) {
  tally.add(Arithmetic::Compare, joins(view));
}

// Until opset 10 the bounds are attributes, which have defaults and are both compared with.
void count_clip(NodeView& view, Tally& tally) {
  const bool has_inputs = view.opset() >= 11 || view.input_count() > 1;
  const Amount bounds = has_inputs ? Amount(view.present_inputs()) - 1 : Amount(2);
  tally.add(Arithmetic::Compare, bounds * view.output(0).elements());
}

void count_gelu(NodeView& view, Tally& tally) {
  const bool is_tanh = view.node().text("approximate", "none") == "tanh";
  add_each(tally, is_tanh ? kGeluTanh : kGelu, view.output(0).elements());
}

// The bias is optional.
void count_fast_gelu(NodeView& view, Tally& tally) {
  const Amount elements = view.output(0).elements();
  add_each(tally, kGeluTanh, elements);
  if (view.input(1).exists()) tally.add(Arithmetic::Add, elements);
}

// [N, S, 2H] + bias, then the first half times the gelu of the second.
void count_bias_split_gelu(NodeView& view, Tally& tally) {
  const Amount elements = view.output(0).elements();
  tally.add(Arithmetic::Add, view.input(0).elements());
  add_each(tally, kGelu, elements);
  tally.add(Arithmetic::Multiply, elements);
}

// data, bias, residual, ratio, training_mode.
void count_bias_dropout(NodeView& view, Tally& tally) {
  tally.add(Arithmetic::Add, (view.input(2).exists() ? 2 : 1) * view.output(0).elements());
  note_training(view, 4);
}

constexpr std::array kFormulas = {
    Formula{kOnnx, "Abs", kOneCompare},
    Formula{kOnnx, "Acos", kOneExponential},
    Formula{kOnnx, "Acosh", kOneExponential},
    Formula{kOnnx, "Add", kOneAdd},
    Formula{kOnnx, "And", kOneLogic},
    Formula{kOnnx, "Asin", kOneExponential},
    Formula{kOnnx, "Asinh", kOneExponential},
    Formula{kOnnx, "Atan", kOneExponential},
    Formula{kOnnx, "Atanh", kOneExponential},
    Formula{kOnnx, "BitShift", kOneLogic},
    Formula{kOnnx, "BitwiseAnd", kOneLogic},
    Formula{kOnnx, "BitwiseNot", kOneLogic},
    Formula{kOnnx, "BitwiseOr", kOneLogic},
    Formula{kOnnx, "BitwiseXor", kOneLogic},
    // a0 - a1 cos(2 pi k / N) + a2 cos(4 pi k / N).
    Formula{kOnnx,
            "BlackmanWindow",
            {.add = 2, .multiply = 4, .exponential = 2},
            nullptr,
            Traffic::Fill},
    Formula{kOnnx, "Cast", kOneConvert},
    Formula{kOnnx, "CastLike", kOneConvert, nullptr, Traffic::Whole, kAfterFirst},
    Formula{kOnnx, "Ceil", kOneConvert},
    // max(0, x) + min(0, a (exp(x / a) - 1)).
    Formula{kOnnx, "Celu", {.add = 2, .multiply = 1, .divide = 1, .compare = 2, .exponential = 1}},
    Formula{kOnnx, "Clip", {}, count_clip, Traffic::Whole, kAfterFirst},
    Formula{kOnnx, "Cos", kOneExponential},
    Formula{kOnnx, "Cosh", kOneExponential},
    Formula{kOnnx, "CumProd", kOneMultiply, nullptr, Traffic::Whole, kAfterFirst},
    Formula{kOnnx, "CumSum", kOneAdd, nullptr, Traffic::Whole, kAfterFirst},
    Formula{kOnnx, "Div", kOneDivide},
    // x < 0 ? a (exp(x) - 1) : x.
    Formula{kOnnx, "Elu", {.add = 1, .multiply = 1, .compare = 1, .exponential = 1}},
    Formula{kOnnx, "Equal", kOneCompare},
    Formula{kOnnx, "Erf", kOneExponential},
    Formula{kOnnx, "Exp", kOneExponential},
    Formula{kOnnx, "Floor", kOneConvert},
    Formula{kOnnx, "Gelu", {}, count_gelu},
    Formula{kOnnx, "Greater", kOneCompare},
    Formula{kOnnx, "GreaterOrEqual", kOneCompare},
    // a0 - a1 cos(2 pi k / N).
    Formula{kOnnx,
            "HammingWindow",
            {.add = 1, .multiply = 2, .exponential = 1},
            nullptr,
            Traffic::Fill},
    Formula{
        kOnnx, "HannWindow", {.add = 1, .multiply = 2, .exponential = 1}, nullptr, Traffic::Fill},
    // max(0, min(1, a x + b)).
    Formula{kOnnx, "HardSigmoid", {.add = 1, .multiply = 1, .compare = 2}},
    Formula{kOnnx, "HardSwish", {.add = 1, .multiply = 2, .compare = 2}},
    Formula{kOnnx, "IsInf", kOneCompare},
    Formula{kOnnx, "IsNaN", kOneCompare},
    Formula{kOnnx, "LeakyRelu", {.multiply = 1, .compare = 1}},
    Formula{kOnnx, "Less", kOneCompare},
    Formula{kOnnx, "LessOrEqual", kOneCompare},
    Formula{kOnnx, "Log", kOneExponential},
    Formula{kOnnx, "Max", {}, count_extremum},
    Formula{kOnnx, "Mean", kOneDivide, count_sum},
    Formula{kOnnx, "Min", {}, count_extremum},
    // x tanh(log(1 + exp(x))).
    Formula{kOnnx, "Mish", {.add = 1, .multiply = 1, .exponential = 3}},
    Formula{kOnnx, "Mod", kOneDivide},
    Formula{kOnnx, "Mul", kOneMultiply},
    Formula{kOnnx, "Neg", kOneCompare},
    Formula{kOnnx, "Not", kOneLogic},
    Formula{kOnnx, "Or", kOneLogic},
    Formula{kOnnx, "PRelu", {.multiply = 1, .compare = 1}},
    Formula{kOnnx, "Pow", kOneExponential},
    Formula{kOnnx, "Range", kOneAdd, nullptr, Traffic::Fill},
    Formula{kOnnx, "Reciprocal", kOneDivide},
    Formula{kOnnx, "Relu", kOneCompare},
    Formula{kOnnx, "Round", kOneConvert},
    Formula{kOnnx, "Selu", {.add = 1, .multiply = 2, .compare = 1, .exponential = 1}},
    Formula{kOnnx, "Shrink", {.add = 1, .compare = 2}},
    Formula{kOnnx, "Sigmoid", kOneExponential},
    Formula{kOnnx, "Sign", kOneCompare},
    Formula{kOnnx, "Sin", kOneExponential},
    Formula{kOnnx, "Sinh", kOneExponential},
    // log(1 + exp(x)).
    Formula{kOnnx, "Softplus", {.add = 1, .exponential = 2}},
    // x / (1 + |x|).
    Formula{kOnnx, "Softsign", {.add = 1, .divide = 1, .compare = 1}},
    Formula{kOnnx, "Sqrt", {.square_root = 1}},
    Formula{kOnnx, "Sub", kOneAdd},
    Formula{kOnnx, "Sum", {}, count_sum},
    // Swish(a) b.
    Formula{kOnnx, "SwiGLU", {.multiply = 3, .exponential = 1}},
    Formula{kOnnx, "Swish", kSwish},
    Formula{kOnnx, "Tan", kOneExponential},
    Formula{kOnnx, "Tanh", kOneExponential},
    Formula{kOnnx, "ThresholdedRelu", kOneCompare},
    Formula{kOnnx, "Where", kOneCompare},
    Formula{kOnnx, "Xor", kOneLogic},
    Formula{kOnnxMl, "Binarizer", kOneCompare},
    Formula{kOnnxMl, "Imputer", kOneCompare},
    Formula{kMicrosoft, "BiasAdd", {.add = 2}},  // Bias and skip.
    Formula{kMicrosoft,
            "BiasDropout",
            {},
            count_bias_dropout,
            Traffic::Whole,
            input_bit(3) | input_bit(4)},
    Formula{kMicrosoft, "BiasGelu", {.add = 2, .multiply = 3, .exponential = 1}},
    Formula{kMicrosoft, "BiasSplitGelu", {}, count_bias_split_gelu},
    // (a + bi)(c + di) for each pair of elements.
    Formula{kMicrosoft, "ComplexMul", {.add = 1, .multiply = 2}},
    Formula{kMicrosoft, "ComplexMulConj", {.add = 1, .multiply = 2}},
    Formula{kMicrosoft, "FastGelu", {}, count_fast_gelu},
    Formula{kMicrosoft, "Gelu", kGelu},
    Formula{kMicrosoft, "QuickGelu", kSwish},
    Formula{kMicrosoft, "Range", kOneAdd, nullptr, Traffic::Fill},
};

}  // namespace

std::span<const Formula> elementwise_formulas() {
  return kFormulas;
}

}  // namespace headroom::cost
