// SPDX-License-Identifier: Apache-2.0
// Field numbers are those of onnx.proto.
#include "model/graph_reader.h"

#include <utility>

#include <fmt/format.h>

#include "model/node_order.h"
#include "model/node_proto.h"
#include "model/tensor_proto.h"

namespace headroom {
namespace {

using wire::ByteSpan;
using wire::Fields;
using wire::Place;

GraphParts split_graph(const Place& place, ByteSpan bytes) {
  GraphParts parts;
  Fields fields(place, "GraphProto", bytes);
  while (fields.next()) {
    switch (fields.number()) {
      case 1:
        parts.nodes.push_back(fields.bytes());
        break;
      case 2:
        parts.name = fields.text();
        break;
      case 5:
        parts.initializers.push_back(fields.bytes());
        break;
      case 11:
        parts.inputs.push_back(read_value_info(place, fields.bytes()));
        break;
      case 12:
        parts.outputs.push_back(read_value_info(place, fields.bytes()));
        break;
      case 13:
        parts.value_infos.push_back(read_value_info(place, fields.bytes()));
        break;
      case 15:
        parts.sparse_initializers.push_back(fields.bytes());
        break;
      default:
        break;
    }
  }
  return parts;
}

std::string_view described(Origin origin) {
  switch (origin) {
    case Origin::Input:
      return "an input";
    case Origin::Initializer:
    case Origin::SparseInitializer:
      return "an initializer";
    default:
      return "the output of a node";
  }
}

/// Builds one graph; an object only to share what every step needs.
class Builder {
 public:
  Builder(ReadState& state, const Place& place, const GraphParts& parts, Scope* outer)
      : state_(state),
        place_(place),
        parts_(parts),
        scope_{graph_, outer, outer == nullptr ? 0 : outer->depth + 1, {}} {}

  Graph build() {
    if (scope_.depth > wire::kDeepest) {
      wire::fail(place_, fmt::format("subgraphs are nested deeper than {} levels", wire::kDeepest));
    }
    graph_.name = parts_.name;
    reserve();
    add_inputs();
    add_initializers();
    add_sparse_initializers();
    define_node_outputs();
    read_nodes();
    add_outputs();
    add_value_types();
    note_duplicate_names();
    if (sort_nodes(place_, graph_)) {
      state_.findings.add(
          Severity::Warning, "nodes_not_in_order", place_,
          "the nodes are not in topological order, as ONNX demands; they were sorted");
    }
    return std::move(graph_);
  }

 private:
  void reserve() {
    const std::size_t count =
        parts_.inputs.size() + parts_.initializers.size() + parts_.nodes.size();
    graph_.values.reserve(count);
    scope_.names.reserve(count);
    graph_.nodes.reserve(parts_.nodes.size());
    graph_.inputs.reserve(parts_.inputs.size());
    graph_.outputs.reserve(parts_.outputs.size());
    graph_.initializers.reserve(parts_.initializers.size());
  }

  /// Appends a value; null if the name is taken.
  Value* try_define(std::string_view name, Origin origin, std::size_t index) {
    const auto id = static_cast<ValueId>(graph_.values.size());
    if (!scope_.names.try_emplace(name, id).second) return nullptr;
    Value& value = graph_.values.emplace_back();
    value.name = name;
    value.origin = origin;
    value.index = static_cast<std::uint32_t>(index);
    return &value;
  }

  [[noreturn]] void fail_twice(const Place& place, std::string_view name) const {
    const Value& first = graph_.values[scope_.names.at(name)];
    wire::fail(place, fmt::format("'{}' is defined twice: it is already {}", wire::shown(name),
                                  described(first.origin)));
  }

  Value& define(const Place& place, std::string_view name, Origin origin, std::size_t index) {
    Value* value = try_define(name, origin, index);
    if (value == nullptr) fail_twice(place, name);
    return *value;
  }

  void set_type(Value& value, ByteSpan type, std::string_view kind) {
    if (!type.empty()) value.type = read_type(state_, place_.inside(kind, value.name), type);
  }

  void add_inputs() {
    for (std::size_t i = 0; i < parts_.inputs.size(); ++i) {
      const ValueInfo& info = parts_.inputs[i];
      const Place place = place_.inside("input", info.name, i);
      if (info.name.empty()) wire::fail(place, "it has no name");
      graph_.inputs.push_back(static_cast<ValueId>(graph_.values.size()));
      set_type(define(place, info.name, Origin::Input, i), info.type, "input");
    }
  }

  /// An input of the same name becomes the initializer's default value.
  void define_initializer(const Place& place, std::string_view name, Origin origin,
                          std::size_t index, ValueType type) {
    if (name.empty()) wire::fail(place, "it has no name");
    const auto found = scope_.names.find(name);
    if (found == scope_.names.end() || graph_.values[found->second].origin != Origin::Input) {
      define(place, name, origin, index).type = std::move(type);
      return;
    }
    Value& value = graph_.values[found->second];
    value.origin = origin;
    value.index = static_cast<std::uint32_t>(index);
    value.type = std::move(type);
    value.is_overridable = true;
  }

