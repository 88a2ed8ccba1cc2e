// SPDX-License-Identifier: Apache-2.0
// Sequences and optionals.
#include <algorithm>
#include <array>

#include "model/infer/generic.h"
#include "model/infer/rules.h"
#include "model/infer/type_merge.h"
#include "model/infer/walk.h"

namespace headroom::infer {
namespace {

ValueType sequence_of(ValueType element) {
  return ValueType{.kind = TypeKind::Sequence, .inner = {std::move(element)}};
}

void construct(NodeInference& node) {
  ValueType element = node.input(0);
  for (std::size_t i = 1; i < node.input_count(); ++i)
    element = merged(node, 0, element, node.input(i));
  if (element.kind != TypeKind::Unknown) node.set(0, sequence_of(std::move(element)));
}

void empty(NodeInference& node) {
  node.set(0, sequence_of({.kind = TypeKind::Tensor,
                           .element = node.element_attribute("dtype", ElementType::Float32)}));
}

void insert(NodeInference& node) {
  const ValueType& sequence = node.input(0);
  if (sequence.kind != TypeKind::Sequence || sequence.inner.empty()) return;
  const ValueType& added = node.input(1);
  ValueType element =
      added.kind == TypeKind::Unknown
          ? ValueType{.kind = TypeKind::Tensor, .element = sequence.inner.front().element}
          : merged(node, 0, sequence.inner.front(), added);
  if (element.kind == TypeKind::Unknown) node.fail("the sequence holds elements of another type");
  node.set(0, sequence_of(std::move(element)));
}

void at(NodeInference& node) {
  if (node.input(0).kind == TypeKind::Sequence) node.set(0, element_type(node, 0, node.input(0)));
}

void length(NodeInference& node) {
  node.set(0, ElementType::Int64, {});
}

// Size of all parts along the axis where they are equal: chunks of a scalar size (1 by default), or
// listed sizes.
Dim part_size(NodeInference& node, const Dim& whole, std::size_t axis) {
  if (!node.has_input(1)) return fixed(1);
  const auto sizes = node.integers(1);
  const Shape* shape = node.shape(1);
  if (!sizes || sizes->empty() || !shape) return node.unknown(0, axis);
  const std::int64_t first = sizes->front();
  const bool is_list = !shape->empty();
  const bool is_even = is_list ? std::all_of(sizes->begin(), sizes->end(),
                                             [&](std::int64_t size) { return size == first; })
                               : first > 0 && whole.size && *whole.size % first == 0;
  return is_even && first >= 0 ? fixed(first) : node.unknown(0, axis);
}

void split(NodeInference& node) {
  const Shape* x = node.shape(0);
  ValueType element{.kind = TypeKind::Tensor, .element = node.element(0)};
  if (x) {
    const std::size_t axis = node.axis(node.node().integer("axis", 0), x->size());
    Shape part = *x;
    part[axis] = part_size(node, (*x)[axis], axis);
    if (!node.has_input(1) && node.node().integer("keepdims", 1) == 0)
      part.erase(part.begin() + static_cast<std::ptrdiff_t>(axis));
    element.shape = std::move(part);
  }
  node.set(0, sequence_of(std::move(element)));
}

void concat(NodeInference& node) {
  const std::int64_t raw_axis = node.required_integer("axis");
  if (node.input(0).kind != TypeKind::Sequence) return;
  const ValueType element = element_type(node, 0, node.input(0));
  if (!element.shape) return node.set_element(0, element.element);
  Shape shape = *element.shape;
  if (node.node().integer("new_axis", 0) != 0) {
    const std::size_t axis = node.axis(raw_axis, shape.size() + 1);
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), node.unknown(0, axis));
  } else {
    const std::size_t axis = node.axis(raw_axis, shape.size());
    shape[axis] = node.unknown(0, axis);
  }
  node.set(0, element.element, std::move(shape));
}

void optional(NodeInference& node) {
  ValueType inner = node.input(0);
  if (!node.has_input(0)) {
    const Attribute* type = node.node().find("type");
    if (const auto* given = type ? std::get_if<ValueType>(&type->value) : nullptr)
      inner = node.walk().declared(*given, "");
  }
  if (inner.kind != TypeKind::Unknown)
    node.set(0, ValueType{.kind = TypeKind::Optional, .inner = {std::move(inner)}});
}

void get_element(NodeInference& node) {
  const ValueType& input = node.input(0);
  node.set(0, input.kind == TypeKind::Optional ? element_type(node, 0, input) : ValueType(input));
}

void has_element(NodeInference& node) {
  node.set(0, ElementType::Bool, {});
}

constexpr std::array kRules = {
    Rule{"ConcatFromSequence", concat, 1},
    Rule{"Optional", optional, 0},
    Rule{"OptionalGetElement", get_element, 1},
    Rule{"OptionalHasElement", has_element, 0},
    Rule{"SequenceAt", at, 2},
    Rule{"SequenceConstruct", construct, 1},
    Rule{"SequenceEmpty", empty, 0},
    Rule{"SequenceErase", same_as_first, 1},
    Rule{"SequenceInsert", insert, 2},
    Rule{"SequenceLength", length, 1},
    Rule{"SplitToSequence", split, 1},
};

}  // namespace

std::span<const Rule> sequence_rules() {
  return kRules;
}

}  // namespace headroom::infer
