// SPDX-License-Identifier: Apache-2.0
#include "engine/onnxruntime/node_trace.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/file_regions.h"
#include "engine/trace.h"

namespace headroom::onnxruntime {
namespace {

constexpr std::string_view kBlockedLayout = "_nchwc";
constexpr std::string_view kToken = "_token_";

// Operators that the optimiser puts between others.
bool is_conversion(std::string_view op) {
  constexpr std::array<std::string_view, 8> kConversions = {
      "ReorderInput",   "ReorderOutput",    "Cast",         "Transpose",
      "QuantizeLinear", "DequantizeLinear", "MemcpyToHost", "MemcpyFromHost"};
  return std::find(kConversions.begin(), kConversions.end(), op) != kConversions.end();
}

// `N_token_9` is made of `N`.
std::string_view without_token(std::string_view name) {
  const std::size_t at = name.rfind(kToken);
  if (at == std::string_view::npos) return name;
  const std::string_view number = name.substr(at + kToken.size());
  const bool is_number = !number.empty() && number.find_first_not_of("0123456789") == number.npos;
  return is_number ? name.substr(0, at) : name;
}

std::string layout_of(const Node& node) {
  if (node.domain == "com.microsoft.nchwc") return node.op == "ReorderOutput" ? "" : "NCHWc";
  const bool is_channels_last =
      node.op.starts_with("Nhwc") || node.integer("channels_last", 0) != 0;
  return is_channels_last ? "NHWC" : "";
}

/// One graph of the file beside its optimised form; bodies have tracers of their own.
class Tracer {
 public:
  Tracer(const Graph& file, const Graph& optimized)
      : file_(file),
        optimized_(optimized),
        labels_(node_labels(file)),
        regions_(file),
        alias_(optimized.values.size(), kNoValue),
        readers_(optimized.values.size()),
        originals_(optimized.nodes.size()),
        is_executed_(file.nodes.size()) {
    for (ValueId id = 0; id < file.values.size(); ++id)
      value_ids_.emplace(file.values[id].name, id);
    for (std::size_t i = 0; i < file.nodes.size(); ++i) {
      if (!file.nodes[i].name.empty()) node_ids_.emplace(file.nodes[i].name, i);
    }
    for (std::size_t i = 0; i < optimized.nodes.size(); ++i)
      for_each_read(optimized.nodes[i], [&](ValueId id) { readers_[id].push_back(i); });
  }

  void trace(ExecutedGraph& traced) {
    name_values();
    for (std::size_t i = 0; i < optimized_.nodes.size(); ++i) trace_node(i);
    spread_to_untraced();
    drop_vanished_views();
    for (std::size_t i = 0; i < optimized_.nodes.size(); ++i) emit(i, traced);
    add_trace(file_, is_executed_, traced);
  }

 private:
  void meet(ValueId optimized, ValueId file) {
    alias_[optimized] = file;
    regions_.meet(file);
  }

  // Values that keep their names; and those before a conversion whose result keeps its name.
  void name_values() {
    for (ValueId id = 0; id < optimized_.values.size(); ++id) {
      const auto found = value_ids_.find(optimized_.values[id].name);
      if (found != value_ids_.end()) meet(id, found->second);
    }
    for (std::size_t i = optimized_.nodes.size(); i-- > 0;) {
      const Node& node = optimized_.nodes[i];
      if (!is_conversion(node.op) || node.inputs.empty() || node.outputs.empty()) continue;
      const ValueId before = node.inputs.front();
      const ValueId after = alias_[node.outputs.front()];
      if (before == kNoValue || alias_[before] != kNoValue || after == kNoValue) continue;
      if (optimized_.values[before].origin == Origin::Node && producer_op(after) != node.op)
        meet(before, after);
    }
  }

  std::string_view producer_op(ValueId id) const {
    const Value& value = file_.values[id];
    return value.origin == Origin::Node ? std::string_view(file_.nodes[value.index].op) : "";
  }

