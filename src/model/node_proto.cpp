// SPDX-License-Identifier: Apache-2.0
// Field numbers are those of onnx.proto.
#include "model/node_proto.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "model/tensor_proto.h"

namespace headroom {
namespace {

using wire::ByteSpan;
using wire::Fields;
using wire::Place;

/// Source: onnx.proto, AttributeProto.AttributeType.
enum class AttributeType : std::int64_t {
  Undefined = 0,
  Float = 1,
  Int = 2,
  String = 3,
  Tensor = 4,
  Graph = 5,
  Floats = 6,
  Ints = 7,
  Strings = 8,
  Tensors = 9,
  Graphs = 10,
  SparseTensor = 11,
  SparseTensors = 12,
  Type = 13,
  Types = 14,
};

/// The fields of an AttributeProto; messages are read once the type says which of them count.
struct AttributeFields {
  std::string_view name{};
  std::string_view reference{};
  AttributeType type = AttributeType::Undefined;
  float f = 0;
  std::int64_t i = 0;
  std::string_view s{};
  std::vector<float> floats{};
  std::vector<std::int64_t> ints{};
  std::vector<std::string_view> strings{};
  ByteSpan message{};                ///< Of TENSOR, GRAPH, SPARSE_TENSOR, TYPE_PROTO.
  std::vector<ByteSpan> messages{};  ///< Of the lists of these.
  /// The field that `message` or `messages` is from; by AttributeType which others are there.
  AttributeType message_type = AttributeType::Undefined;
  AttributeType messages_type = AttributeType::Undefined;
  std::array<bool, 15> is_there{};
};

/// The type whose value stands in field `number`; Undefined for other fields.
AttributeType type_of_field(std::uint32_t number) {
  switch (number) {
    case 2:
      return AttributeType::Float;
    case 3:
      return AttributeType::Int;
    case 4:
      return AttributeType::String;
    case 5:
      return AttributeType::Tensor;
    case 6:
      return AttributeType::Graph;
    case 7:
      return AttributeType::Floats;
    case 8:
      return AttributeType::Ints;
    case 9:
      return AttributeType::Strings;
    case 10:
      return AttributeType::Tensors;
    case 11:
      return AttributeType::Graphs;
    case 14:
      return AttributeType::Type;
    case 15:
      return AttributeType::Types;
    case 22:
      return AttributeType::SparseTensor;
    case 23:
      return AttributeType::SparseTensors;
    default:
      return AttributeType::Undefined;
  }
}

void read_value_field(Fields& fields, AttributeFields& attribute, AttributeType type) {
  attribute.is_there[static_cast<std::size_t>(type)] = true;
  switch (type) {
    case AttributeType::Float:
      attribute.f = fields.real();
      break;
    case AttributeType::Int:
      attribute.i = fields.integer();
      break;
    case AttributeType::String:
      attribute.s = fields.text();
      break;
    case AttributeType::Floats:
      fields.append_to(attribute.floats);
      break;
    case AttributeType::Ints:
      fields.append_to(attribute.ints);
      break;
    case AttributeType::Strings:
      attribute.strings.push_back(fields.text());
      break;
    case AttributeType::Tensors:
    case AttributeType::Graphs:
    case AttributeType::SparseTensors:
    case AttributeType::Types:
      if (attribute.messages_type != type) attribute.messages.clear();
      attribute.messages_type = type;
      attribute.messages.push_back(fields.bytes());
      break;
    default:
      attribute.message_type = type;
      attribute.message = fields.bytes();
      break;
  }
}

AttributeFields split_attribute(const Place& place, ByteSpan bytes) {
  AttributeFields attribute;
  Fields fields(place, "AttributeProto", bytes);
  while (fields.next()) {
    const AttributeType type = type_of_field(fields.number());
    if (type != AttributeType::Undefined) {
      read_value_field(fields, attribute, type);
    } else if (fields.number() == 1) {
      attribute.name = fields.text();
    } else if (fields.number() == 20) {
      attribute.type = static_cast<AttributeType>(fields.integer());
    } else if (fields.number() == 21) {
      attribute.reference = fields.text();
    }
  }
  return attribute;
}

/// IR version 1 had no type field, and some writers still leave it out: the one value that is
/// there.
AttributeType deduced_type(const Place& place, const AttributeFields& attribute) {
  if (attribute.type != AttributeType::Undefined) return attribute.type;
  const auto& is_there = attribute.is_there;
  if (std::count(is_there.begin(), is_there.end(), true) != 1) {
    wire::fail(place, "it has no type, and not exactly one value from which to tell it");
  }
  return static_cast<AttributeType>(std::find(is_there.begin(), is_there.end(), true) -
                                    is_there.begin());
}

template <class Read>
auto read_all(const AttributeFields& attribute, AttributeType type, Read read) {
  std::vector<decltype(read(ByteSpan{}))> all;
  if (attribute.messages_type != type) return all;  // An empty list.
  all.reserve(attribute.messages.size());
  for (const ByteSpan bytes : attribute.messages) all.push_back(read(bytes));
  return all;
}

ByteSpan single_message(const Place& place, const AttributeFields& attribute, AttributeType type) {
  if (attribute.message_type != type) {
    wire::fail(place, "its type announces a tensor, graph or type that is not there");
  }
  return attribute.message;
}

std::vector<Graph> read_graphs(ReadState& state, const Place& place,
                               std::span<const ByteSpan> messages, Scope* scope) {
  if (scope == nullptr) wire::fail(place, "a function's default attribute cannot be a graph");
  std::vector<Graph> graphs;
  graphs.reserve(messages.size());
  for (const ByteSpan bytes : messages) graphs.push_back(read_graph(state, place, bytes, scope));
  return graphs;
}

AttributeValue read_message_value(ReadState& state, const Place& place,
                                  const AttributeFields& attribute, AttributeType type,
                                  Scope* scope) {
  const auto tensor = [&](ByteSpan bytes) { return read_stored_tensor(state, place, bytes); };
  const auto sparse = [&](ByteSpan bytes) {
    return read_stored_sparse_tensor(state, place, bytes);
  };
  const auto value_type = [&](ByteSpan bytes) { return read_type(state, place, bytes); };
  switch (type) {
    case AttributeType::Tensor:
      return tensor(single_message(place, attribute, type));
    case AttributeType::Tensors:
      return read_all(attribute, type, tensor);
    case AttributeType::SparseTensor:
      return sparse(single_message(place, attribute, type));
    case AttributeType::SparseTensors:
      return read_all(attribute, type, sparse);
    case AttributeType::Type:
      return value_type(single_message(place, attribute, type));
    case AttributeType::Types:
      return read_all(attribute, type, value_type);
    case AttributeType::Graph: {
      const ByteSpan bytes = single_message(place, attribute, type);
      return read_graphs(state, place, {&bytes, 1}, scope);
    }
    case AttributeType::Graphs:
      if (attribute.messages_type != type) return std::vector<Graph>{};
      return read_graphs(state, place, attribute.messages, scope);
    default:
      wire::fail(place, fmt::format("its type {} is not one that ONNX defines",
                                    static_cast<std::int64_t>(type)));
  }
}

AttributeValue read_value(ReadState& state, const Place& place, AttributeFields& attribute,
                          Scope* scope) {
  const AttributeType type = deduced_type(place, attribute);
  switch (type) {
    case AttributeType::Float:
      return attribute.f;
    case AttributeType::Int:
      return attribute.i;
    case AttributeType::String:
      return std::string(attribute.s);
    case AttributeType::Floats:
      return std::move(attribute.floats);
    case AttributeType::Ints:
      return std::move(attribute.ints);
    case AttributeType::Strings:
      return std::vector<std::string>(attribute.strings.begin(), attribute.strings.end());
    default:
      return read_message_value(state, place, attribute, type, scope);
  }
}

/// What must be known of a node before it is read: for its place in messages, and to reserve
/// exactly.
struct NodeHead {
  std::string_view name{};
  std::string_view op{};
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::size_t attributes = 0;
};

NodeHead read_head(const Place& place, ByteSpan bytes) {
  NodeHead head;
  Fields fields(place, "NodeProto", bytes);
  while (fields.next()) {
    switch (fields.number()) {
      case 1:
        ++head.inputs;
        break;
      case 2:
        ++head.outputs;
        break;
      case 3:
        head.name = fields.text();
        break;
      case 4:
        head.op = fields.text();
        break;
      case 5:
        ++head.attributes;
        break;
      default:
        break;
    }
  }
  return head;
}

void check_head(const Place& place, const NodeHead& head) {
  if (head.op.empty()) wire::fail(place, "it has no operator (op_type)");
  if (head.attributes > kMostAttributes) {
    wire::fail(place, fmt::format("it has {} attributes; at most {} are read", head.attributes,
                                  kMostAttributes));
  }
}

ValueId resolve(const Place& place, std::string_view name, std::size_t input, Scope& scope) {
  if (name.empty()) return kNoValue;
  const std::optional<ValueId> id = scope.find(name);
  if (!id) {
    wire::fail(place, fmt::format("its input {}, '{}', is not the output of a node, an input or an "
                                  "initializer; is the file complete?",
                                  input, wire::shown(name)));
  }
  return *id;
}

void check_attribute_names(const Place& place, const Node& node) {
  if (node.attributes.size() < 2) return;
  std::vector<std::string_view> names;
  names.reserve(node.attributes.size());
  for (const Attribute& attribute : node.attributes) names.emplace_back(attribute.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return;
  wire::fail(place, fmt::format("its attribute '{}' is there twice", wire::shown(*twice)));
}

}  // namespace

Place node_place(const Place& outer, ByteSpan bytes, std::size_t index) {
  const NodeHead head = read_head(outer.inside("node", {}, index), bytes);
  return outer.inside("node", head.name, index, head.op);
}

Node read_node(ReadState& state, const Place& outer, ByteSpan bytes, std::size_t index,
               Scope& scope) {
  const NodeHead head = read_head(outer.inside("node", {}, index), bytes);
  const Place place = outer.inside("node", head.name, index, head.op);
  check_head(place, head);
  Node node;
  node.name = head.name;
  node.op = head.op;
  node.message = bytes;
  node.inputs.reserve(head.inputs);
  node.outputs.reserve(head.outputs);
  node.attributes.reserve(head.attributes);
  std::string_view domain;
  Fields fields(place, "NodeProto", bytes);
  while (fields.next()) {
    switch (fields.number()) {
      case 1:
        node.inputs.push_back(resolve(place, fields.text(), node.inputs.size(), scope));
        break;
      case 2:
        node.outputs.push_back(fields.text().empty() ? kNoValue : scope.next_output++);
        break;
      case 5:
        node.attributes.push_back(read_attribute(state, place, fields.bytes(), &scope));
        break;
      case 7:
        domain = canonical_domain(fields.text());
        break;
      case 8:
        node.overload = fields.text();
        break;
      default:
        break;
    }
  }
  node.domain = domain;
  state.domains.insert(domain);
  check_attribute_names(place, node);
  return node;
}

Attribute read_attribute(ReadState& state, const Place& outer, ByteSpan bytes, Scope* scope) {
  AttributeFields fields = split_attribute(outer, bytes);
  const Place place = outer.inside("attribute", fields.name);
  if (fields.name.empty()) wire::fail(place, "it has no name");
  Attribute attribute;
  attribute.name = fields.name;
  attribute.reference = fields.reference;
  if (fields.reference.empty()) attribute.value = read_value(state, place, fields, scope);
  return attribute;
}

std::string_view canonical_domain(std::string_view domain) noexcept {
  return domain == "ai.onnx" ? std::string_view{} : domain;
}

}  // namespace headroom
