// SPDX-License-Identifier: Apache-2.0
#include "engine/trace.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace headroom {
namespace {

bool is_constant(const Graph& graph, const std::vector<bool>& follows, ValueId id) {
  if (id == kNoValue) return true;
  const Value& value = graph.values[id];
  switch (value.origin) {
    case Origin::Initializer:
    case Origin::SparseInitializer:
      return !value.is_overridable;
    case Origin::Node:
      return follows[value.index];
    case Origin::Input:
    case Origin::OuterScope:
      break;
  }
  return false;
}

bool is_known(const Graph& graph, ValueId id) {
  const auto found = graph.known.find(id);
  if (found == graph.known.end() || found->second.elements.empty()) return false;
  const auto& elements = found->second.elements;
  return std::all_of(elements.begin(), elements.end(),
                     [](const auto& element) { return element.has_value(); });
}

std::vector<std::vector<std::size_t>> users_of_values(const Graph& graph) {
  std::vector<std::vector<std::size_t>> users(graph.values.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for_each_read(graph.nodes[i], [&](ValueId id) { users[id].push_back(i); });
  }
  return users;
}

void add_all(const Graph& graph, std::vector<std::string>& labels) {
  for (std::string& label : node_labels(graph)) labels.push_back(std::move(label));
  for (const Node& node : graph.nodes)
    for (const Graph* body : node.bodies()) add_all(*body, labels);
}

}  // namespace

Model load_for_trace(const std::filesystem::path& path) {
  Model file = load_model(path);
  inline_functions(file);
  infer_shapes(file, {});
  constexpr std::int64_t kFreeInitializers = 4;
  if (file.ir_version < kFreeInitializers)
    for (Value& value : file.graph.values) value.is_overridable = false;
  return file;
}

std::vector<bool> nodes_of_constants(const Graph& graph) {
  constexpr std::array<std::string_view, 6> kRandom = {"RandomNormal",  "RandomNormalLike",
                                                       "RandomUniform", "RandomUniformLike",
                                                       "Bernoulli",     "Multinomial"};
  std::vector<bool> follows(graph.nodes.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    follows[i] = std::find(kRandom.begin(), kRandom.end(), node.op) == kRandom.end() &&
                 node.bodies().empty() &&
                 std::all_of(node.inputs.begin(), node.inputs.end(),
                             [&](ValueId id) { return is_constant(graph, follows, id); });
  }
  return follows;
}

bool is_view(std::string_view op) {
  constexpr std::array<std::string_view, 8> kViews = {
      "Cast", "Dropout", "Flatten", "Identity", "Reshape", "Squeeze", "Transpose", "Unsqueeze"};
  return std::find(kViews.begin(), kViews.end(), op) != kViews.end();
}

void add_trace(const Graph& file, const std::vector<bool>& is_executed, ExecutedGraph& traced) {
  const std::vector<bool> follows = nodes_of_constants(file);
  const auto users = users_of_values(file);
  std::vector<bool> is_given_out(file.values.size());
  for (const ValueId id : file.outputs) is_given_out[id] = true;
  std::vector<bool> is_folded(file.nodes.size());
  for (std::size_t i = file.nodes.size(); i-- > 0;) {
    if (is_executed[i]) continue;
    const auto& outputs = file.nodes[i].outputs;
    // Known, or needed by folded nodes alone, and by one at least.
    is_folded[i] = follows[i] || std::any_of(outputs.begin(), outputs.end(), [&](ValueId id) {
                     if (id == kNoValue) return false;
                     if (is_known(file, id)) return true;
                     return !is_given_out[id] && !users[id].empty() &&
                            std::all_of(users[id].begin(), users[id].end(),
                                        [&](std::size_t user) { return is_folded[user]; });
                   });
  }
  std::vector<std::string> labels = node_labels(file);
  const std::size_t absent_before = traced.folded.size() + traced.removed.size();
  for (std::size_t i = 0; i < file.nodes.size(); ++i) {
    if (is_executed[i]) {
      ++traced.file_nodes;
      continue;
    }
    std::vector<std::string>& absent = is_folded[i] ? traced.folded : traced.removed;
    absent.push_back(std::move(labels[i]));
    for (const Graph* body : file.nodes[i].bodies()) add_all(*body, absent);
  }
  traced.file_nodes += traced.folded.size() + traced.removed.size() - absent_before;
}

}  // namespace headroom
