// SPDX-License-Identifier: Apache-2.0
// If, Loop, Scan, SequenceMap: operators with bodies.
#include "model/infer/control_flow.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "model/infer/generic.h"
#include "model/infer/rules.h"
#include "model/infer/type_merge.h"
#include "model/infer/walk.h"

namespace headroom::infer {

bool infer_body(NodeInference& node, Scope& scope, std::span<const ValueType> inputs,
                std::optional<std::size_t> true_input, Strictness strictness) {
  Graph& body = scope.graph;
  if (body.inputs.size() != inputs.size()) {
    node.fail(
        fmt::format("its body has {} inputs and is given {}", body.inputs.size(), inputs.size()));
  }
  node.walk().start_graph(scope);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Value& value = body.values[body.inputs[i]];
    value.type = inputs[i].kind == TypeKind::Unknown ? node.walk().declared(value.type, value.name)
                                                     : inputs[i];
  }
  if (true_input)
    body.known.insert_or_assign(body.inputs[*true_input], KnownElements{.elements = {1}});
  return node.walk().infer_graph(scope, strictness);
}

namespace {

Graph& required_body(NodeInference& node, std::string_view attribute) {
  Graph* body = node.body(attribute);
  if (!body) node.fail(fmt::format("the graph attribute '{}' is missing", attribute));
  return *body;
}

std::vector<ValueType> output_types(const Graph& body) {
  std::vector<ValueType> types;
  for (const ValueId id : body.outputs) types.push_back(body.values[id].type);
  return types;
}

void check_outputs(const NodeInference& node, const Graph& body, std::size_t least) {
  if (body.outputs.size() < least)
    node.fail(fmt::format("its body has {} outputs, {} are needed", body.outputs.size(), least));
}

// Types and elements of the branch that certainly runs.
void take_branch(NodeInference& node, Graph& body) {
  Scope scope{body, &node.scope()};
  for (std::size_t i = 0; i < node.output_count(); ++i) {
    node.set(i, ValueType(body.values[body.outputs[i]].type));
    if (!node.walk().is_known(scope, body.outputs[i])) continue;
    const KnownElements* known = node.walk().known(scope, body.outputs[i]);
    if (known) node.set_known(i, KnownElements(*known));
  }
}

// A branch that may not run is inferred too, but what contradicts in it is only a finding. If one
// of two cannot run to its end, a run that succeeds takes the other.
void infer_if(NodeInference& node) {
  const Integer condition = node.integer(0);
  Graph& then_body = required_body(node, "then_branch");
  Graph& else_body = required_body(node, "else_branch");
  const auto infer_branch = [&](Graph& body, bool is_taken) {
    check_outputs(node, body, node.output_count());
    Scope scope{body, &node.scope()};
    return infer_body(node, scope, {}, std::nullopt,
                      is_taken ? node.walk().strictness() : Strictness::Lenient);
  };
  const bool then_runs = infer_branch(then_body, condition && *condition != 0);
  const bool else_runs = infer_branch(else_body, condition == 0);
  const bool is_stuck =
      condition ? !(*condition != 0 ? then_runs : else_runs) : !then_runs && !else_runs;
  if (is_stuck) node.fail("the branch that it takes cannot run to its end");
  if (!condition && then_runs != else_runs)
    return take_branch(node, then_runs ? then_body : else_body);
  if (condition) return take_branch(node, *condition != 0 ? then_body : else_body);
  const auto then_types = output_types(then_body);
  const auto else_types = output_types(else_body);
  for (std::size_t i = 0; i < node.output_count(); ++i)
    node.set(i, merged(node, i, then_types[i], else_types[i]));
}

/// A body with state that is carried from round to round.
struct Rounds {
  std::vector<ValueType> fixed_inputs{};  ///< Before the states (Loop) or behind them (Scan).
  bool states_come_last = true;
  std::size_t skipped_outputs = 0;  ///< Outputs before the states.
  std::optional<std::size_t> true_input{};
  Strictness strictness = Strictness::Lenient;

