// SPDX-License-Identifier: Apache-2.0
// Access of rules to a node's inputs, attributes and outputs.
#include "model/infer/inference.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "model/infer/walk.h"

namespace headroom::infer {
namespace {

const ValueType kUnknownType{};

std::string dims_text(const std::optional<Shape>& shape) {
  return shape ? printable(to_string(*shape)) : std::string("of unknown rank");
}

}  // namespace

Graph* NodeInference::body(std::string_view attribute) {
  for (Attribute& candidate : node_.attributes) {
    if (candidate.name != attribute) continue;
    auto* graphs = std::get_if<std::vector<Graph>>(&candidate.value);
    return graphs && !graphs->empty() ? &graphs->front() : nullptr;
  }
  return nullptr;
}

bool NodeInference::has_input(std::size_t input) const noexcept {
  return input < node_.inputs.size() && node_.inputs[input] != kNoValue;
}

const ValueType& NodeInference::input(std::size_t input) const noexcept {
  return has_input(input) ? scope_.graph.values[node_.inputs[input]].type : kUnknownType;
}

const Shape* NodeInference::shape(std::size_t input) const noexcept {
  const ValueType& type = this->input(input);
  return type.kind == TypeKind::Tensor && type.shape ? &*type.shape : nullptr;
}

const KnownElements* NodeInference::known(std::size_t input) {
  return has_input(input) ? walk_.known(scope_, node_.inputs[input]) : nullptr;
}

bool NodeInference::is_known(std::size_t input) const {
  return has_input(input) && walk_.is_known(scope_, node_.inputs[input]);
}

const KnownElements* NodeInference::known_integers(std::size_t input) {
  if (!is_known(input) || is_float(element(input))) return nullptr;
  const KnownElements* elements = known(input);
  return elements && elements->reals.empty() ? elements : nullptr;
}

Dim NodeInference::scalar_size(std::size_t input, std::size_t dimension) {
  const KnownElements* elements = known_integers(input);
  if (!elements || elements->elements.size() != 1) return unknown(0, dimension);
  const Dim only = element_at(*elements, 0);
  return only.size || is_size(only) ? only : derived(0, dimension, only);
}

std::optional<std::vector<std::int64_t>> NodeInference::integers(std::size_t input) {
  const KnownElements* elements = known_integers(input);
  if (!elements) return std::nullopt;
  std::vector<std::int64_t> result;
  for (const Integer& element : elements->elements) {
    if (!element) return std::nullopt;
    result.push_back(*element);
  }
  return result;
}

Integer NodeInference::integer(std::size_t input) {
  const auto all = integers(input);
  return all && all->size() == 1 ? Integer{all->front()} : std::nullopt;
}

std::optional<std::vector<double>> NodeInference::reals(std::size_t input) {
  const KnownElements* elements = is_known(input) ? known(input) : nullptr;
  if (!elements || !elements->elements.empty()) return std::nullopt;
  for (const double element : elements->reals)
    if (std::isnan(element)) return std::nullopt;
  return elements->reals;
}

std::optional<double> NodeInference::real(std::size_t input) {
  const auto all = reals(input);
  return all && all->size() == 1 ? std::optional{all->front()} : std::nullopt;
}

Integer NodeInference::length(std::size_t input) const {
  const Shape* dims = shape(input);
  if (!dims || dims->size() > 1) return std::nullopt;
  return dims->empty() ? Integer{1} : dims->front().size;
}

std::int64_t NodeInference::required_integer(std::string_view attribute) const {
  const Attribute* found = node_.find(attribute);
  const auto* value = found ? std::get_if<std::int64_t>(&found->value) : nullptr;
  if (!value) fail(fmt::format("the integer attribute '{}' is missing", attribute));
  return *value;
}

ElementType NodeInference::element_attribute(std::string_view attribute,
                                             ElementType otherwise) const {
  if (!has(attribute)) return otherwise;
  const std::int64_t number = required_integer(attribute);
  if (number == 0) return otherwise;
  const auto type = static_cast<ElementType>(number);
  if (number < 1 || number > UINT8_MAX || !is_defined(type))
    fail(fmt::format("attribute '{}' is {}, which is no element type", attribute, number));
  return type;
}

std::size_t NodeInference::axis(std::int64_t axis, std::size_t rank) const {
  const auto signed_rank = static_cast<std::int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank) {
    fail(fmt::format("axis {} is outside [{}, {}) of rank {}", axis, -signed_rank, signed_rank,
                     rank));
  }
  return static_cast<std::size_t>(axis < 0 ? axis + signed_rank : axis);
}

bool NodeInference::has_output(std::size_t output) const noexcept {
  return output < node_.outputs.size() && node_.outputs[output] != kNoValue;
}

const ValueType& NodeInference::output(std::size_t output) const noexcept {
  return has_output(output) ? scope_.graph.values[node_.outputs[output]].type : kUnknownType;
}

void NodeInference::set(std::size_t output, ValueType type) {
  if (has_output(output)) scope_.graph.values[node_.outputs[output]].type = std::move(type);
}

