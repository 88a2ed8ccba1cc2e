// SPDX-License-Identifier: Apache-2.0
#include <headroom/model/graph.h>

#include <algorithm>

#include "model/infer/dims.h"

namespace headroom {

std::string to_string(const Shape& shape) {
  if (shape.empty()) return "scalar";
  std::string text;
  for (const Dim& dim : shape) {
    if (!text.empty()) text += 'x';
    if (dim.size) {
      text += std::to_string(*dim.size);
    } else {
      text += infer::is_plain_symbol(dim) ? dim.symbol : "?";
    }
  }
  return text;
}

std::optional<std::vector<std::int64_t>> known_sizes(const Shape& shape) {
  std::vector<std::int64_t> sizes;
  sizes.reserve(shape.size());
  for (const Dim& dim : shape) {
    if (!dim.size) return std::nullopt;
    sizes.push_back(*dim.size);
  }
  return sizes;
}

const Attribute* Node::find(std::string_view attribute) const {
  for (const Attribute& candidate : attributes) {
    if (candidate.name == attribute) return &candidate;
  }
  return nullptr;
}

std::int64_t Node::integer(std::string_view attribute, std::int64_t otherwise) const {
  const auto* value = held<std::int64_t>(attribute);
  return value == nullptr ? otherwise : *value;
}

float Node::real(std::string_view attribute, float otherwise) const {
  const auto* value = held<float>(attribute);
  return value == nullptr ? otherwise : *value;
}

std::span<const std::int64_t> Node::integers(std::string_view attribute) const {
  const auto* value = held<std::vector<std::int64_t>>(attribute);
  if (value == nullptr) return {};
  return *value;
}

std::string_view Node::text(std::string_view attribute, std::string_view otherwise) const {
  const auto* value = held<std::string>(attribute);
  return value == nullptr ? otherwise : std::string_view{*value};
}

std::vector<const Graph*> Node::bodies() const {
  std::vector<const Graph*> found;
  for (const Attribute& attribute : attributes) {
    if (const auto* graphs = std::get_if<std::vector<Graph>>(&attribute.value)) {
      for (const Graph& graph : *graphs) found.push_back(&graph);
    }
  }
  return found;
}

std::vector<ValueId> Graph::required_inputs() const {
  std::vector<ValueId> required;
  for (const ValueId id : inputs) {
    if (values[id].origin == Origin::Input) required.push_back(id);
  }
  return required;
}

std::vector<std::string> node_labels(const Graph& graph) {
  std::unordered_map<std::string_view, std::size_t> uses;
  for (const Node& node : graph.nodes) ++uses[node.name];
  std::vector<std::string> labels;
  labels.reserve(graph.nodes.size());
  for (const Node& node : graph.nodes) {
    const auto made = std::find_if(node.outputs.begin(), node.outputs.end(),
                                   [](ValueId output) { return output != kNoValue; });
    const bool is_told = !node.name.empty() && uses[node.name] == 1;
    labels.push_back(is_told || made == node.outputs.end() ? node.name : graph.values[*made].name);
  }
  return labels;
}

}  // namespace headroom