  std::vector<ValueType> inputs(const std::vector<ValueType>& states) const {
    std::vector<ValueType> all = states_come_last ? fixed_inputs : states;
    const auto& rest = states_come_last ? states : fixed_inputs;
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
  }
};

/// Trials until the states no longer change: each dimension opens at most once, but values that
/// depend on one another may open in turn.
constexpr int kMaxTrials = 4;
/// Bodies nested deeper than this are inferred once, with states of which only the element type is
/// trusted, since trials multiply with the depth.
constexpr std::size_t kMaxTrialDepth = 3;

ValueType without_shape(ValueType type) {
  type.shape.reset();
  for (ValueType& inner : type.inner) inner = without_shape(std::move(inner));
  return type;
}

// One trial on a copy of the body: the states merged with what a round makes of them.
std::vector<ValueType> after_round(NodeInference& node, const Graph& body, const Rounds& rounds,
                                   const std::vector<ValueType>& states) {
  Graph copy = body;
  Scope scope{copy, &node.scope()};
  infer_body(node, scope, rounds.inputs(states), rounds.true_input, rounds.strictness);
  const auto outputs = output_types(copy);
  std::vector<ValueType> result;
  for (std::size_t i = 0; i < states.size(); ++i)
    result.push_back(merged(node, i, states[i], outputs[rounds.skipped_outputs + i]));
  return result;
}

// Types of the states that hold before every round and after the last.
std::vector<ValueType> settled(NodeInference& node, const Graph& body, const Rounds& rounds,
                               std::vector<ValueType> states) {
  const bool was_trial = node.walk().is_trial();
  const bool tries = node.walk().depth() <= kMaxTrialDepth;
  node.walk().set_trial(true);
  bool is_settled = states.empty();
  for (int i = 0; tries && !is_settled && i < kMaxTrials; ++i) {
    auto next = after_round(node, body, rounds, states);
    is_settled = std::equal(states.begin(), states.end(), next.begin(), next.end(), is_equal);
    states = std::move(next);
  }
  node.walk().set_trial(was_trial);
  if (!is_settled)
    for (ValueType& state : states) state = without_shape(std::move(state));
  return states;
}

// The types of one round's outputs, stacked along a new dimension `axis` of size `count`.
void set_stacked(NodeInference& node, std::size_t output, const ValueType& type, std::int64_t axis,
                 const Dim& count) {
  if (!type.shape) return node.set_element(output, type.element);
  Shape shape = *type.shape;
  const std::size_t position = node.axis(axis, shape.size() + 1);
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(position), count);
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (i != position && depends_on_data(shape[i])) shape[i] = node.unknown(output, i);
  node.set(output, type.element, std::move(shape));
}

/// How often a Loop's body runs.
struct Trips {
  Dim count{};          ///< If the body never ends the loop.
  bool starts = false;  ///< The first round certainly runs.
};

Trips read_trips(NodeInference& node) {
  Trips trips;
  const Integer condition = node.has_input(1) ? node.integer(1) : Integer{1};
  const KnownElements* limit = node.known_integers(0);
  if (limit && limit->elements.size() == 1) trips.count = element_at(*limit, 0);
  if (trips.count.size && *trips.count.size < 0) trips.count = fixed(0);
  if (condition == 0) trips.count = fixed(0);
  const bool has_room = node.has_input(0) ? trips.count.size && *trips.count.size > 0 : true;
  trips.starts = condition && *condition != 0 && has_room;
  if (!condition) trips.count = Dim{};
  return trips;
}

void infer_loop(NodeInference& node) {
  Graph& body = required_body(node, "body");
  if (node.input_count() < 2) node.fail("a Loop has a trip count and a condition, both optional");
  const std::size_t states = node.input_count() - 2;
  check_outputs(node, body, 1 + std::max(states, node.output_count()));
  const Trips trips = read_trips(node);
  Rounds rounds;
  rounds.fixed_inputs = {
      ValueType{.kind = TypeKind::Tensor, .element = ElementType::Int64, .shape = Shape{}},
      ValueType{.kind = TypeKind::Tensor, .element = ElementType::Bool, .shape = Shape{}}};
  rounds.skipped_outputs = 1;
  rounds.true_input = 1;  // The body only runs while its condition holds.
  rounds.strictness = trips.starts ? node.walk().strictness() : Strictness::Lenient;
  std::vector<ValueType> types;
  for (std::size_t i = 0; i < states; ++i) types.push_back(node.input(2 + i));
  types = settled(node, body, rounds, std::move(types));
  Scope scope{body, &node.scope()};
  const bool runs =
      infer_body(node, scope, rounds.inputs(types), rounds.true_input, rounds.strictness);
  if (trips.starts && !runs) node.fail("its body cannot run to its end");
  const KnownElements* goes_on = node.walk().known(scope, body.outputs.front());
  const bool never_ends = goes_on && goes_on->elements.size() == 1 && goes_on->elements[0] &&
                          *goes_on->elements[0] != 0;
  const bool is_counted =
      trips.count.size == 0 || (never_ends && (trips.count.size || is_size(trips.count)));
  const auto outputs = output_types(body);
  for (std::size_t i = 0; i < node.output_count(); ++i) {
    if (i < states) {
      node.set(i, std::move(types[i]));
    } else {
      set_stacked(node, i, outputs[1 + i], 0, is_counted ? trips.count : node.unknown(i, 0));
    }
  }
}