void NodeInference::set(std::size_t output, ElementType element, Shape shape) {
  for (const Dim& dim : shape) {
    if (dim.size && *dim.size < 0)
      fail(fmt::format("output {} has a size of {}", output, *dim.size));
  }
  if (!known_product(shape)) {
    fail(fmt::format("the element count of output {} ({}) does not fit 63 bits", output,
                     printable(to_string(shape))));
  }
  set(output, ValueType{.kind = TypeKind::Tensor, .element = element, .shape = std::move(shape)});
}

void NodeInference::set_element(std::size_t output, ElementType element) {
  set(output, ValueType{.kind = TypeKind::Tensor, .element = element});
}

void NodeInference::set_known(std::size_t output, KnownElements known) {
  if (has_output(output))
    scope_.graph.known.insert_or_assign(node_.outputs[output], std::move(known));
}

std::string NodeInference::place(std::size_t output, std::string_view kind,
                                 std::size_t index) const {
  std::string_view value;
  if (has_output(output)) value = scope_.graph.values[node_.outputs[output]].name;
  const std::string label =
      node_.name.empty() ? fmt::format("{} of '{}'", node_.op, value) : node_.name;
  return fmt::format("{} output {}, {} {}", label, output, kind, index);
}

Dim NodeInference::derived(std::size_t output, std::size_t dimension, const Dim& from) const {
  if (from.symbol.empty()) return unknown(output, dimension);
  return Dim{.symbol = fmt::format("{}{}{}", root_of(from), kArrow,
                                   place(output, "dimension", dimension))};
}

Dim NodeInference::unknown(std::size_t output, std::size_t dimension) const {
  return Dim{.symbol = fmt::format("{}{}", kDependsOnData, place(output, "dimension", dimension))};
}

Dim NodeInference::derived_element(std::size_t index, const Dim& from) const {
  if (from.symbol.empty()) return unknown_element(index);
  return Dim{.symbol = fmt::format("{}{}{}", root_of(from), kArrow, place(0, "element", index))};
}

Dim NodeInference::unknown_element(std::size_t index) const {
  return Dim{.symbol = fmt::format("{}{}", kDependsOnData, place(0, "element", index))};
}

Shape NodeInference::unknown_shape(std::size_t output, std::size_t rank) const {
  Shape result;
  for (std::size_t i = 0; i < rank; ++i) result.push_back(unknown(output, i));
  return result;
}

Dim NodeInference::sized(Integer size) const {
  if (!size) fail("a size does not fit 64 bits");
  if (*size < 0) fail(fmt::format("a size would be {}", *size));
  return fixed(*size);
}

const Dim& NodeInference::agreed(const Dim& a, const Dim& b, std::string_view what) const {
  if (contradict(a, b)) fail(fmt::format("{}: {} and {} differ", what, *a.size, *b.size));
  return a.size ? a : b;
}

void NodeInference::require_rank(std::size_t input, std::size_t rank) const {
  const Shape* dims = shape(input);
  if (dims && dims->size() != rank)
    fail(fmt::format("input {} must have rank {} and has rank {}", input, rank, dims->size()));
}

void NodeInference::fail(std::string_view what) const {
  std::vector<std::string> inputs;
  for (const ValueId id : node_.inputs) {
    if (id == kNoValue) {
      inputs.emplace_back("(omitted)");
      continue;
    }
    const Value& value = scope_.graph.values[id];
    inputs.push_back(fmt::format("'{}' {}", printable(value.name), type_text(value.type)));
  }
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: {}; inputs: {}", place_of(scope_.graph, node_), what,
                          inputs.empty() ? std::string("none") : join(inputs, ", ")));
}

std::string place_of(const Graph& graph, const Node& node) {
  const std::string op = printable(node.op);
  if (!node.name.empty()) return fmt::format("node '{}' ({})", printable(node.name), op);
  for (const ValueId output : node.outputs) {
    if (output != kNoValue)
      return fmt::format("{} node with output '{}'", op, printable(graph.values[output].name));
  }
  return fmt::format("{} node without outputs", op);
}

std::string type_text(const ValueType& type) {
  const auto element = [&] {
    return type.element == ElementType::Undefined ? std::string_view("tensor")
                                                  : to_string(type.element);
  };
  const std::string inner = type.inner.empty() ? std::string() : type_text(type.inner.front());
  switch (type.kind) {
    case TypeKind::Tensor:
      return fmt::format("{} {}", element(), dims_text(type.shape));
    case TypeKind::SparseTensor:
      return fmt::format("sparse {} {}", element(), dims_text(type.shape));
    case TypeKind::Sequence:
      return fmt::format("sequence of {}", inner);
    case TypeKind::Optional:
      return fmt::format("optional {}", inner);
    case TypeKind::Map:
      return fmt::format("map of {} to {}", element(), inner);
    case TypeKind::Unknown:
      break;
  }
  return "of unknown type";
}

}  // namespace headroom::infer
