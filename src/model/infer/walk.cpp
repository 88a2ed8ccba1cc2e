// SPDX-License-Identifier: Apache-2.0
// One pass in graph order, bodies where their node stands.
#include "model/infer/walk.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "model/infer/known.h"
#include "model/infer/rules.h"

namespace headroom::infer {
namespace {

std::string operator_name(const Node& node) {
  return node.domain.empty() ? node.op : node.domain + "." + node.op;
}

bool types_contradict(const ValueType& a, const ValueType& b);

bool shapes_contradict(const Shape& a, const Shape& b) {
  if (a.size() != b.size()) return true;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (contradict(a[i], b[i])) return true;
  return false;
}

bool types_contradict(const ValueType& a, const ValueType& b) {
  if (a.kind == TypeKind::Unknown || b.kind == TypeKind::Unknown) return false;
  if (a.kind != b.kind) return true;
  const ElementType undefined = ElementType::Undefined;
  if (a.element != b.element && a.element != undefined && b.element != undefined) return true;
  if (a.shape && b.shape && shapes_contradict(*a.shape, *b.shape)) return true;
  return !a.inner.empty() && !b.inner.empty() && types_contradict(a.inner.front(), b.inner.front());
}

bool has_open_element(const KnownElements& known) {
  return std::find(known.elements.begin(), known.elements.end(), std::nullopt) !=
         known.elements.end();
}

// Whether not even the rank of a tensor is known. What a sequence holds may vary.
bool is_vague(const ValueType& type) {
  return type.kind == TypeKind::Unknown || (type.kind == TypeKind::Tensor && !type.shape);
}

// Whether a run can add nothing.
bool is_whole(const ValueType& type) {
  if (type.kind != TypeKind::Tensor) return type.kind != TypeKind::Unknown && !type.inner.empty();
  return type.element != ElementType::Undefined && type.shape && known_sizes(*type.shape);
}

// Fills what inference leaves open by what the file declares. A dimension that follows from an open
// one of the inputs stays open: the declaration may stem from one fixed input shape.
void complete(ValueType& type, const ValueType& declaration) {
  if (type.kind == TypeKind::Unknown) {
    type = declaration;
    return;
  }
  if (type.kind != declaration.kind) return;
  if (type.element == ElementType::Undefined) type.element = declaration.element;
  if (!type.shape) type.shape = declaration.shape;
  if (type.inner.empty()) type.inner = declaration.inner;
  if (!type.shape || !declaration.shape || type.shape->size() != declaration.shape->size()) return;
  for (std::size_t i = 0; i < type.shape->size(); ++i) {
    Dim& dim = (*type.shape)[i];
    const Dim& declared = (*declaration.shape)[i];
    if (!dim.size && declared.size && depends_on_data(dim)) dim = declared;
  }
}

ValueType stored_type(ElementType element, const std::vector<std::int64_t>& dims) {
  Shape shape;
  shape.reserve(dims.size());
  for (const std::int64_t size : dims) shape.push_back(fixed(size));
  return {.kind = TypeKind::Tensor, .element = element, .shape = std::move(shape)};
}

// Takes the types of the node's outputs away; in their order, empty for an omitted output.
std::vector<ValueType> take_types(Graph& graph, const Node& node) {
  std::vector<ValueType> types;
  types.reserve(node.outputs.size());
  for (const ValueId id : node.outputs) {
    types.push_back(id == kNoValue ? ValueType{} : std::exchange(graph.values[id].type, {}));
  }
  return types;
}

}  // namespace

std::int64_t Walk::opset_of(std::string_view domain) const {
  return std::max<std::int64_t>(model_.opset(domain == "ai.onnx" ? "" : domain), 1);
}

std::filesystem::path Walk::model_folder() const {
  const bool has_parent = model_.path.empty() || model_.path.has_parent_path();
  return has_parent ? model_.path.parent_path() : ".";
}

void Walk::start_graph(Scope& scope) {
  Graph& graph = scope.graph;
  graph.known.clear();
  if (!scope.outer) {
    is_model_output_.assign(graph.values.size(), false);
    for (const ValueId id : graph.outputs) is_model_output_[id] = true;
  }
  for (Value& value : graph.values) {
    if (value.origin == Origin::OuterScope && scope.outer)
      value.type = scope.outer->graph.values[value.index].type;
    if (value.origin == Origin::Initializer) {
      const auto& stored = graph.initializers[value.index];
      value.type = stored_type(stored.type, stored.dims);
    } else if (value.origin == Origin::SparseInitializer) {
      const auto& stored = graph.sparse_initializers[value.index];
      value.type = stored_type(stored.values.type, stored.dims);
    }
  }
}

bool Walk::infer_graph(Scope& scope, Strictness strictness) {
  const Strictness around = std::exchange(strictness_, strictness);
  const bool was_sound = std::exchange(is_sound_, true);
  ++depth_;
  for (Node& node : scope.graph.nodes) infer_node(scope, node);
  --depth_;
  strictness_ = around;
  return std::exchange(is_sound_, was_sound);
}

void Walk::infer_node(Scope& scope, Node& node) {
  std::vector<ValueType> declarations = take_types(scope.graph, node);
  try {
    apply(scope, node);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::BadInput || strictness_ == Strictness::Strict) throw;
    // What follows from the first is no finding of its own.
    if (std::exchange(is_sound_, false)) {
      report(Severity::Note, "contradiction_in_body", place_of(scope.graph, node),
             fmt::format("the body that holds it may never run; if it does, it fails: {}",
                         error.what()));
    }
    take_types(scope.graph, node);
  }
  accept(scope, node, std::move(declarations));
  if (!scope.outer && !observed_.empty()) take_observed(scope, node);
  note_vague(scope, node);
}