  void trace_node(std::size_t index) {
    const Node& node = optimized_.nodes[index];
    std::set<std::size_t>& originals = originals_[index];
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      const ValueId output = node.outputs[i];
      if (output == kNoValue) continue;
      if (alias_[output] == kNoValue && i == 0) name_output(node);
      if (alias_[output] == kNoValue) continue;
      if (passes_on(node, output)) continue;
      originals.merge(regions_.before(alias_[output], constants_of(node)).nodes);
    }
  }

  // A conversion that gives the value that it is given.
  bool passes_on(const Node& node, ValueId output) const {
    return is_conversion(node.op) && !node.inputs.empty() && node.inputs.front() != kNoValue &&
           alias_[node.inputs.front()] == alias_[output];
  }

  // The first output of a node whose name is new.
  void name_output(const Node& node) {
    const ValueId output = node.outputs.front();
    const std::optional<ValueId> named = named_by_rule(node);
    if (named) {
      meet(output, advanced(*named, node));
    } else if (is_conversion(node.op) && !node.inputs.empty() && node.inputs.front() != kNoValue &&
               alias_[node.inputs.front()] != kNoValue) {
      meet(output, alias_[node.inputs.front()]);
    }
  }

  std::optional<ValueId> named_by_rule(const Node& node) const {
    if (node.name.ends_with(kBlockedLayout)) {
      const std::string value = node.name.substr(0, node.name.size() - kBlockedLayout.size());
      const auto found = value_ids_.find(value);
      if (found != value_ids_.end()) return found->second;
    }
    for (const std::string_view name :
         {std::string_view(optimized_.values[node.outputs[0]].name), std::string_view(node.name)}) {
      const auto found = node_ids_.find(std::string(without_token(name)));
      if (found == node_ids_.end()) continue;
      const ValueId output = file_.nodes[found->second].outputs.front();
      if (output != kNoValue) return output;
    }
    return std::nullopt;
  }

  // A fused node may be named after the first of its originals. It reaches as far as its inputs,
  // its activation and the type of its output say, along values that only one node reads.
  ValueId advanced(ValueId first, const Node& node) const {
    ValueId value = first;
    while (!reaches(value, node)) {
      if (regions_.users(value).size() != 1) return first;
      const ValueId next = file_.nodes[regions_.users(value).front()].outputs.front();
      if (next == kNoValue || regions_.is_met(next)) return first;
      value = next;
    }
    return value;
  }

