// SPDX-License-Identifier: Apache-2.0
// Trip counts of Loop and Scan.
#include "cost/bodies.h"

#include <headroom/base/text.h>

#include <algorithm>

#include <fmt/format.h>

namespace headroom::cost {
namespace {

ValueId at(const std::vector<ValueId>& ids, std::size_t index) {
  return index < ids.size() ? ids[index] : kNoValue;
}

// As the place of a diagnostic names a node.
std::string place_of(const Graph& graph, const Node& node) {
  if (!node.name.empty())
    return fmt::format("node '{}' ({})", printable(node.name), printable(node.op));
  for (const ValueId id : node.outputs) {
    if (id != kNoValue) {
      return fmt::format("{} node with output '{}'", printable(node.op),
                         printable(graph.values[id].name));
    }
  }
  return {};
}

bool holds_contradiction(const Scope& scope, const Graph& body) {
  const Scope* outermost = &scope;
  while (outermost->parent != nullptr) outermost = outermost->parent;
  const std::set<std::string>& places = outermost->contradictions;
  return !places.empty() &&
         std::any_of(body.nodes.begin(), body.nodes.end(),
                     [&](const Node& node) { return places.contains(place_of(body, node)); });
}

// Whether the body gives back the condition it gets (through Identity), or one that is always true.
bool keeps_running(const Scope& scope) {
  const Graph& body = scope.graph;
  if (body.outputs.empty() || body.inputs.size() < 2) return false;
  ValueId id = body.outputs[0];
  for (;;) {
    if (id == body.inputs[1]) return true;
    if (const std::optional<std::int64_t> known = known_scalar(scope, id)) return *known != 0;
    const Value& value = body.values[id];
    if (value.origin != Origin::Node) return false;
    const Node& node = body.nodes[value.index];
    if (node.op != "Identity" || node.inputs.size() != 1 || node.inputs[0] == kNoValue)
      return false;
    id = node.inputs[0];
  }
}

// Outputs behind the states stack what each iteration gives, so that their length is the trip
// count, wherever it is known from (a run, for one).
std::optional<Amount> stacked_iterations(const NodeView& view, const Scope& scope) {
  const std::size_t states = view.input_count() > 2 ? view.input_count() - 2 : 0;
  for (std::size_t i = states; i < view.output_count(); ++i) {
    const ValueId id = view.node().outputs[i];
    if (id == kNoValue) continue;
    const ValueType& type = scope.graph.values[id].type;
    if (type.kind != TypeKind::Tensor || !type.shape || type.shape->empty()) continue;
    const std::optional<std::int64_t> length = type.shape->front().size;
    if (length && *length >= 0) return static_cast<std::uint64_t>(*length);
  }
  return std::nullopt;
}

// Inputs M, cond, states...
std::optional<Amount> loop_trips(NodeView& view, const Scope& scope, const Scope& body) {
  if (const std::optional<Amount> stacked = stacked_iterations(view, scope)) return stacked;
  const ValueId limit = at(view.node().inputs, 0);
  const ValueId condition = at(view.node().inputs, 1);
  if (condition != kNoValue) {
    const std::optional<std::int64_t> start = known_scalar(scope, condition);
    if (start && *start == 0) return Amount(0);
    if (!start) {
      view.note("whether the loop starts depends on data");
      return std::nullopt;
    }
  }
  const std::optional<std::int64_t> trips =
      limit == kNoValue ? std::nullopt : known_scalar(scope, limit);
  if (trips && (*trips <= 0 || keeps_running(body)))
    return static_cast<std::uint64_t>(std::max<std::int64_t>(*trips, 0));
  view.note(trips ? "each iteration decides whether another follows"
                  : "the trip count of the loop is not known");
  return std::nullopt;
}

// The last num_scan_inputs inputs are cut along an axis, 0 by default. Opset 8 has the batch before
// that axis and runs the body for each batch by itself.
std::optional<Amount> scan_trips(NodeView& view) {
  const std::int64_t cut = view.integer("num_scan_inputs", 0);
  const auto inputs = static_cast<std::int64_t>(view.input_count());
  if (cut < 1 || cut > inputs) {
    view.note("num_scan_inputs does not fit the inputs");
    return std::nullopt;
  }
  const Operand first = view.input(static_cast<std::size_t>(inputs - cut));
  const bool has_batch = view.opset() == 8;
  const Amount trips =
      has_batch ? first.dim(0) * first.dim(1) : first.dim(view.entry("scan_input_axes", 0, 0));
  return view.has_reason() ? std::nullopt : std::optional(trips);
}

}  // namespace

std::vector<Body> bodies_of(const Node& node) {
  std::vector<Body> bodies;
  for (const Attribute& attribute : node.attributes) {
    if (const auto* graphs = std::get_if<std::vector<Graph>>(&attribute.value))
      for (const Graph& graph : *graphs) bodies.push_back({&graph, attribute.name});
  }
  return bodies;
}

std::vector<Body> possible_bodies(const Scope& scope, const Node& node) {
  std::vector<Body> bodies = bodies_of(node);
  if (node.op != "If" || bodies.size() != 2) return bodies;
  const ValueId id = at(node.inputs, 0);
  const std::optional<std::int64_t> condition =
      id == kNoValue ? std::nullopt : known_scalar(scope, id);
  if (condition) {
    std::erase_if(bodies, [&](const Body& body) {
      return body.name != (*condition != 0 ? "then_branch" : "else_branch");
    });
    return bodies;
  }
  const bool first_runs = !holds_contradiction(scope, *bodies[0].graph);
  const bool second_runs = !holds_contradiction(scope, *bodies[1].graph);
  if (first_runs != second_runs) bodies.erase(bodies.begin() + (first_runs ? 1 : 0));
  return bodies;
}

std::optional<Amount> trip_count(NodeView& view, const Scope& scope, const Scope& body) {
  if (view.node().op == "Loop") return loop_trips(view, scope, body);
  if (view.node().op == "Scan") return scan_trips(view);
  if (view.node().op == "FlexAttention") return Amount(1);
  view.note(view.node().op == "SequenceMap" ? "the length of the sequence is not known"
                                            : "how often its body runs is not known");
  return std::nullopt;
}

}  // namespace headroom::cost