std::int64_t entry(std::span<const std::int64_t> list, std::size_t index) {
  return index < list.size() ? list[index] : 0;
}

// The type of one slice of a scanned input, whose scanned dimension goes to `length`.
ValueType slice_type(NodeInference& node, const ValueType& type, std::int64_t axis, Dim& length) {
  ValueType slice = type;
  if (!slice.shape) return slice;
  const std::size_t position = node.axis(axis, slice.shape->size());
  const Dim& scanned = (*slice.shape)[position];
  const bool is_first = !length.size && length.symbol.empty();
  length = is_first ? scanned : node.agreed(length, scanned, "the scanned lengths");
  slice.shape->erase(slice.shape->begin() + static_cast<std::ptrdiff_t>(position));
  return slice;
}

// Scan-8 has sequence lengths as first input and a batch dimension before all others.
ValueType without_batch(ValueType type, Dim& batch) {
  if (type.shape && !type.shape->empty()) {
    batch = type.shape->front();
    type.shape->erase(type.shape->begin());
  }
  return type;
}

void set_with_batch(NodeInference& node, std::size_t output, const Dim& batch) {
  ValueType type = node.output(output);
  if (!type.shape) return;
  type.shape->insert(type.shape->begin(), batch);
  node.set(output, std::move(type));
}

void infer_scan(NodeInference& node) {
  Graph& body = required_body(node, "body");
  const bool is_batched = node.opset() < 9;
  const std::size_t first = is_batched ? 1 : 0;
  const std::int64_t scanned = node.required_integer("num_scan_inputs");
  const auto given =
      static_cast<std::int64_t>(node.input_count() - std::min(first, node.input_count()));
  if (scanned < 1 || scanned > given) {
    node.fail(
        fmt::format("attribute 'num_scan_inputs' is {}, {} inputs are given", scanned, given));
  }
  const auto states = static_cast<std::size_t>(given - scanned);
  check_outputs(node, body, std::max(states, node.output_count()));
  Dim batch = node.unknown(0, 0);
  Dim length;
  const auto type_of = [&](std::size_t i) {
    const ValueType& type = node.input(first + i);
    return is_batched ? without_batch(type, batch) : type;
  };
  Rounds rounds{.states_come_last = false};
  const auto input_axes = node.node().integers("scan_input_axes");
  for (std::size_t i = 0; i < static_cast<std::size_t>(scanned); ++i) {
    rounds.fixed_inputs.push_back(
        slice_type(node, type_of(states + i), entry(input_axes, i), length));
  }
  if (length.size && *length.size > 0) rounds.strictness = node.walk().strictness();
  std::vector<ValueType> types;
  for (std::size_t i = 0; i < states; ++i) types.push_back(type_of(i));
  types = settled(node, body, rounds, std::move(types));
  Scope scope{body, &node.scope()};
  infer_body(node, scope, rounds.inputs(types), std::nullopt, rounds.strictness);
  const auto outputs = output_types(body);
  const auto output_axes = node.node().integers("scan_output_axes");
  for (std::size_t i = 0; i < node.output_count(); ++i) {
    if (i < states) {
      node.set(i, std::move(types[i]));
    } else {
      set_stacked(node, i, outputs[i], entry(output_axes, i - states),
                  length.size || !length.symbol.empty() ? length : node.unknown(i, 0));
    }
    if (is_batched) set_with_batch(node, i, batch);
  }
}

// The body maps one element of each sequence; tensors are given to every call.
void infer_sequence_map(NodeInference& node) {
  Graph& body = required_body(node, "body");
  check_outputs(node, body, node.output_count());
  std::vector<ValueType> inputs;
  for (std::size_t i = 0; i < node.input_count(); ++i) {
    inputs.push_back(node.input(i).kind == TypeKind::Sequence
                         ? element_type(node, body.outputs.size() + i, node.input(i))
                         : node.input(i));
  }
  Scope scope{body, &node.scope()};
  infer_body(node, scope, inputs, std::nullopt, Strictness::Lenient);
  auto outputs = output_types(body);
  for (std::size_t i = 0; i < node.output_count(); ++i) {
    if (outputs[i].kind != TypeKind::Unknown)
      node.set(i, ValueType{.kind = TypeKind::Sequence, .inner = {std::move(outputs[i])}});
  }
}

constexpr std::array kRules = {
    Rule{"If", infer_if, 1},
    Rule{"Loop", infer_loop, 0},
    Rule{"Scan", infer_scan, 0},
    Rule{"SequenceMap", infer_sequence_map, 1},
};

}  // namespace

std::span<const Rule> control_flow_rules() {
  return kRules;
}

}  // namespace headroom::infer
