// SPDX-License-Identifier: Apache-2.0
// Names, as people write them, to nodes and values of the outermost graph.
#include "model/extract/find.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/model/extract.h>

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace headroom {
namespace {

/// The first value that the node gives out; kNoValue if it gives out none.
ValueId first_output(const Node& node) {
  const auto found = std::find_if(node.outputs.begin(), node.outputs.end(),
                                  [](ValueId id) { return id != kNoValue; });
  return found == node.outputs.end() ? kNoValue : *found;
}

/// How inspect shows a node without a name.
bool is_shown_as(const Graph& graph, const Node& node, std::string_view name) {
  const ValueId id = first_output(node);
  return node.name.empty() && id != kNoValue && name.ends_with(graph.values[id].name) &&
         name == fmt::format("{} of {}", node.op, graph.values[id].name);
}

struct Found {
  std::vector<std::uint32_t> named{};    ///< Nodes of this name.
  std::optional<std::uint32_t> maker{};  ///< The node that makes the value of this name.
};

Found search(const Graph& graph, std::string_view name) {
  Found found;
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (!node.name.empty() && node.name == name) found.named.push_back(i);
    if (is_shown_as(graph, node, name)) found.named.push_back(i);
    for (const ValueId id : node.outputs) {
      if (id != kNoValue && graph.values[id].name == name) found.maker = i;
    }
  }
  return found;
}

bool is_known(const Found& found) {
  return !found.named.empty() || found.maker.has_value();
}

/// `a/b/c` names, as inspect prints them, a node inside of `a` or `a/b`.
std::string holder_hint(const Model& model, const std::string& name) {
  for (std::size_t slash = name.rfind('/'); slash != std::string::npos && slash > 0;
       slash = name.rfind('/', slash - 1)) {
    const std::string outer = name.substr(0, slash);
    const Found found = search(model.graph, outer);
    if (found.named.size() != 1) continue;
    const Node& node = model.graph.nodes[found.named.front()];
    const bool is_call =
        std::any_of(model.functions.begin(), model.functions.end(), [&](const Function& function) {
          return function.name == node.op && function.domain == node.domain &&
                 function.overload == node.overload;
        });
    if (!is_call && node.bodies().empty()) continue;
    return fmt::format("; it may lie {} '{}', which can be taken as a whole: --node {}",
                       is_call ? "in the function that is called by" : "in a body of",
                       printable(outer), shell_quote(outer));
  }
  return {};
}

[[noreturn]] void throw_unknown_node(const Model& model, const std::string& name) {
  std::string hint = holder_hint(model, name);
  if (hint.empty()) {
    std::vector<std::string> names;
    for (const Node& node : model.graph.nodes) {
      if (!node.name.empty()) names.push_back(node.name);
      const ValueId id = first_output(node);
      if (id != kNoValue) names.push_back(model.graph.values[id].name);
    }
    const std::string near = nearest_name(name, names);
    hint = near.empty() ? "; `headroom inspect --nodes` lists them"
                        : fmt::format("; did you mean '{}'?", printable(near));
  }
  throw Error(ErrorKind::Usage, fmt::format("the model has no node '{}'{}", printable(name), hint));
}

std::uint32_t node_named(const Model& model, const std::string& name) {
  const Found found = search(model.graph, name);
  if (found.named.size() > 1) {
    const ValueId id = first_output(model.graph.nodes[found.named.front()]);
    throw Error(ErrorKind::Usage,
                fmt::format("{} nodes have the name '{}'; address one by the name of its first "
                            "output value, such as '{}'",
                            found.named.size(), printable(name),
                            id == kNoValue ? "" : printable(model.graph.values[id].name)));
  }
  if (!is_known(found)) throw_unknown_node(model, name);
  return found.named.empty() ? *found.maker : found.named.front();
}

}  // namespace

std::vector<std::uint32_t> nodes_named(const Model& model, std::span<const std::string> texts) {
  std::vector<std::uint32_t> nodes;
  for (const std::string& text : texts) {
    const bool is_one = is_known(search(model.graph, text));
    for (const std::string& name : is_one ? std::vector{text} : split(text, ','))
      nodes.push_back(node_named(model, name));
  }
  return nodes;
}

namespace extract {
namespace {

[[noreturn]] void throw_unknown_value(const Graph& graph, std::string_view option,
                                      const std::string& name, std::span<const std::string> known) {
  constexpr std::size_t kMostNamed = 8;
  const std::string near = nearest_name(name, known);
  std::string hint = fmt::format("; did you mean '{}'?", printable(near));
  if (near.empty()) {
    std::vector<std::string> outputs;
    for (const ValueId id : graph.outputs) {
      if (outputs.size() < kMostNamed) outputs.push_back(printable(graph.values[id].name));
    }
    hint = fmt::format("; values are what nodes read and make, up to the model's outputs ({})",
                       join(outputs, ", "));
  }
  throw Error(ErrorKind::Usage,
              fmt::format("{}: the model has no value '{}'{}", option, printable(name), hint));
}

}  // namespace

std::vector<ValueId> values_named(const Graph& graph, std::span<const std::string> texts,
                                  std::string_view option) {
  std::vector<std::string> known;
  known.reserve(graph.values.size());
  for (const Value& value : graph.values) known.push_back(value.name);
  const auto find = [&](std::string_view name) {
    return static_cast<ValueId>(std::find(known.begin(), known.end(), name) - known.begin());
  };
  std::vector<ValueId> ids;
  for (const std::string& text : texts) {
    const bool is_one = find(text) < known.size();
    for (const std::string& name : is_one ? std::vector{text} : split(text, ',')) {
      const ValueId id = find(name);
      if (id == known.size()) {
        throw_unknown_value(graph, option, name, known);
      }
      if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
    }
  }
  return ids;
}

}  // namespace extract
}  // namespace headroom
