// SPDX-License-Identifier: Apache-2.0
// Operators that make a tensor from attributes or from a few numbers: Constant, ConstantOfShape,
// Range, OneHot, random tensors.
#include <headroom/model/model.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "model/infer/evaluate.h"
#include "model/infer/generic.h"
#include "model/infer/known.h"
#include "model/infer/rules.h"
#include "model/infer/walk.h"

namespace headroom::infer {
namespace {

Shape fixed_shape(std::span<const std::int64_t> sizes) {
  Shape shape;
  for (const std::int64_t size : sizes) shape.push_back(fixed(size));
  return shape;
}

void set_tensor(NodeInference& node, const StoredTensor& tensor) {
  node.set(0, tensor.type, fixed_shape(tensor.dims));
  if (!is_readable(tensor)) return;
  if (auto known = read_elements(tensor, node.walk().model_folder()))
    node.set_known(0, std::move(*known));
}

template <class T>
void set_list(NodeInference& node, ElementType element, const std::vector<T>& values,
              bool is_scalar) {
  node.set(0, element,
           is_scalar ? Shape{} : Shape{fixed(static_cast<std::int64_t>(values.size()))});
  if (values.size() > kMaxKnownElements) return;
  KnownElements known;
  for (const T& value : values) {
    if constexpr (std::is_same_v<T, float>) {
      known.reals.push_back(static_cast<double>(value));
    } else {
      append_element(known, fixed(value));
    }
  }
  node.set_known(0, std::move(known));
}

// False where no attribute holds a tensor.
bool set_constant_tensor(NodeInference& node) {
  const Node& source = node.node();
  if (const auto* tensor = source.held<StoredTensor>("value")) {
    set_tensor(node, *tensor);
    return true;
  }
  const auto* sparse = source.held<StoredSparseTensor>("sparse_value");
  if (sparse) node.set(0, sparse->values.type, fixed_shape(sparse->dims));
  return sparse != nullptr;
}

// False where no attribute holds numbers.
bool set_constant_numbers(NodeInference& node) {
  const Node& source = node.node();
  if (const auto* number = source.held<std::int64_t>("value_int")) {
    set_list(node, ElementType::Int64, std::vector{*number}, true);
  } else if (node.has("value_ints")) {
    const auto numbers = source.integers("value_ints");
    set_list(node, ElementType::Int64, std::vector(numbers.begin(), numbers.end()), false);
  } else if (const auto* real = source.held<float>("value_float")) {
    set_list(node, ElementType::Float32, std::vector{*real}, true);
  } else if (const auto* reals = source.held<std::vector<float>>("value_floats")) {
    set_list(node, ElementType::Float32, *reals, false);
  } else {
    return false;
  }
  return true;
}

// False where no attribute holds text.
bool set_constant_text(NodeInference& node) {
  if (node.has("value_string")) {
    node.set(0, ElementType::String, {});
    return true;
  }
  const auto* strings = node.node().held<std::vector<std::string>>("value_strings");
  if (strings)
    node.set(0, ElementType::String, {fixed(static_cast<std::int64_t>(strings->size()))});
  return strings != nullptr;
}

// Exactly one attribute holds the value.
void constant(NodeInference& node) {
  if (!set_constant_tensor(node) && !set_constant_numbers(node) && !set_constant_text(node))
    node.fail("no attribute holds a value");
}

// The value is a one-element tensor, by default a float 0.
void constant_of_shape(NodeInference& node) {
  const auto* value = node.node().held<StoredTensor>("value");
  const ElementType element = value ? value->type : ElementType::Float32;
  const KnownElements* target = node.known_integers(0);
  if (!target) {
    const Integer rank = node.length(0);
    if (!rank || *rank > static_cast<std::int64_t>(kMaxKnownElements))
      return node.set_element(0, element);
    return node.set(0, element, node.unknown_shape(0, static_cast<std::size_t>(*rank)));
  }
  Shape shape;
  for (std::size_t i = 0; i < target->elements.size(); ++i) {
    const Dim entry = element_at(*target, i);
    shape.push_back(entry.size || is_size(entry) ? entry : node.derived(0, i, entry));
  }
  node.set(0, element, std::move(shape));
}

void evaluate_constant_of_shape(NodeInference& node) {
  const auto* value = node.node().held<StoredTensor>("value");
  KnownElements fill;
  fill.reals.push_back(0);
  if (value) {
    if (!is_readable(*value)) return;
    auto read = read_elements(*value, node.walk().model_folder());
    if (!read || read->elements.size() + read->reals.size() != 1) return;
    fill = std::move(*read);
  }
  const Integer count = product(std::span<const Dim>(*node.output(0).shape));
  node.set_known(0, select(fill, std::vector<std::size_t>(static_cast<std::size_t>(*count), 0)));
}

// max(ceil((limit − start) / delta), 0) elements.
void integer_range(NodeInference& node, std::int64_t start, std::int64_t limit,
                   std::int64_t delta) {
  if (delta == 0) node.fail("the step is 0");
  const Integer distance = delta > 0 ? minus(limit, start) : minus(start, limit);
  const Integer width = delta > 0 ? Integer{delta} : minus(std::int64_t{0}, delta);
  if (!distance || !width) node.fail("the number of elements does not fit 64 bits");
  const std::int64_t count = std::max<std::int64_t>(0, ceil_divide(*distance, *width));
  node.set(0, node.element(0), {fixed(count)});
  if (count > static_cast<std::int64_t>(kMaxKnownElements)) return;
  KnownElements known;
  for (std::int64_t i = 0; i < count; ++i) append_element(known, fixed(start + i * delta));
  node.set_known(0, std::move(known));
}

// float32 engines divide in float32 or in float64; where the two disagree nothing is claimed.
void real_range(NodeInference& node, double start, double limit, double delta) {
  if (delta == 0) node.fail("the step is 0");
  const double wide = std::ceil((limit - start) / delta);
  const double narrow = static_cast<double>(std::ceil(
      (static_cast<float>(limit) - static_cast<float>(start)) / static_cast<float>(delta)));
  const bool is_agreed = node.element(0) == ElementType::Float64 || wide == narrow;
  if (!is_agreed || !(std::fabs(wide) < 0x1p53))
    return node.set(0, node.element(0), node.unknown_shape(0, 1));
  node.set(0, node.element(0), {fixed(static_cast<std::int64_t>(std::max(wide, 0.0)))});
}

// Where a bound is open, Range(0, n, 1) has n elements.
Dim open_range(NodeInference& node) {
  const Dim* open = nullptr;
  std::vector<Dim> operands;
  for (std::size_t i = 0; i < 3; ++i) {
    const KnownElements* known = node.known_integers(i);
    if (!known || known->elements.size() != 1) return node.unknown(0, 0);
    operands.push_back(element_at(*known, 0));
  }
  for (const Dim& operand : operands)
    if (!operand.size && !open) open = &operand;
  if (!open) return node.unknown(0, 0);
  const bool counts = operands[0].size == 0 && operands[2].size == 1 && is_size(operands[1]);
  return counts ? operands[1] : node.derived(0, 0, *open);
}

void range(NodeInference& node) {
  const Integer start = node.integer(0);
  const Integer limit = node.integer(1);
  const Integer delta = node.integer(2);
  if (start && limit && delta) return integer_range(node, *start, *limit, *delta);
  const auto real_start = node.real(0);
  const auto real_limit = node.real(1);
  const auto real_delta = node.real(2);
  if (real_start && real_limit && real_delta)
    return real_range(node, *real_start, *real_limit, *real_delta);
  node.set(0, node.element(0), {open_range(node)});
}

// A dimension of `depth` is inserted at the axis; the values' type is that of on and off.
void one_hot(NodeInference& node) {
  const Shape* indices = node.shape(0);
  if (!indices) return node.set_element(0, node.element(2));
  const std::size_t axis = node.axis(node.node().integer("axis", -1), indices->size() + 1);
  const Integer depth = node.integer(1);
  const auto real_depth = node.real(1);
  Dim size = node.unknown(0, axis);
  if (depth) size = node.sized(depth);
  if (real_depth && *real_depth >= 0 && *real_depth < 0x1p53)
    size = fixed(static_cast<std::int64_t>(*real_depth));
  Shape result = *indices;
  result.insert(result.begin() + static_cast<std::ptrdiff_t>(axis), size);
  node.set(0, node.element(2), std::move(result));
}

void random(NodeInference& node) {
  if (!node.has("shape")) node.fail("attribute 'shape' is missing");
  node.set(0, node.element_attribute("dtype", ElementType::Float32),
           fixed_shape(node.node().integers("shape")));
}

void multinomial(NodeInference& node) {
  node.require_rank(0, 2);
  const Shape* input = node.shape(0);
  node.set(
      0, node.element_attribute("dtype", ElementType::Int32),
      {input ? input->front() : node.unknown(0, 0), fixed(node.node().integer("sample_size", 1))});
}

constexpr std::array kRules = {
    Rule{"Constant", constant, 0},
    Rule{"ConstantOfShape", constant_of_shape, 1, evaluate_constant_of_shape},
    Rule{"Multinomial", multinomial, 1},
    Rule{"OneHot", one_hot, 3},
    Rule{"RandomNormal", random, 0},
    Rule{"RandomUniform", random, 0},
    Rule{"Range", range, 3},
};

}  // namespace

std::span<const Rule> creation_rules() {
  return kRules;
}

}  // namespace headroom::infer