void Walk::apply(Scope& scope, Node& node) {
  const Rule* rule = find_rule(node.domain, node.op);
  if (!rule) {
    Tally& tally = without_rule_[operator_name(node)];
    if (!is_trial_ && tally.nodes++ == 0) tally.first = place_of(scope.graph, node);
    return;
  }
  NodeInference inference(*this, scope, node, *rule, opset_of(node.domain));
  for (std::size_t i = 0; i < rule->inputs; ++i) {
    if (!inference.has_input(i)) {
      inference.fail(
          fmt::format("input {} is missing, at least {} must be given", i, rule->inputs));
    }
  }
  rule->infer(inference);
  if (!rule->evaluate || !inference.has_output(0)) return;
  const ValueType& type = inference.output(0);
  if (type.kind != TypeKind::Tensor || !type.shape || !has_numbers(type.element)) return;
  const Integer count = product(std::span<const Dim>(*type.shape));
  if (count && static_cast<std::uint64_t>(*count) <= kMaxKnownElements) rule->evaluate(inference);
}

void Walk::accept(Scope& scope, Node& node, std::vector<ValueType> declarations) {
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] == kNoValue || declarations[i].kind == TypeKind::Unknown) continue;
    Value& value = scope.graph.values[node.outputs[i]];
    const ValueType declaration = declared(declarations[i], value.name);
    if (types_contradict(value.type, declaration)) {
      count_contradiction(scope, node.outputs[i], declaration, value.type);
    } else {
      complete(value.type, declaration);
    }
  }
}

void Walk::take_observed(Scope& scope, const Node& node) {
  for (const ValueId id : node.outputs) {
    if (id == kNoValue) continue;
    if (const auto seen = observed_.find(scope.graph.values[id].name); seen != observed_.end())
      take_observed(scope, node, id, seen->second);
  }
}

void Walk::take_observed(Scope& scope, const Node& node, ValueId id, const ObservedType& seen) {
  Value& value = scope.graph.values[id];
  if (const auto known = scope.graph.known.find(id);
      seen.elements && (known == scope.graph.known.end() || has_open_element(known->second)))
    scope.graph.known.insert_or_assign(id, *seen.elements).first->second.is_given = true;
  // What an engine gives of an optional is what it holds.
  if (value.type.kind == TypeKind::Optional) return;
  const bool differs = types_contradict(value.type, seen.type);
  if (differs) {
    report(Severity::Warning, "observed_differs", place_of(scope.graph, node),
           fmt::format("'{}' was inferred as {} and is {} in the run, which is used; please report "
                       "this: one of the two is wrong",
                       printable(value.name), type_text(value.type), type_text(seen.type)));
    ++differing_;
  } else if (is_whole(value.type)) {
    ++confirmed_;
    return;
  } else {
    ++filled_;
  }
  value.type = seen.type;
  value.is_observed = true;
}

// Where it begins; what only passes it on says nothing new.
void Walk::note_vague(const Scope& scope, const Node& node) {
  if (is_trial_ || !is_sound_ || !find_rule(node.domain, node.op)) return;
  const auto vague = [&](ValueId id) {
    return id != kNoValue && is_vague(scope.graph.values[id].type);
  };
  const auto output = std::find_if(node.outputs.begin(), node.outputs.end(), vague);
  if (output == node.outputs.end() || std::any_of(node.inputs.begin(), node.inputs.end(), vague))
    return;
  if (vague_.nodes++ == 0) {
    vague_.first = place_of(scope.graph, node);
    vague_value_ = scope.graph.values[*output].name;
  }
}

