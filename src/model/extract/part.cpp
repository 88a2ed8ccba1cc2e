// SPDX-License-Identifier: Apache-2.0
// Which nodes and values make up a part, and where it is cut from the rest of the graph.
#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/model/extract.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "model/extract/find.h"

namespace headroom {
namespace {

/// Sets of nodes and values by number.
using Marks = std::vector<bool>;

Marks marks_of(std::size_t count, std::span<const ValueId> ids) {
  Marks marks(count);
  for (const ValueId id : ids) marks[id] = true;
  return marks;
}

bool is_constant(const Node& node) {
  return node.op == "Constant" && node.domain.empty();
}

/// The chosen nodes and the Constant nodes that they read, in topological order.
std::vector<std::uint32_t> with_constants(const Graph& graph, const Marks& chosen,
                                          const Marks& is_cut) {
  Marks taken = chosen;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!chosen[i]) continue;
    for_each_read(graph.nodes[i], [&](ValueId id) {
      const Value& value = graph.values[id];
      if (value.origin == Origin::Node && !is_cut[id] && is_constant(graph.nodes[value.index]))
        taken[value.index] = true;
    });
  }
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t i = 0; i < taken.size(); ++i) {
    if (taken[i]) nodes.push_back(i);
  }
  return nodes;
}

/// Sorts what the nodes read into inputs and initializers, in the order of reading.
void add_reads(const Graph& graph, const Marks& is_cut, Part& part) {
  Marks is_inside(graph.nodes.size());
  for (const std::uint32_t node : part.nodes) is_inside[node] = true;
  Marks is_met(graph.values.size());
  for (const std::uint32_t node : part.nodes) {
    for_each_read(graph.nodes[node], [&](ValueId id) {
      if (is_met[id]) return;
      is_met[id] = true;
      const Value& value = graph.values[id];
      const bool is_made = value.origin == Origin::Node && is_inside[value.index];
      const bool is_stored =
          value.origin == Origin::Initializer || value.origin == Origin::SparseInitializer;
      if (is_cut[id] || (!is_made && !is_stored)) {
        part.inputs.push_back(id);
      } else if (is_stored) {
        part.initializers.push_back(id);
      }
    });
  }
}

/// The values that the chosen nodes make and `is_wanted`.
template <class Wanted>
std::vector<ValueId> made_by(const Graph& graph, const Marks& chosen, Wanted is_wanted) {
  std::vector<ValueId> ids;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!chosen[i]) continue;
    for (const ValueId id : graph.nodes[i].outputs) {
      if (id != kNoValue && is_wanted(id)) ids.push_back(id);
    }
  }
  return ids;
}

std::vector<ValueId> outputs_of(const Graph& graph, const Marks& chosen) {
  Marks is_used = marks_of(graph.values.size(), graph.outputs);
  Marks is_read(graph.values.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    for_each_read(graph.nodes[i], [&](ValueId id) { (chosen[i] ? is_read : is_used)[id] = true; });
  std::vector<ValueId> ids = made_by(graph, chosen, [&](ValueId id) { return is_used[id]; });
  if (ids.empty()) ids = made_by(graph, chosen, [&](ValueId id) { return !is_read[id]; });
  if (ids.empty())
    throw Error(ErrorKind::Usage, "the chosen nodes give nothing out; there is nothing to run");
  return ids;
}

[[noreturn]] void throw_not_made(const Graph& graph, ValueId id) {
  const bool is_input = graph.values[id].origin == Origin::Input;
  throw Error(ErrorKind::Usage, fmt::format("--to: '{}' is {} of the model; no node makes it",
                                            printable(graph.values[id].name),
                                            is_input ? "an input" : "an initializer"));
}

/// The nodes that `to` need, back to the cuts; cuts that are met are marked in `is_met`.
Marks needed_nodes(const Graph& graph, std::span<const ValueId> to, const Marks& is_cut,
                   Marks& is_met) {
  Marks needed(graph.nodes.size());
  std::vector<std::uint32_t> open;
  const auto need = [&](std::uint32_t node) {
    if (needed[node]) return;
    needed[node] = true;
    open.push_back(node);
  };
  for (const ValueId id : to) {
    if (graph.values[id].origin != Origin::Node) throw_not_made(graph, id);
    need(graph.values[id].index);
  }
  while (!open.empty()) {
    const std::uint32_t node = open.back();
    open.pop_back();
    for_each_read(graph.nodes[node], [&](ValueId id) {
      if (is_cut[id]) is_met[id] = true;
      if (!is_cut[id] && graph.values[id].origin == Origin::Node) need(graph.values[id].index);
    });
  }
  return needed;
}

void check_cut(const Graph& graph, ValueId id, const Marks& is_met, const Marks& needed) {
  const Value& value = graph.values[id];
  if (!is_met[id]) {
    throw Error(ErrorKind::Usage,
                fmt::format("--from: '{}' is not needed for what is given out; leave it out, or "
                            "choose other values for --to",
                            printable(value.name)));
  }
  if (value.origin == Origin::Node && needed[value.index]) {
    throw Error(ErrorKind::Usage,
                fmt::format("--from: '{}' cannot be an input, since the node that makes it ('{}') "
                            "makes another value that is needed; give that one to --from too",
                            printable(value.name), printable(node_labels(graph)[value.index])));
  }
}

/// The model's outputs that nodes make, each once.
std::vector<ValueId> made_outputs(const Graph& graph) {
  std::vector<ValueId> ids;
  for (const ValueId id : graph.outputs) {
    const bool is_new = std::find(ids.begin(), ids.end(), id) == ids.end();
    if (is_new && graph.values[id].origin == Origin::Node) ids.push_back(id);
  }
  if (ids.empty()) throw Error(ErrorKind::Usage, "no node makes an output of this model");
  return ids;
}

Part cut(const Graph& graph, const Marks& chosen, const Marks& is_cut,
         std::vector<ValueId> outputs) {
  Part part{.nodes = with_constants(graph, chosen, is_cut), .outputs = std::move(outputs)};
  add_reads(graph, is_cut, part);
  return part;
}

}  // namespace

Part part_of(const Graph& graph, std::span<const std::uint32_t> nodes) {
  if (nodes.empty()) throw Error(ErrorKind::Usage, "no node is chosen");
  const Marks chosen = marks_of(graph.nodes.size(), nodes);
  return cut(graph, chosen, Marks(graph.values.size()), outputs_of(graph, chosen));
}

Part part_between(const Graph& graph, std::span<const std::string> from,
                  std::span<const std::string> to) {
  const std::vector<ValueId> cuts = extract::values_named(graph, from, "--from");
  std::vector<ValueId> outputs =
      to.empty() ? made_outputs(graph) : extract::values_named(graph, to, "--to");
  const Marks is_cut = marks_of(graph.values.size(), cuts);
  Marks is_met(graph.values.size());
  const Marks needed = needed_nodes(graph, outputs, is_cut, is_met);
  for (const ValueId id : cuts) check_cut(graph, id, is_met, needed);
  return cut(graph, needed, is_cut, std::move(outputs));
}

}  // namespace headroom