  bool reaches(ValueId value, const Node& node) const {
    const ElementType wanted = optimized_.values[node.outputs.front()].type.element;
    const ElementType found = file_.values[value].type.element;
    if (wanted != ElementType::Undefined && found != ElementType::Undefined && wanted != found)
      return false;
    const Region region = regions_.before(value, constants_of(node));
    const std::string_view activation = node.text("activation", "");
    const bool has_activation =
        activation.empty() ||
        std::any_of(region.nodes.begin(), region.nodes.end(),
                    [&](std::size_t i) { return file_.nodes[i].op == activation; });
    return has_activation &&
           std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId input) {
             const ValueId before = input == kNoValue ? kNoValue : alias_[input];
             return before == kNoValue || regions_.is_constant(before) ||
                    region.entries.contains(before);
           });
  }

  // Constants of the file that an executed node reads as they are.
  std::set<ValueId> constants_of(const Node& node) const {
    std::set<ValueId> constants;
    for (const ValueId input : node.inputs) {
      if (input == kNoValue || alias_[input] == kNoValue) continue;
      if (file_.values[alias_[input]].origin == Origin::Initializer)
        constants.insert(alias_[input]);
    }
    return constants;
  }

  // A node between traced ones whose values are all new (a Split for several Gather) does a part of
  // the work of those that read it.
  void spread_to_untraced() {
    for (std::size_t i = optimized_.nodes.size(); i-- > 0;) {
      const Node& node = optimized_.nodes[i];
      if (!originals_[i].empty() || is_conversion(node.op)) continue;
      for (const ValueId output : node.outputs) {
        if (output == kNoValue || alias_[output] != kNoValue) continue;
        for (const std::size_t reader : readers_[output])
          originals_[i].insert(originals_[reader].begin(), originals_[reader].end());
      }
    }
  }

  // Of the nodes behind one that is no fused operator, those have vanished that only hand on their
  // input, but for the one that makes the value itself; or they have been moved to the other side
  // of their neighbour.
  void drop_vanished_views() {
    for (std::size_t i = 0; i < optimized_.nodes.size(); ++i) {
      if (originals_[i].size() < 2 || !optimized_.nodes[i].domain.empty()) continue;
      const std::size_t last = *originals_[i].rbegin();
      std::erase_if(originals_[i], [&](std::size_t node) {
        if (node == last || !is_view(file_.nodes[node].op)) return false;
        move_to_neighbours(i, node);
        return true;
      });
    }
    for (const std::set<std::size_t>& originals : originals_)
      for (const std::size_t node : originals) is_executed_[node] = true;
  }

  void move_to_neighbours(std::size_t index, std::size_t view) {
    const auto offer = [&](std::size_t neighbour) {
      const std::string& op = optimized_.nodes[neighbour].op;
      if (originals_[neighbour].empty() && op == file_.nodes[view].op)
        originals_[neighbour].insert(view);
    };
    const Node& node = optimized_.nodes[index];
    for_each_read(node, [&](ValueId input) {
      const Value& value = optimized_.values[input];
      if (value.origin == Origin::Node) offer(value.index);
    });
    for (const ValueId output : node.outputs) {
      if (output == kNoValue) continue;
      for (const std::size_t reader : readers_[output]) offer(reader);
    }
  }

  void emit(std::size_t index, ExecutedGraph& traced) const {
    const Node& node = optimized_.nodes[index];
    const std::set<std::size_t>& originals = originals_[index];
    emit_bodies(node, originals, traced);
    ExecutedNode executed{.name = node.name, .op = node.op, .layout = layout_of(node)};
    executed.role = originals.size() > 1     ? NodeRole::Fused
                    : originals.size() == 1  ? NodeRole::Kept
                    : is_conversion(node.op) ? NodeRole::Inserted
                                             : NodeRole::Untraced;
    for (const std::size_t original : originals) executed.originals.push_back(labels_[original]);
    traced.nodes.push_back(std::move(executed));
  }

  void emit_bodies(const Node& node, const std::set<std::size_t>& originals,
                   ExecutedGraph& traced) const {
    static const Graph kNothing;
    const auto original = std::find_if(originals.begin(), originals.end(),
                                       [&](std::size_t i) { return file_.nodes[i].op == node.op; });
    for (const Attribute& attribute : node.attributes) {
      const auto* const after = std::get_if<std::vector<Graph>>(&attribute.value);
      if (after == nullptr) continue;
      const auto* const before =
          original == originals.end()
              ? nullptr
              : file_.nodes[*original].held<std::vector<Graph>>(attribute.name);
      for (std::size_t i = 0; i < after->size(); ++i) {
        const bool is_there = before != nullptr && i < before->size();
        Tracer(is_there ? (*before)[i] : kNothing, (*after)[i]).trace(traced);
      }
    }
  }

  const Graph& file_;
  const Graph& optimized_;
  std::vector<std::string> labels_;  // By the file's nodes.
  FileRegions regions_;
  std::vector<ValueId> alias_;                     // By optimised values: the same one of the file.
  std::vector<std::vector<std::size_t>> readers_;  // By optimised values.
  std::vector<std::set<std::size_t>> originals_;
  std::vector<bool> is_executed_;
  std::unordered_map<std::string, ValueId> value_ids_{};
  std::unordered_map<std::string, std::size_t> node_ids_{};
};

}  // namespace

ExecutedGraph trace_nodes(const Graph& file, const Graph& optimized) {
  ExecutedGraph traced;
  Tracer(file, optimized).trace(traced);
  return traced;
}

}  // namespace headroom::onnxruntime
