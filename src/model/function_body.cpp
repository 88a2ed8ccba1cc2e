// SPDX-License-Identifier: Apache-2.0
#include "model/function_body.h"

#include <headroom/base/error.h>

#include <algorithm>
#include <utility>

namespace headroom {
namespace {

/// What the allocator adds to a block.
constexpr std::uint64_t kBlock = 16;

std::uint64_t weight_of_text(const std::string& text) {
  return text.size() < 16 ? 0 : text.size() + kBlock;
}

std::uint64_t weight_of_type(const ValueType& type) {
  std::uint64_t weight = sizeof(ValueType);
  if (type.shape) {
    for (const Dim& dim : *type.shape) weight += sizeof(Dim) + weight_of_text(dim.symbol);
  }
  for (const ValueType& inner : type.inner) weight += weight_of_type(inner);
  return weight;
}

std::uint64_t weight_of_tensor(const StoredTensor& tensor) {
  return sizeof(StoredTensor) + weight_of_text(tensor.name) +
         tensor.dims.size() * sizeof(std::int64_t);
}

/// By what an attribute holds.
struct WeightOfValue {
  template <class T>
  std::uint64_t operator()(const T& /*number*/) const {
    return 0;
  }
  std::uint64_t operator()(const std::string& text) const { return weight_of_text(text); }
  std::uint64_t operator()(const StoredTensor& tensor) const { return weight_of_tensor(tensor); }
  std::uint64_t operator()(const StoredSparseTensor& tensor) const {
    return weight_of_tensor(tensor.values) + weight_of_tensor(tensor.indices) +
           tensor.dims.size() * sizeof(std::int64_t);
  }
  std::uint64_t operator()(const ValueType& type) const { return weight_of_type(type); }
  std::uint64_t operator()(const Graph& graph) const { return weight_of(graph); }
  template <class T>
  std::uint64_t operator()(const std::vector<T>& list) const {
    std::uint64_t weight = kBlock + list.size() * sizeof(T);
    for (const T& entry : list) weight += (*this)(entry);
    return weight;
  }
};

/// Calls `visit` with each node of each body of `node`.
template <class Visit>
void for_each_inner_node(Node& node, Visit visit) {
  for (Attribute& attribute : node.attributes) {
    if (auto* bodies = std::get_if<std::vector<Graph>>(&attribute.value)) {
      for (Graph& body : *bodies) {
        for (Node& inner : body.nodes) visit(inner);
      }
    }
  }
}

/// The attribute that a reference means, or nothing.
const Attribute* bound_attribute(const std::string& reference, const Node& call,
                                 const Function& function) {
  if (const Attribute* given = call.find(reference)) return given;
  for (const Attribute& candidate : function.default_attributes) {
    if (candidate.name == reference) return &candidate;
  }
  return nullptr;
}

bool sees_outer_values(const Attribute& attribute) {
  const auto* bodies = std::get_if<std::vector<Graph>>(&attribute.value);
  if (bodies == nullptr) return false;
  return std::any_of(bodies->begin(), bodies->end(), [](const Graph& body) {
    return std::any_of(body.values.begin(), body.values.end(),
                       [](const Value& value) { return value.origin == Origin::OuterScope; });
  });
}

/// `depth`: how many subgraphs lie between `node` and `call`.
std::uint64_t bind_at_depth(const wire::Place& place, Node& node, const Node& call,
                            const Function& function, std::size_t depth) {
  std::uint64_t weight = 0;
  for_each_inner_node(
      node, [&](Node& inner) { weight += bind_at_depth(place, inner, call, function, depth + 1); });
  std::erase_if(node.attributes, [&](Attribute& attribute) {
    if (attribute.reference.empty()) return false;
    const Attribute* bound = bound_attribute(attribute.reference, call, function);
    if (bound == nullptr) return true;
    if (depth > 0 && sees_outer_values(*bound)) {
      throw Error(ErrorKind::Unsupported,
                  wire::to_string(place) +
                      ": a subgraph that uses outer values is passed into another "
                      "subgraph; inline the function when the model is exported");
    }
    weight += weight_of(*bound);
    attribute.value = bound->value;
    attribute.reference = bound->reference;
    return false;
  });
  return weight;
}

ValueId moved(ValueId id, std::span<const ValueId> renumbered) {
  return id == kNoValue ? kNoValue : renumbered[id];
}

/// Removes the values of `body` for which `renumbered` has kNoValue and numbers the rest anew.
void renumber_values(const wire::Place& place, Graph& body, std::span<const ValueId> renumbered) {
  std::vector<Value> kept;
  for (std::size_t id = 0; id < body.values.size(); ++id) {
    if (renumbered[id] != kNoValue) kept.push_back(std::move(body.values[id]));
  }
  body.values = std::move(kept);
  for (ValueId& id : body.inputs) id = moved(id, renumbered);
  for (ValueId& id : body.outputs) {
    id = moved(id, renumbered);
    if (id == kNoValue) {
      wire::fail(place,
                 "a subgraph gives out a parameter of the function that the call leaves out");
    }
  }
  for (Node& node : body.nodes) {
    for (ValueId& id : node.inputs) id = moved(id, renumbered);
    for (ValueId& id : node.outputs) id = moved(id, renumbered);
    renumber_outer_values(place, node, renumbered);
  }
}

void renumber_body(const wire::Place& place, Graph& body, std::span<const ValueId> renumbered) {
  std::vector<ValueId> kept(body.values.size());
  ValueId next = 0;
  for (std::size_t id = 0; id < body.values.size(); ++id) {
    Value& value = body.values[id];
    if (value.origin == Origin::OuterScope) value.index = renumbered[value.index];
    const bool is_gone = value.origin == Origin::OuterScope && value.index == kNoValue;
    kept[id] = is_gone ? kNoValue : next++;
  }
  if (next != body.values.size()) renumber_values(place, body, kept);
}

}  // namespace

std::uint64_t weight_of(const Attribute& attribute) {
  return sizeof(Attribute) + weight_of_text(attribute.name) + weight_of_text(attribute.reference) +
         std::visit(WeightOfValue{}, attribute.value);
}

std::uint64_t weight_of(const Graph& graph) {
  std::uint64_t weight = sizeof(Graph);
  for (const Value& value : graph.values) {
    weight += sizeof(Value) + weight_of_text(value.name) + weight_of_type(value.type);
  }
  for (const Node& node : graph.nodes) {
    weight += sizeof(Node) + 3 * kBlock + weight_of_text(node.name) + weight_of_text(node.op) +
              weight_of_text(node.domain) +
              (node.inputs.size() + node.outputs.size()) * sizeof(ValueId);
    for (const Attribute& attribute : node.attributes) weight += weight_of(attribute);
  }
  for (const StoredTensor& tensor : graph.initializers) weight += weight_of_tensor(tensor);
  weight += graph.sparse_initializers.size() * sizeof(StoredSparseTensor);
  return weight;
}

std::uint64_t bind_attributes(const wire::Place& place, Node& node, const Node& call,
                              const Function& function) {
  return bind_at_depth(place, node, call, function, 0);
}

void renumber_outer_values(const wire::Place& place, Node& node,
                           std::span<const ValueId> renumbered) {
  for (Attribute& attribute : node.attributes) {
    if (auto* bodies = std::get_if<std::vector<Graph>>(&attribute.value)) {
      for (Graph& body : *bodies) renumber_body(place, body, renumbered);
    }
  }
}

}  // namespace headroom
