// SPDX-License-Identifier: Apache-2.0
// Trip counts of Loop and Scan.
#include "cost/bodies.h"

#include <algorithm>

namespace headroom::cost {
namespace {

ValueId at(const std::vector<ValueId>& ids, std::size_t index) {
  return index < ids.size() ? ids[index] : kNoValue;
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

// Inputs M, cond, states...
std::optional<Amount> loop_trips(NodeView& view, const Scope& scope, const Scope& body) {
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

std::optional<bool> known_condition(const Scope& scope, const Node& node) {
  const ValueId id = at(node.inputs, 0);
  if (id == kNoValue) return std::nullopt;
  const std::optional<std::int64_t> known = known_scalar(scope, id);
  return known ? std::optional(*known != 0) : std::nullopt;
}

std::optional<Amount> trip_count(NodeView& view, const Scope& scope, const Scope& body) {
  if (view.node().op == "Loop") return loop_trips(view, scope, body);
  if (view.node().op == "Scan") return scan_trips(view);
  view.note("how often its body runs is not known");
  return std::nullopt;
}

}  // namespace headroom::cost