  void add_initializers() {
    for (std::size_t i = 0; i < parts_.initializers.size(); ++i) {
      const Place place = place_.inside("initializer", {}, i);
      StoredTensor tensor = read_stored_tensor(state_, place, parts_.initializers[i]);
      define_initializer(place, tensor_name(place, parts_.initializers[i]), Origin::Initializer, i,
                         type_of(tensor));
      graph_.initializers.push_back(std::move(tensor));
    }
  }

  void add_sparse_initializers() {
    for (std::size_t i = 0; i < parts_.sparse_initializers.size(); ++i) {
      const Place place = place_.inside("sparse initializer", {}, i);
      StoredSparseTensor tensor =
          read_stored_sparse_tensor(state_, place, parts_.sparse_initializers[i]);
      define_initializer(place, tensor_name(place, tensor.values.message),
                         Origin::SparseInitializer, i, type_of(tensor));
      graph_.sparse_initializers.push_back(std::move(tensor));
    }
  }

  void define_node_outputs() {
    scope_.next_output = static_cast<ValueId>(graph_.values.size());
    for (std::size_t i = 0; i < parts_.nodes.size(); ++i) {
      Fields fields(place_, "NodeProto", parts_.nodes[i]);
      while (fields.next()) {
        if (fields.number() != 2) continue;
        const std::string_view name = fields.text();
        if (!name.empty() && try_define(name, Origin::Node, i) == nullptr) {
          fail_twice(node_place(place_, parts_.nodes[i], i), name);
        }
      }
    }
  }

  void read_nodes() {
    for (std::size_t i = 0; i < parts_.nodes.size(); ++i) {
      graph_.nodes.push_back(read_node(state_, place_, parts_.nodes[i], i, scope_));
    }
  }

  void add_outputs() {
    for (std::size_t i = 0; i < parts_.outputs.size(); ++i) {
      const ValueInfo& info = parts_.outputs[i];
      const std::optional<ValueId> id = scope_.find(info.name);
      if (info.name.empty() || !id) {
        wire::fail(place_.inside("output", info.name, i),
                   "no node, input or initializer defines it");
      }
      graph_.outputs.push_back(*id);
      Value& value = graph_.values[*id];
      if (value.type.kind == TypeKind::Unknown) set_type(value, info.type, "output");
    }
  }

  void add_value_types() {
    for (const ValueInfo& info : parts_.value_infos) {
      const auto found = scope_.names.find(info.name);
      if (found == scope_.names.end()) continue;  // Left over from a node that was removed.
      Value& value = graph_.values[found->second];
      if (value.type.kind == TypeKind::Unknown) set_type(value, info.type, "value");
    }
  }

  void note_duplicate_names() {
    std::unordered_map<std::string_view, std::size_t> nodes_by_name;
    nodes_by_name.reserve(graph_.nodes.size());
    bool is_unique = true;
    for (const Node& node : graph_.nodes) {
      if (!node.name.empty()) is_unique = ++nodes_by_name[node.name] == 1 && is_unique;
    }
    if (is_unique) return;
    for (const Node& node : graph_.nodes) {
      const auto found = nodes_by_name.find(node.name);
      if (found == nodes_by_name.end() || found->second == 1) continue;
      state_.findings.add(
          Severity::Warning, "duplicate_node_name", place_.inside("node", node.name),
          fmt::format("{} nodes have this name; reports cannot tell them apart", found->second));
      nodes_by_name.erase(found);  // Said once.
    }
  }

  ReadState& state_;
  const Place& place_;
  const GraphParts& parts_;
  Graph graph_{};
  Scope scope_;
};

}  // namespace

std::optional<ValueId> Scope::find(std::string_view name) {
  const auto found = names.find(name);
  if (found != names.end()) return found->second;
  if (outer == nullptr) return std::nullopt;
  const std::optional<ValueId> outside = outer->find(name);
  if (!outside) return std::nullopt;
  const auto id = static_cast<ValueId>(graph.values.size());
  Value& value = graph.values.emplace_back();
  value.name = name;
  value.origin = Origin::OuterScope;
  value.index = *outside;
  names.emplace(name, id);
  return id;
}

Graph build_graph(ReadState& state, const Place& place, const GraphParts& parts, Scope* outer) {
  return Builder(state, place, parts, outer).build();
}

Graph read_graph(ReadState& state, const Place& place, ByteSpan bytes, Scope* outer) {
  return build_graph(state, place, split_graph(place, bytes), outer);
}

}  // namespace headroom
