// SPDX-License-Identifier: Apache-2.0
#include "engine/openvino/node_trace.h"

#include <headroom/base/text.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/file_regions.h"
#include "engine/trace.h"

namespace headroom::openvino {
namespace {

std::string fact(const ov::Node& node, const std::string& key) {
  const ov::RTMap& facts = node.get_rt_info();
  const auto found = facts.find(key);
  return found == facts.end() ? std::string() : found->second.as<std::string>();
}

// `f32` as `float32`, `i64` as `int64`; others as the engine says them.
std::string our_precision(const std::string& precision) {
  if (precision == "bf16") return "bfloat16";
  if (precision.size() < 2 || precision.find_first_not_of("0123456789", 1) != std::string::npos)
    return precision;
  const std::string bits = precision.substr(1);
  if (precision[0] == 'f') return "float" + bits;
  if (precision[0] == 'i') return "int" + bits;
  return precision[0] == 'u' ? "uint" + bits : precision;
}

// The engine calls a node by its own name or by that of an output.
class Names {
 public:
  explicit Names(const Graph& file) {
    for (std::size_t i = 0; i < file.nodes.size(); ++i) {
      for (const ValueId output : file.nodes[i].outputs)
        if (output != kNoValue) nodes_.emplace(file.values[output].name, i);
    }
    for (std::size_t i = 0; i < file.nodes.size(); ++i)
      if (!file.nodes[i].name.empty()) nodes_.emplace(file.nodes[i].name, i);
  }

  // The file's nodes in the engine's list, which is separated by commas. Names that it generated
  // are left out.
  std::set<std::size_t> listed(std::string_view layers) const {
    std::set<std::size_t> nodes;
    for (const std::string& layer : split(layers, ','))
      if (const auto node = find(layer)) nodes.insert(*node);
    return nodes;
  }

  // Those of which a part is listed: `N/transpose_a`, `N/WithoutBiases`.
  std::set<std::size_t> listed_in_part(std::string_view layers) const {
    std::set<std::size_t> nodes;
    for (const std::string& layer : split(layers, ','))
      if (const auto node = find(layer.substr(0, layer.rfind('/')))) nodes.insert(*node);
    return nodes;
  }

 private:
  std::optional<std::size_t> find(const std::string& name) const {
    const auto found = nodes_.find(name);
    return found == nodes_.end() ? std::nullopt : std::optional(found->second);
  }

  std::unordered_map<std::string, std::size_t> nodes_{};
};

class Tracer {
 public:
  Tracer(const Graph& file, const ov::Model& runtime)
      : file_(file), labels_(node_labels(file)), names_(file), regions_(file) {
    for (ValueId id = 0; id < file.values.size(); ++id) {
      if (file.values[id].origin == Origin::Input) regions_.meet(id);
      if (file.values[id].origin == Origin::Initializer)
        constants_.emplace(file.values[id].name, id);
    }
    for (const auto& node : runtime.get_ordered_ops()) add(*node);
  }

  ExecutedGraph trace() {
    for (const Entry& entry : entries_) {
      if (const auto last = last_listed(entry)) meet_outputs(*last);
    }
    for (Entry& entry : entries_) find_originals(entry);
    spread_to_untraced();
    ExecutedGraph traced;
    std::vector<bool> is_executed(file_.nodes.size());
    for (Entry& entry : entries_) {
      for (const std::size_t original : entry.originals) is_executed[original] = true;
      traced.nodes.push_back(executed(entry));
    }
    add_trace(file_, is_executed, traced);
    return traced;
  }

 private:
  struct Entry {
    ExecutedNode node{};
    std::set<std::size_t> listed{};  // Of the file, as the engine lists them.
    std::set<std::size_t> listed_in_part{};
    std::set<std::size_t> originals{};  // With those between.
    std::set<ValueId> constants{};      // Of the file, read as they are.
    std::vector<std::size_t> readers{};
    bool is_generated = false;  // The engine lists names, of its own making.
  };

