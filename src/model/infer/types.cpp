// SPDX-License-Identifier: Apache-2.0
// Operators about types and shapes themselves: Cast, Identity, Dropout, Shape, Size.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/infer/evaluate.h"
#include "model/infer/generic.h"
#include "model/infer/rules.h"

namespace headroom::infer {
namespace {

void set_like_first(NodeInference& node, std::size_t output, ElementType element) {
  if (node.shape(0)) return node.set(output, element, Shape(*node.shape(0)));
  node.set_element(output, element);
}

void cast(NodeInference& node) {
  // Cast-1 took the name of the type as a string.
  const std::string_view name = node.node().text("to", "");
  if (name.empty())
    return set_like_first(node, 0, node.element_attribute("to", ElementType::Undefined));
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (lower == "float") lower = "float32";
  if (lower == "double") lower = "float64";
  const auto type = element_type_from(lower);
  if (!type) node.fail(fmt::format("attribute 'to' names no element type: '{}'", name));
  set_like_first(node, 0, *type);
}

void cast_like(NodeInference& node) {
  set_like_first(node, 0, node.element(1));
}

void bit_cast(NodeInference& node) {
  const ElementType to = node.element_attribute("to", ElementType::Undefined);
  const auto from_bits = bits_of(node.element(0));
  if (from_bits && from_bits != bits_of(to)) {
    node.fail(
        fmt::format("{} and {} have different widths", to_string(node.element(0)), to_string(to)));
  }
  set_like_first(node, 0, to);
}

void identity(NodeInference& node) {
  node.set(0, ValueType(node.input(0)));
}

void dropout(NodeInference& node) {
  same_as_first(node);
  if (node.has_output(1))
    set_like_first(node, 1, node.opset() < 10 ? node.element(0) : ElementType::Bool);
}

// With an element type attribute, else the type of the input (Bernoulli, RandomNormalLike,
// EyeLike).
void like_with_type(NodeInference& node) {
  set_like_first(node, 0, node.element_attribute("dtype", node.element(0)));
}

std::size_t clamped(std::int64_t index, std::size_t rank) {
  const auto size = static_cast<std::int64_t>(rank);
  if (index < 0) index += size;
  return static_cast<std::size_t>(std::clamp<std::int64_t>(index, 0, size));
}

// `start` and `end` exist from opset 15 on.
void shape_of(NodeInference& node) {
  const Shape* shape = node.shape(0);
  if (!shape) return node.set(0, ElementType::Int64, node.unknown_shape(0, 1));
  const std::size_t rank = shape->size();
  const std::size_t start = clamped(node.node().integer("start", 0), rank);
  const std::size_t end =
      std::max(start, clamped(node.node().integer("end", static_cast<std::int64_t>(rank)), rank));
  node.set(0, ElementType::Int64, {fixed(static_cast<std::int64_t>(end - start))});
  node.set_known(0, elements_of(std::span<const Dim>(*shape).subspan(start, end - start)));
}

void size_of(NodeInference& node) {
  node.set(0, ElementType::Int64, {});
  const Shape* shape = node.shape(0);
  if (!shape) return;
  const Dim* open = first_open(*shape);
  const Integer rest = known_product(*shape);
  const auto open_count = std::count_if(shape->begin(), shape->end(),
                                        [](const Dim& dim) { return !dim.size.has_value(); });
  KnownElements known;
  if (!open || rest == 0) {
    append_element(known, Dim{.size = rest});
  } else {
    append_element(known, open_count == 1 && rest == 1 ? *open : node.derived_element(0, *open));
  }
  node.set_known(0, std::move(known));
}

constexpr std::array kRules = {
    Rule{"Bernoulli", like_with_type, 1},
    Rule{"BitCast", bit_cast, 1},
    Rule{"Cast", cast, 1, evaluate_cast},
    Rule{"CastLike", cast_like, 2, evaluate_cast},
    Rule{"Dropout", dropout, 1},
    Rule{"EyeLike", like_with_type, 1},
    Rule{"Identity", identity, 1, evaluate_copy},
    Rule{"RandomNormalLike", like_with_type, 1},
    Rule{"RandomUniformLike", like_with_type, 1},
    Rule{"Shape", shape_of, 1},
    Rule{"Size", size_of, 1},
};

}  // namespace

std::span<const Rule> type_rules() {
  return kRules;
}

}  // namespace headroom::infer