void Walk::count_contradiction(const Scope& scope, ValueId id, const ValueType& declaration,
                               const ValueType& inferred) {
  if (is_trial_) return;
  const std::string& name = scope.graph.values[id].name;
  const std::string message =
      fmt::format("declared {}, inferred {}", type_text(declaration), type_text(inferred));
  if (!scope.outer && is_model_output_[id]) {
    report(Severity::Warning, "declared_output_differs",
           fmt::format("output '{}'", printable(name)), message + "; the inferred type is used");
    return;
  }
  if (contradicted_.nodes++ == 0)
    contradicted_.first = fmt::format("'{}': {}", printable(name), message);
}

const KnownElements* Walk::known(Scope& scope, ValueId id) {
  Graph& graph = scope.graph;
  const Value& value = graph.values[id];
  if (value.origin == Origin::OuterScope)
    return scope.outer ? known(*scope.outer, value.index) : nullptr;
  if (const auto found = graph.known.find(id); found != graph.known.end()) return &found->second;
  if (value.origin != Origin::Initializer || !is_readable(graph.initializers[value.index]))
    return nullptr;
  auto elements = read_elements(graph.initializers[value.index], model_folder());
  if (!elements) return nullptr;
  return &graph.known.emplace(id, std::move(*elements)).first->second;
}

bool Walk::is_known(const Scope& scope, ValueId id) const {
  const Value& value = scope.graph.values[id];
  if (value.origin == Origin::OuterScope) return scope.outer && is_known(*scope.outer, value.index);
  if (scope.graph.known.contains(id)) return true;
  return value.origin == Origin::Initializer && is_readable(scope.graph.initializers[value.index]);
}

void Walk::report(Severity severity, std::string_view code, std::string place,
                  std::string message) {
  if (is_trial_) return;
  model_.diagnostics.push_back({.severity = severity,
                                .code = std::string(code),
                                .place = std::move(place),
                                .message = std::move(message)});
}

ValueType Walk::declared(const ValueType& type, const std::string& name) const {
  ValueType result = type;
  for (ValueType& inner : result.inner) inner = declared(inner, name);
  if (!result.shape) return result;
  for (std::size_t i = 0; i < result.shape->size(); ++i) {
    Dim& dim = (*result.shape)[i];
    if (dim.size && *dim.size > 0) continue;
    dim.size.reset();
    if (const auto fixed_size = dims_.find(dim.symbol); fixed_size != dims_.end()) {
      dim = fixed(fixed_size->second);
    } else if (dim.symbol.empty() || dim.symbol == "?") {
      dim.symbol = fmt::format("{}'{}', dimension {}", kDependsOnData, name, i);
    }
  }
  return result;
}

void Walk::finish() {
  for (const auto& [op, tally] : without_rule_) {
    report(Severity::Note, "no_shape_inference", tally.first,
           fmt::format("operator {} has no rule of shape inference ({} node{}): the types that the "
                       "file declares for its outputs are used, others stay unknown",
                       printable(op), tally.nodes, tally.nodes == 1 ? "" : "s"));
  }
  if (!observed_.empty()) {
    const std::uint64_t all = confirmed_ + filled_ + differing_;
    report(Severity::Note, "observed", "graph",
           fmt::format("a run gave the types of {} value{}: {} as inferred, {} that inference left "
                       "open{}",
                       all, all == 1 ? "" : "s", confirmed_, filled_,
                       differing_ == 0 ? "" : fmt::format(", {} otherwise", differing_)));
  }
  if (vague_.nodes > 0) {
    report(Severity::Note, "rank_unknown", vague_.first,
           fmt::format(
               "the rank of '{}' depends on data that is no constant, or on what a sequence "
               "holds{}: only a run can tell it",
               printable(vague_value_),
               vague_.nodes == 1 ? ""
                                 : fmt::format(", and so do those of {} more node{}",
                                               vague_.nodes - 1, vague_.nodes == 2 ? "" : "s")));
  }
  if (contradicted_.nodes > 0) {
    report(Severity::Note, "declared_value_differs", contradicted_.first,
           fmt::format("{} intermediate value{} declared with another type than the inferred one, "
                       "which is used",
                       contradicted_.nodes, contradicted_.nodes == 1 ? " is" : "s are"));
  }
}

}  // namespace headroom::infer