  // Inputs, outputs and what follows from constants alone are no nodes.
  void add(const ov::Node& node) {
    const std::string op = fact(node, "layerType");
    if (op == "Input" || op == "Output") return;
    const auto inputs = node.input_values();
    const bool is_constant =
        op == "Const" ||
        (!inputs.empty() && std::all_of(inputs.begin(), inputs.end(), [&](const auto& input) {
          return constant_nodes_.contains(input.get_node());
        }));
    if (is_constant) {
      constant_nodes_.insert(&node);
      return;
    }
    const std::string layers = fact(node, "originalLayersNames");
    Entry entry{.node = {.name = node.get_friendly_name(),
                         .op = op,
                         .provider = "CPU",
                         .implementation = fact(node, "primitiveType"),
                         .precision = our_precision(fact(node, "runtimePrecision")),
                         .layout = fact(node, "outputLayouts")},
                .listed = names_.listed(layers),
                .listed_in_part = names_.listed_in_part(layers),
                .is_generated = !layers.empty()};
    for (const auto& input : inputs) {
      const auto maker = places_.find(input.get_node());
      if (maker != places_.end()) entries_[maker->second].readers.push_back(entries_.size());
      const auto constant = constants_.find(input.get_node()->get_friendly_name());
      if (constant != constants_.end()) entry.constants.insert(constant->second);
    }
    places_.emplace(&node, entries_.size());
    entries_.push_back(std::move(entry));
  }

  // The file's nodes are in topological order, so the last one listed makes the entry's values.
  static std::optional<std::size_t> last_listed(const Entry& entry) {
    return entry.listed.empty() ? std::nullopt : std::optional(*entry.listed.rbegin());
  }

  void meet_outputs(std::size_t node) {
    for (const ValueId output : file_.nodes[node].outputs)
      if (output != kNoValue) regions_.meet(output);
  }

  // The engine's lists leave nodes out whose names got lost on the way. They stand between the last
  // one listed here and the values of other executed nodes. Views among them have vanished.
  void find_originals(Entry& entry) const {
    const auto last = last_listed(entry);
    if (!last) {
      entry.originals = entry.listed_in_part;
      return;
    }
    entry.originals = entry.listed;
    const bool is_compound = entry.node.op == "Subgraph";  // Compiled from what it spans.
    for (const ValueId output : file_.nodes[*last].outputs) {
      if (output == kNoValue) continue;
      for (const std::size_t node : regions_.before(output, entry.constants).nodes) {
        if (is_compound || !is_view(file_.nodes[node].op)) entry.originals.insert(node);
      }
    }
  }

  // One node of the file may be executed as several, of which the last bears its name.
  void spread_to_untraced() {
    for (std::size_t i = entries_.size(); i-- > 0;) {
      Entry& entry = entries_[i];
      if (!entry.originals.empty()) continue;
      std::set<std::size_t> originals;
      for (const std::size_t reader : entry.readers) {
        const auto& those = entries_[reader].originals;
        originals.insert(those.begin(), those.end());
      }
      entry.originals = std::move(originals);
    }
  }

  // What the engine lists no name for is its own insertion, whatever reads it.
  ExecutedNode executed(Entry& entry) const {
    ExecutedNode node = std::move(entry.node);
    if (!entry.is_generated) {
      node.role = NodeRole::Inserted;
      return node;
    }
    node.role = entry.originals.size() > 1    ? NodeRole::Fused
                : entry.originals.size() == 1 ? NodeRole::Kept
                                              : NodeRole::Untraced;
    for (const std::size_t original : entry.originals) node.originals.push_back(labels_[original]);
    return node;
  }

  const Graph& file_;
  std::vector<std::string> labels_;  // By the file's nodes.
  Names names_;
  FileRegions regions_;
  std::unordered_map<std::string, ValueId> constants_{};  // Initializers of the file.
  std::set<const ov::Node*> constant_nodes_{};
  std::unordered_map<const ov::Node*, std::size_t> places_{};
  std::vector<Entry> entries_{};
};

}  // namespace

ExecutedGraph trace_nodes(const Graph& file, const ov::Model& runtime) {
  return Tracer(file, runtime).trace();
}

void add_times(std::vector<ExecutedNode> timed, ExecutedGraph& traced) {
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < traced.nodes.size(); ++i) places.emplace(traced.nodes[i].name, i);
  for (ExecutedNode& node : timed) {
    const auto found = places.find(node.name);
    if (found == places.end()) {
      traced.nodes.push_back(std::move(node));
    } else {
      traced.nodes[found->second].runs = node.runs;
      traced.nodes[found->second].total = node.total;
    }
  }
  std::stable_sort(traced.nodes.begin(), traced.nodes.end(),
                   [](const ExecutedNode& a, const ExecutedNode& b) { return a.total > b.total; });
}

}  // namespace headroom::openvino
