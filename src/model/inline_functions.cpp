// SPDX-License-Identifier: Apache-2.0
// Calls of model-local functions → their bodies, from the outside in, as the ONNX specification
// binds attributes.
#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/model/model.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "model/function_body.h"

namespace headroom {
namespace {

using wire::Place;

/// Estimated memory of all copies together: functions that call functions grow exponentially, and a
/// small file must not take the machine's memory. Source: ours; the largest exported models with
/// functions have some 10,000 nodes, which is below 10 MB.
constexpr std::uint64_t kMostCopied = std::uint64_t{256} << 20;
/// What a call costs although its function is empty.
constexpr std::uint64_t kCallWeight = 256;

/// Hands out names that no value of one graph has yet.
class Names {
 public:
  explicit Names(const Graph& graph) {
    for (const Value& value : graph.values) used_.try_emplace(value.name, 1);
  }

  std::string unique(std::string wanted) {
    while (true) {
      const auto [entry, is_new] = used_.try_emplace(wanted, 1);
      if (is_new) return wanted;
      std::string next = fmt::format("{}_{}", wanted, ++entry->second);
      if (used_.try_emplace(next, 1).second) return next;
    }
  }

 private:
  std::unordered_map<std::string, std::uint32_t> used_;  ///< With the last suffix given out.
};

/// A graph while its calls are replaced.
struct Caller {
  Graph& graph;
  std::size_t depth;  ///< Subgraphs around it.
  std::optional<Names> names{};
};

class Inliner {
 public:
  explicit Inliner(Model& model)
      : model_(model), input_{printable(model.path.string()), nullptr}, root_{&input_} {
    for (const OpsetImport& import : model.opsets) {
      versions_.insert_or_assign(import.domain, import.version);
    }
    for (const Function& function : model.functions) {
      by_id_.try_emplace({function.domain, function.name, function.overload},
                         Entry{&function, weight_of(function.body)});
    }
  }

  void expand(Graph& graph, std::size_t depth) {
    if (depth > wire::kDeepest) {
      wire::fail(root_,
                 fmt::format("subgraphs are nested deeper than {} levels once the functions are "
                             "inlined",
                             wire::kDeepest));
    }
    Caller caller{graph, depth};
    std::vector<Node> nodes = std::exchange(graph.nodes, {});
    graph.nodes.reserve(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) emit(caller, std::move(nodes[i]), i);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      for (const ValueId id : graph.nodes[i].outputs) {
        if (id != kNoValue) graph.values[id].index = static_cast<std::uint32_t>(i);
      }
    }
  }

 private:
  struct Entry {
    const Function* function;
    std::uint64_t weight;
  };
  using Id = std::tuple<std::string_view, std::string_view, std::string_view>;

  void emit(Caller& caller, Node node, std::size_t index) {
    const auto found = by_id_.find({node.domain, node.op, node.overload});
    if (found != by_id_.end()) {
      replace_call(caller, node, index, found->second);
      return;
    }
    for (Attribute& attribute : node.attributes) {
      if (auto* bodies = std::get_if<std::vector<Graph>>(&attribute.value)) {
        for (Graph& body : *bodies) expand(body, caller.depth + 1);
      }
    }
    caller.graph.nodes.push_back(std::move(node));
  }

  void check_call(const Place& place, const Node& call, const Function& function) const {
    const auto is_it = [&](const Function* active) { return active == &function; };
    if (std::any_of(active_.begin(), active_.end(), is_it)) {
      wire::fail(place, fmt::format("function '{}' calls itself{}", wire::shown(function.name),
                                    active_.back() == &function ? "" : " through others"));
    }
    if (active_.size() >= wire::kDeepest) {
      wire::fail(place,
                 fmt::format("functions call each other deeper than {} levels", wire::kDeepest));
    }
    const Graph& body = function.body;
    if (call.inputs.size() > body.inputs.size() || call.outputs.size() > body.outputs.size()) {
      wire::fail(place,
                 fmt::format("the call has {} inputs and {} outputs, function '{}' has {} and {}",
                             call.inputs.size(), call.outputs.size(), wire::shown(function.name),
                             body.inputs.size(), body.outputs.size()));
    }
  }

  void spend(const Place& place, std::uint64_t weight) {
    copied_ += weight;
    if (copied_ <= kMostCopied) return;
    throw Error(
        ErrorKind::Limit,
        fmt::format("'{}': {}: the functions expand to more than {}; inline them when the model "
                    "is exported",
                    input_.file, wire::to_string(place), format_bytes(Bytes{kMostCopied})));
  }

