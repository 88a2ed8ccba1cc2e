// SPDX-License-Identifier: Apache-2.0
// Operators that work element by element: one input, or several with broadcasting.
#include <array>

#include <fmt/format.h>

#include "model/infer/broadcast.h"
#include "model/infer/evaluate.h"
#include "model/infer/generic.h"
#include "model/infer/rules.h"

namespace headroom::infer {

void same_as_first(NodeInference& node) {
  ValueType type = node.input(0);
  if (node.rule().element != ElementType::Undefined && type.kind != TypeKind::Unknown)
    type.element = node.rule().element;
  node.set(0, std::move(type));
}

ElementType first_element(const NodeInference& node, std::size_t first, std::size_t end) {
  if (node.rule().element != ElementType::Undefined) return node.rule().element;
  for (std::size_t i = first; i < end; ++i)
    if (node.element(i) != ElementType::Undefined) return node.element(i);
  return ElementType::Undefined;
}

void broadcast_all(NodeInference& node) {
  const ElementType element = first_element(node, 0, node.input_count());
  if (auto shape = broadcast_inputs(node, 0, node.input_count()))
    return node.set(0, element, std::move(*shape));
  node.set_element(0, element);
}

namespace {

// Until opset 6 the second input was broadcast to the first, by attributes.
// Source: ONNX operator changelog, Add-1 to Add-7.
void broadcast_two(NodeInference& node) {
  if (node.opset() < 7 && node.shape(0))
    return node.set(0, first_element(node, 0, 1), Shape(*node.shape(0)));
  broadcast_all(node);
}

// The exponent may be of another type; the result has that of the base.
void power(NodeInference& node) {
  if (node.opset() < 7) return broadcast_two(node);
  if (auto shape = broadcast_inputs(node, 0, 2))
    return node.set(0, node.element(0), std::move(*shape));
  node.set_element(0, node.element(0));
}

// The second input is broadcast to the first and never the reverse.
void broadcast_to_first(NodeInference& node) {
  same_as_first(node);
  const Shape* first = node.shape(0);
  const Shape* second = node.shape(1);
  if (!first || !second || node.opset() < 7) return;
  if (second->size() > first->size())
    node.fail("the second input has more dimensions than the first, to which it is broadcast");
  broadcast(node, 0, *first, *second);
}

void where(NodeInference& node) {
  const ElementType element = first_element(node, 1, 3);
  if (auto shape = broadcast_inputs(node, 0, 3)) return node.set(0, element, std::move(*shape));
  node.set_element(0, element);
}

void same_shapes(NodeInference& node) {
  same_as_first(node);
  const Shape* first = node.shape(0);
  const Shape* second = node.shape(1);
  if (!first || !second) return;
  if (first->size() != second->size()) node.fail("both inputs must have the same rank");
  Shape shape;
  for (std::size_t i = 0; i < first->size(); ++i)
    shape.push_back(node.agreed((*first)[i], (*second)[i], "both inputs must have the same shape"));
  node.set(0, first_element(node, 0, 2), std::move(shape));
}

constexpr ElementType kBool = ElementType::Bool;

constexpr std::array kRules = {
    Rule{"Abs", same_as_first, 1, evaluate_absolute},
    Rule{"Acos", same_as_first, 1},
    Rule{"Acosh", same_as_first, 1},
    Rule{"Add", broadcast_two, 2, evaluate_add},
    Rule{"And", broadcast_two, 2, evaluate_and, kBool},
    Rule{"Asin", same_as_first, 1},
    Rule{"Asinh", same_as_first, 1},
    Rule{"Atan", same_as_first, 1},
    Rule{"Atanh", same_as_first, 1},
    Rule{"BitShift", broadcast_all, 2},
    Rule{"BitwiseAnd", broadcast_all, 2},
    Rule{"BitwiseNot", same_as_first, 1},
    Rule{"BitwiseOr", broadcast_all, 2},
    Rule{"BitwiseXor", broadcast_all, 2},
    Rule{"Ceil", same_as_first, 1, evaluate_ceil},
    Rule{"Celu", same_as_first, 1},
    Rule{"Clip", same_as_first, 1},
    Rule{"Cos", same_as_first, 1},
    Rule{"Cosh", same_as_first, 1},
    Rule{"CumProd", same_as_first, 1},
    Rule{"CumSum", same_as_first, 1},
    Rule{"Div", broadcast_two, 2, evaluate_divide},
    Rule{"Elu", same_as_first, 1},
    Rule{"Equal", broadcast_two, 2, evaluate_equal, kBool},
    Rule{"Erf", same_as_first, 1},
    Rule{"Exp", same_as_first, 1},
    Rule{"Floor", same_as_first, 1, evaluate_floor},
    Rule{"Gelu", same_as_first, 1},
    Rule{"Greater", broadcast_two, 2, evaluate_greater, kBool},
    Rule{"GreaterOrEqual", broadcast_all, 2, evaluate_greater_or_equal, kBool},
    Rule{"HardSigmoid", same_as_first, 1},
    Rule{"HardSwish", same_as_first, 1},
    Rule{"Hardmax", same_as_first, 1},
    Rule{"IsInf", same_as_first, 1, nullptr, kBool},
    Rule{"IsNaN", same_as_first, 1, nullptr, kBool},
    Rule{"LeakyRelu", same_as_first, 1},
    Rule{"Less", broadcast_two, 2, evaluate_less, kBool},
    Rule{"LessOrEqual", broadcast_all, 2, evaluate_less_or_equal, kBool},
    Rule{"Log", same_as_first, 1},
    Rule{"LogSoftmax", same_as_first, 1},
    Rule{"Max", broadcast_all, 1, evaluate_maximum},
    Rule{"Mean", broadcast_all, 1},
    Rule{"Min", broadcast_all, 1, evaluate_minimum},
    Rule{"Mish", same_as_first, 1},
    Rule{"Mod", broadcast_all, 2, evaluate_modulo},
    Rule{"Mul", broadcast_two, 2, evaluate_multiply},
    Rule{"Neg", same_as_first, 1, evaluate_negative},
    Rule{"Not", same_as_first, 1, evaluate_not, kBool},
    Rule{"Or", broadcast_two, 2, evaluate_or, kBool},
    Rule{"PRelu", broadcast_to_first, 2},
    Rule{"Pow", power, 2, evaluate_power},
    Rule{"Reciprocal", same_as_first, 1},
    Rule{"Relu", same_as_first, 1, evaluate_rectified},
    Rule{"Round", same_as_first, 1, evaluate_round},
    Rule{"Selu", same_as_first, 1},
    Rule{"Shrink", same_as_first, 1},
    Rule{"Sigmoid", same_as_first, 1},
    Rule{"Sign", same_as_first, 1, evaluate_sign},
    Rule{"Sin", same_as_first, 1},
    Rule{"Sinh", same_as_first, 1},
    Rule{"Softmax", same_as_first, 1},
    Rule{"Softplus", same_as_first, 1},
    Rule{"Softsign", same_as_first, 1},
    Rule{"Sqrt", same_as_first, 1, evaluate_square_root},
    Rule{"Sub", broadcast_two, 2, evaluate_subtract},
    Rule{"Sum", broadcast_all, 1, evaluate_add},
    Rule{"SwiGLU", same_shapes, 2},
    Rule{"Swish", same_as_first, 1},
    Rule{"Tan", same_as_first, 1},
    Rule{"Tanh", same_as_first, 1},
    Rule{"ThresholdedRelu", same_as_first, 1},
    Rule{"Where", where, 3, evaluate_where},
    Rule{"Xor", broadcast_two, 2, evaluate_xor, kBool},
};

}  // namespace

std::span<const Rule> elementwise_rules() {
  return kRules;
}

}  // namespace headroom::infer
