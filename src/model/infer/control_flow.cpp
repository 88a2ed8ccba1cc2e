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

/// One of an If's bodies, inferred.
struct Branch {
  Graph& body;
  bool runs = false;  ///< To its end.
};

// A branch that may not run is inferred too, but what contradicts in it is only a finding.
Branch infer_branch(NodeInference& node, Graph& body, bool is_taken) {
  check_outputs(node, body, node.output_count());
  Scope scope{body, &node.scope()};
  const Strictness strictness = is_taken ? node.walk().strictness() : Strictness::Lenient;
  return {body, infer_body(node, scope, {}, std::nullopt, strictness)};
}

// The one that the condition takes. If one of two cannot run to its end, a run that succeeds takes
// the other. nullptr where nothing tells.
const Branch* taken_branch(const Integer& condition, const Branch& then_branch,
                           const Branch& else_branch) {
  if (condition) return *condition != 0 ? &then_branch : &else_branch;
  if (then_branch.runs == else_branch.runs) return nullptr;
  return then_branch.runs ? &then_branch : &else_branch;
}

void infer_if(NodeInference& node) {
  const Integer condition = node.integer(0);
  Graph& then_body = required_body(node, "then_branch");
  Graph& else_body = required_body(node, "else_branch");
  const Branch then_branch = infer_branch(node, then_body, condition && *condition != 0);
  const Branch else_branch = infer_branch(node, else_body, condition == 0);
  const Branch* taken = taken_branch(condition, then_branch, else_branch);
  const bool can_run = taken ? taken->runs : then_branch.runs;
  if (!can_run) node.fail("the branch that it takes cannot run to its end");
  if (taken) return take_branch(node, taken->body);
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
  result.reserve(states.size());
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

// The final states are the first outputs.
void set_states(NodeInference& node, std::vector<ValueType> states) {
  const std::size_t listed = std::min(states.size(), node.output_count());
  for (std::size_t i = 0; i < listed; ++i) node.set(i, std::move(states[i]));
}

Rounds loop_rounds(NodeInference& node, const Trips& trips) {
  Rounds rounds;
  rounds.fixed_inputs = {
      ValueType{.kind = TypeKind::Tensor, .element = ElementType::Int64, .shape = Shape{}},
      ValueType{.kind = TypeKind::Tensor, .element = ElementType::Bool, .shape = Shape{}}};
  rounds.skipped_outputs = 1;
  rounds.true_input = 1;  // The body only runs while its condition holds.
  rounds.strictness = trips.starts ? node.walk().strictness() : Strictness::Lenient;
  return rounds;
}

// Whether there are exactly as many rounds as the trip count says, since there are none or the
// inferred body never ends the loop.
bool is_counted(NodeInference& node, Scope& scope, const Trips& trips) {
  const KnownElements* goes_on = node.walk().known(scope, scope.graph.outputs.front());
  if (trips.count.size == 0) return true;
  if (!goes_on || goes_on->elements.size() != 1) return false;
  const bool never_ends = goes_on->elements[0] && *goes_on->elements[0] != 0;
  return never_ends && (trips.count.size || is_size(trips.count));
}

void infer_loop(NodeInference& node) {
  Graph& body = required_body(node, "body");
  if (node.input_count() < 2) node.fail("a Loop has a trip count and a condition, both optional");
  const std::size_t states = node.input_count() - 2;
  check_outputs(node, body, 1 + std::max(states, node.output_count()));
  const Trips trips = read_trips(node);
  const Rounds rounds = loop_rounds(node, trips);
  std::vector<ValueType> types;
  types.reserve(states);
  for (std::size_t i = 0; i < states; ++i) types.push_back(node.input(2 + i));
  types = settled(node, body, rounds, std::move(types));
  Scope scope{body, &node.scope()};
  const bool runs =
      infer_body(node, scope, rounds.inputs(types), rounds.true_input, rounds.strictness);
  if (trips.starts && !runs) node.fail("its body cannot run to its end");
  const bool is_count_known = is_counted(node, scope, trips);
  const auto outputs = output_types(body);
  set_states(node, std::move(types));
  for (std::size_t i = states; i < node.output_count(); ++i)
    set_stacked(node, i, outputs[1 + i], 0, is_count_known ? trips.count : node.unknown(i, 0));
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

std::size_t scanned_inputs(const NodeInference& node, std::size_t first) {
  const std::int64_t scanned = node.required_integer("num_scan_inputs");
  const auto given =
      static_cast<std::int64_t>(node.input_count() - std::min(first, node.input_count()));
  if (scanned < 1 || scanned > given) {
    node.fail(
        fmt::format("attribute 'num_scan_inputs' is {}, {} inputs are given", scanned, given));
  }
  return static_cast<std::size_t>(scanned);
}

/// A Scan's inputs as its body is given them.
struct ScanInputs {
  std::vector<ValueType> slices{};
  std::vector<ValueType> states{};
  Dim length{};                ///< Of the scanned dimensions; nameless where nothing tells it.
  std::optional<Dim> batch{};  ///< Scan-8 only.
};

ScanInputs scan_inputs(NodeInference& node, std::size_t first, std::size_t states) {
  ScanInputs inputs;
  if (node.opset() < 9) inputs.batch = node.unknown(0, 0);
  const auto type_of = [&](std::size_t input) {
    const ValueType& type = node.input(input);
    return inputs.batch ? without_batch(type, *inputs.batch) : type;
  };
  const auto axes = node.node().integers("scan_input_axes");
  const std::size_t first_scanned = first + states;
  for (std::size_t i = first_scanned; i < node.input_count(); ++i) {
    inputs.slices.push_back(
        slice_type(node, type_of(i), entry(axes, i - first_scanned), inputs.length));
  }
  for (std::size_t i = 0; i < states; ++i) inputs.states.push_back(type_of(first + i));
  return inputs;
}

void infer_scan(NodeInference& node) {
  Graph& body = required_body(node, "body");
  const std::size_t first = node.opset() < 9 ? 1 : 0;
  const std::size_t scanned = scanned_inputs(node, first);
  const std::size_t states = node.input_count() - first - scanned;
  check_outputs(node, body, std::max(states, node.output_count()));
  ScanInputs inputs = scan_inputs(node, first, states);
  const Dim& length = inputs.length;
  Rounds rounds{.fixed_inputs = std::move(inputs.slices), .states_come_last = false};
  if (length.size && *length.size > 0) rounds.strictness = node.walk().strictness();
  std::vector<ValueType> types = settled(node, body, rounds, std::move(inputs.states));
  Scope scope{body, &node.scope()};
  infer_body(node, scope, rounds.inputs(types), std::nullopt, rounds.strictness);
  const auto outputs = output_types(body);
  const auto axes = node.node().integers("scan_output_axes");
  const bool has_length = length.size || !length.symbol.empty();
  set_states(node, std::move(types));
  for (std::size_t i = states; i < node.output_count(); ++i) {
    set_stacked(node, i, outputs[i], entry(axes, i - states),
                has_length ? length : node.unknown(i, 0));
  }
  for (std::size_t i = 0; inputs.batch && i < node.output_count(); ++i)
    set_with_batch(node, i, *inputs.batch);
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