  void replace_call(Caller& caller, const Node& call, std::size_t index, const Entry& entry) {
    const Place place = root_.inside("node", call.name, index, call.op);
    const Function& function = *entry.function;
    check_call(place, call, function);
    const std::string label = call.name.empty() ? fmt::format("{}_{}", call.op, index) : call.name;
    const std::size_t copies = function.body.nodes.size() + function.body.values.size();
    spend(place, kCallWeight + entry.weight + copies * label.size());
    note_opsets(function);
    if (!caller.names) caller.names.emplace(caller.graph);
    active_.push_back(&function);
    copy_body(caller, place, call, label, function);
    active_.pop_back();
  }

  void copy_body(Caller& caller, const Place& place, const Node& call, const std::string& label,
                 const Function& function) {
    const Graph& body = function.body;
    std::vector<ValueId> moved(body.values.size(), kNoValue);
    for (std::size_t i = 0; i < call.inputs.size(); ++i) moved[body.inputs[i]] = call.inputs[i];
    const std::vector<Node> identities = map_outputs(caller, place, call, label, body, moved);
    for (std::size_t id = 0; id < body.values.size(); ++id) {
      if (moved[id] == kNoValue && body.values[id].origin == Origin::Node) {
        moved[id] = add_value(caller, label, body.values[id]);
      }
    }
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
      Node node = body.nodes[i];
      for (ValueId& id : node.inputs) id = id == kNoValue ? id : moved[id];
      for (ValueId& id : node.outputs) id = id == kNoValue ? id : moved[id];
      renumber_outer_values(place, node, moved);
      spend(place, bind_attributes(place, node, call, function));
      node.name = fmt::format("{}/{}", label,
                              node.name.empty() ? fmt::format("{}_{}", node.op, i) : node.name);
      emit(caller, std::move(node), i);
    }
    for (const Node& identity : identities) caller.graph.nodes.push_back(identity);
  }

  /// Makes the values that the function gives out those of the caller. Where that is not possible,
  /// a parameter given out as it is or a value given out twice, an Identity node is needed.
  std::vector<Node> map_outputs(Caller& caller, const Place& place, const Node& call,
                                const std::string& label, const Graph& body,
                                std::vector<ValueId>& moved) {
    std::vector<Node> identities;
    for (std::size_t i = 0; i < call.outputs.size(); ++i) {
      const ValueId inner = body.outputs[i];
      const ValueId outer = call.outputs[i];
      if (outer == kNoValue) continue;
      const Value& value = body.values[inner];
      if (value.origin == Origin::Node && moved[inner] == kNoValue) {
        moved[inner] = outer;
        ValueType& type = caller.graph.values[outer].type;
        if (type.kind == TypeKind::Unknown) type = value.type;
        continue;
      }
      if (moved[inner] == kNoValue) {
        wire::fail(place, fmt::format("the function gives out its parameter '{}', which the call "
                                      "leaves out",
                                      wire::shown(value.name)));
      }
      Node& identity = identities.emplace_back();
      identity.name = fmt::format("{}/{}", label, value.name);
      identity.op = "Identity";
      identity.inputs = {moved[inner]};
      identity.outputs = {outer};
    }
    return identities;
  }

  static ValueId add_value(Caller& caller, const std::string& label, const Value& inner) {
    const auto id = static_cast<ValueId>(caller.graph.values.size());
    Value& value = caller.graph.values.emplace_back();
    value.name = caller.names->unique(fmt::format("{}/{}", label, inner.name));
    value.type = inner.type;
    return id;
  }

  /// A function has its own opset imports; inlined, its nodes are read under the model's.
  void note_opsets(const Function& function) {
    if (!noted_.insert(&function).second) return;
    for (const OpsetImport& import : function.opsets) {
      const auto [known, is_new] = versions_.try_emplace(import.domain, import.version);
      if (is_new) {
        model_.opsets.push_back(import);
      } else if (known->second != import.version) {
        model_.diagnostics.push_back(
            {Severity::Warning, "function_opset_differs",
             wire::to_string(root_.inside("function", function.name)),
             fmt::format(
                 "it is written for version {} of the operators of '{}', the model for {}; the "
                 "model's is used",
                 import.version, import.domain.empty() ? "ai.onnx" : wire::shown(import.domain),
                 known->second)});
      }
    }
  }

  Model& model_;
  wire::Input input_;
  Place root_;
  std::map<Id, Entry> by_id_;
  std::vector<const Function*>
      active_;  ///< The calls that are being replaced, from the outside in.
  std::map<std::string, std::int64_t> versions_;  ///< The model's imports, by domain.
  std::set<const Function*> noted_;
  std::uint64_t copied_ = 0;
};

}  // namespace

void inline_functions(Model& model) {
  if (model.functions.empty()) return;
  Inliner(model).expand(model.graph, 0);
  model.functions.clear();
}

}  // namespace headroom
