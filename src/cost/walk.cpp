// SPDX-License-Identifier: Apache-2.0
// Gives each node its status, counts what runs, and scales or silences the bodies of control flow.
#include "cost/walk.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "cost/bodies.h"
#include "cost/formula.h"
#include "cost/traffic.h"

namespace headroom::cost {
namespace {

constexpr std::uint64_t kBytesOfAttributeFloat = 4;

std::string tensor_text(const ValueType& type) {
  std::string text(to_string(type.element));
  text += '[';
  if (type.shape && !type.shape->empty()) {
    for (const Dim& dim : *type.shape) {
      if (&dim != type.shape->data()) text += 'x';
      text += dim.size ? std::to_string(*dim.size) : dim.symbol.empty() ? "?" : dim.symbol;
    }
  } else {
    text += type.shape ? "scalar" : "?";
  }
  text += ']';
  return text;
}

std::string value_text(const Value& value) {
  switch (value.type.kind) {
    case TypeKind::Tensor:
    case TypeKind::SparseTensor:
      return tensor_text(value.type);
    case TypeKind::Sequence:
      return "sequence";
    case TypeKind::Optional:
      return "optional";
    case TypeKind::Map:
      return "map";
    case TypeKind::Unknown:
      break;
  }
  return "?";
}

std::vector<std::string> texts(const Graph& graph, const std::vector<ValueId>& ids) {
  std::vector<std::string> out;
  out.reserve(ids.size());
  for (const ValueId id : ids)
    out.push_back(id == kNoValue ? std::string{} : value_text(graph.values[id]));
  return out;
}

bool is_standard(const Node& node) {
  return node.domain.empty() || node.domain == "ai.onnx" || node.domain == kOnnxMl;
}

bool is_random(const Node& node) {
  constexpr std::array<std::string_view, 6> kRandom = {"Bernoulli",     "Multinomial",
                                                       "RandomNormal",  "RandomNormalLike",
                                                       "RandomUniform", "RandomUniformLike"};
  return is_standard(node) && std::find(kRandom.begin(), kRandom.end(), node.op) != kRandom.end();
}

bool is_random(const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const Node& node) {
    const std::vector<const Graph*> bodies = node.bodies();
    return is_random(node) || std::any_of(bodies.begin(), bodies.end(),
                                          [](const Graph* body) { return is_random(*body); });
  });
}

bool has_known_shape(const Graph& graph, ValueId id) {
  if (id == kNoValue || graph.values[id].is_observed) return false;
  const ValueType& type = graph.values[id].type;
  return type.kind == TypeKind::Tensor && type.shape && known_sizes(*type.shape);
}

bool all_constant(const Scope& scope, const std::vector<ValueId>& ids) {
  return std::all_of(ids.begin(), ids.end(),
                     [&](ValueId id) { return id == kNoValue || scope.is_constant[id] != 0; });
}

bool is_constant_body(const Scope& scope, const Graph& body) {
  const bool captures_constants =
      std::all_of(body.values.begin(), body.values.end(), [&](const Value& value) {
        return value.origin != Origin::OuterScope || scope.is_constant[value.index] != 0;
      });
  return captures_constants && !is_random(body);
}

// Whether the node's outputs can be known before any run.
bool is_constant_node(const Scope& scope, const Node& node, const Formula* formula) {
  if (node.outputs.empty()) return false;
  const bool is_known = std::all_of(node.outputs.begin(), node.outputs.end(), [&](ValueId id) {
    return id == kNoValue || scope.is_known[id] != 0;
  });
  if (is_known) return true;
  if (is_standard(node) && (node.op == "Shape" || node.op == "Size") && !node.inputs.empty())
    return scope.is_constant[node.inputs[0]] != 0 || has_known_shape(scope.graph, node.inputs[0]);
  if (formula == nullptr && !(is_standard(node) && !node.inputs.empty())) return false;
  if (is_random(node) || !all_constant(scope, node.inputs)) return false;
  const std::vector<Body> bodies = possible_bodies(scope, node);
  return std::all_of(bodies.begin(), bodies.end(),
                     [&](const Body& body) { return is_constant_body(scope, *body.graph); });
}

class Walker {
 public:
  explicit Walker(std::vector<NodeWork>& out) : out_(out) {}

  // `fate` other than Counted is given to every node: the graph does not run.
  Peak walk_graph(Scope& scope, CountStatus fate) {
    std::vector<std::size_t> places;
    std::vector<std::uint8_t> aliases(scope.graph.nodes.size());
    std::map<std::size_t, BodyPeak> body_peaks;
    places.reserve(scope.graph.nodes.size());
    for (std::size_t i = 0; i < scope.graph.nodes.size(); ++i) {
      const Node& node = scope.graph.nodes[i];
      places.push_back(out_.size());
      add_entry(scope, node);
      const Formula* formula = find_formula(node.domain, node.op);
      aliases[i] = formula != nullptr && formula->traffic == Traffic::View ? 1 : 0;
      if (fate == CountStatus::Counted && is_constant_node(scope, node, formula)) {
        for (const ValueId id : node.outputs)
          if (id != kNoValue) scope.is_constant[id] = 1;
        silence(scope, node, places[i], CountStatus::Constant);
      } else if (fate != CountStatus::Counted) {
        silence(scope, node, places[i], fate);
      } else if (std::optional<BodyPeak> peak = count_node(scope, node, formula, places[i])) {
        body_peaks[i] = std::move(*peak);
      }
    }
    if (fate != CountStatus::Counted) return {};
    for (std::size_t i = 0; i < places.size(); ++i)
      out_[places[i]].constant_elements = scope.used_elements[i];
    return activation_peak(scope, aliases, body_peaks);
  }

 private:
  void add_entry(const Scope& scope, const Node& node) {
    NodeWork& work = out_.emplace_back();
    work.name = display_name(scope, node);
    work.op = node.op;
    work.domain = node.domain;
    work.inputs = texts(scope.graph, node.inputs);
    work.outputs = texts(scope.graph, node.outputs);
    work.is_observed = std::any_of(node.outputs.begin(), node.outputs.end(), [&](ValueId id) {
      return id != kNoValue && scope.graph.values[id].is_observed;
    });
  }

  std::string body_prefix(std::size_t place, const Body& body) const {
    return out_[place].name + "/" + body.name + "/";
  }

  void silence(Scope& scope, const Node& node, std::size_t place, CountStatus status) {
    out_[place].status = status;
    for (const Body& body : bodies_of(node)) {
      Scope inner(scope, *body.graph, body_prefix(place, body));
      walk_graph(inner, status);
    }
  }

  std::optional<BodyPeak> count_node(Scope& scope, const Node& node, const Formula* formula,
                                     std::size_t place) {
    const FirstUses uses = first_uses(node, formula, scope);
    out_[place].parameters = checked(uses.parameters, place);
    out_[place].parameter_bytes = {checked(uses.bytes, place)};
    const std::vector<Body> bodies = bodies_of(node);
    if (!bodies.empty()) {
      if (node.op == "If" && is_standard(node)) return count_if(scope, node, place);
      BodyPeak peak = count_repeated(scope, node, place, bodies);
      if (formula != nullptr && formula->count != nullptr)
        count_plain(scope, node, *formula, place);
      return peak;
    }
    if (formula == nullptr || !formula->reason.empty()) {
      set_uncounted(node, formula, place);
    } else {
      count_plain(scope, node, *formula, place);
    }
    return std::nullopt;
  }

  void set_uncounted(const Node& node, const Formula* formula, std::size_t place) {
    out_[place].status = CountStatus::Uncounted;
    out_[place].may_hold_macs = formula == nullptr || formula->may_hold_macs;
    out_[place].reason = formula != nullptr
                             ? std::string(formula->reason)
                             : fmt::format("there is no formula for {}{}{}", node.domain,
                                           node.domain.empty() ? "" : ".", node.op);
  }

  void count_plain(Scope& scope, const Node& node, const Formula& formula, std::size_t place) {
    NodeView view(scope, node);
    Tally tally;
    if (formula.each != PerElement{}) add_each(tally, formula.each, view.output(0).elements());
    if (formula.count != nullptr) formula.count(view, tally);
    const MovedBytes moved = moved_bytes(view, formula, scope);
    NodeWork& work = out_[place];
    work.parameters = checked(work.parameters + tally.attribute_parameters, place);
    work.parameter_bytes = {checked(
        work.parameter_bytes.value + kBytesOfAttributeFloat * tally.attribute_parameters, place)};
    if (view.has_reason()) {
      work.may_hold_macs = formula.count != nullptr;
      return set_unknown(view, work);
    }
    work.macs = {checked(tally.macs, place)};
    if (work.macs.value > 0) work.mac_type = view.input(tally.mac_operand).element();
    for (std::size_t kind = 0; kind < kArithmeticKinds; ++kind)
      work.other[kind] = checked(tally.other[kind], place);
    work.read = {checked(moved.read, place)};
    work.written = {checked(moved.written, place)};
  }

  static void set_unknown(const NodeView& view, NodeWork& work) {
    work.status = CountStatus::UnknownShape;
    work.reason = view.reason();
    work.open_dimension = view.open_dimension();
  }

  // One branch runs. Which one is known, or the one with more work counts and the other keeps only
  // its parameters and what is unknown about it.
  BodyPeak count_if(Scope& scope, const Node& node, std::size_t place) {
    const std::vector<Body> possible = possible_bodies(scope, node);
    BodyPeak peak{.hands_over_outputs = true};
    std::vector<std::pair<std::size_t, std::size_t>> ranges;
    std::vector<std::string> names;
    for (const Body& body : bodies_of(node)) {
      const bool is_possible =
          std::any_of(possible.begin(), possible.end(),
                      [&](const Body& other) { return other.graph == body.graph; });
      const std::size_t begin = out_.size();
      Scope inner(scope, *body.graph, body_prefix(place, body));
      const Peak inside =
          walk_graph(inner, is_possible ? CountStatus::Counted : CountStatus::NotTaken);
      if (!is_possible) continue;
      ranges.emplace_back(begin, out_.size());
      names.push_back(body.name);
      keep_higher(peak.peak, inside);
    }
    if (ranges.size() == 1) out_[place].reason = names[0] + " is the only branch that can run";
    if (ranges.size() != 2) return peak;
    const bool is_first = weight(ranges[0]) >= weight(ranges[1]);
    out_[place].reason =
        fmt::format("counted as taking {}, the branch with more work", names[is_first ? 0 : 1]);
    leave_out(ranges[is_first ? 1 : 0]);
    return peak;
  }

  static void keep_higher(Peak& peak, const Peak& other) {
    if (peak.reason.empty()) peak.reason = other.reason;
    if (other.bytes.value() <= peak.bytes.value() && !other.bytes.has_overflowed()) return;
    peak.bytes = other.bytes;
    peak.node = other.node;
  }

  // MACs decide; other arithmetic, then bytes, where they are equal.
  std::array<std::uint64_t, 3> weight(std::pair<std::size_t, std::size_t> range) const {
    std::array<Amount, 3> sums{};
    for (std::size_t i = range.first; i < range.second; ++i) {
      sums[0] += out_[i].macs.value;
      for (const std::uint64_t count : out_[i].other) sums[1] += count;
      sums[2] += Amount(out_[i].read.value) + out_[i].written.value;
    }
    std::array<std::uint64_t, 3> weights{};
    for (std::size_t i = 0; i < sums.size(); ++i)
      weights[i] = sums[i].has_overflowed() ? UINT64_MAX : sums[i].value();
    return weights;
  }

  static void clear_counts(NodeWork& work) {
    work.macs = {};
    work.other = {};
    work.read = {};
    work.written = {};
  }

  void leave_out(std::pair<std::size_t, std::size_t> range) {
    for (std::size_t i = range.first; i < range.second; ++i) {
      if (out_[i].status != CountStatus::Counted) continue;
      out_[i].status = CountStatus::NotTaken;
      clear_counts(out_[i]);
    }
  }

  BodyPeak count_repeated(Scope& scope, const Node& node, std::size_t place,
                          const std::vector<Body>& bodies) {
    BodyPeak peak;
    for (const Body& body : bodies) {
      Scope inner(scope, *body.graph, body_prefix(place, body));
      NodeView view(scope, node);
      const std::optional<Amount> trips = trip_count(view, scope, inner);
      if (!trips) {
        set_unknown(view, out_[place]);
        out_[place].may_hold_macs = true;
      }
      const std::size_t begin = out_.size();
      keep_higher(peak.peak, walk_graph(inner, CountStatus::Counted));
      for (std::size_t i = begin; i < out_.size(); ++i) {
        if (trips) {
          repeat(i, *trips);
        } else {
          set_unknown_runs(out_[i], out_[place]);
        }
      }
    }
    return peak;
  }

  void repeat(std::size_t place, Amount trips) {
    NodeWork& work = out_[place];
    if (work.status == CountStatus::Constant) return;
    work.runs = checked(trips * work.runs, place);
    work.macs = {checked(trips * work.macs.value, place)};
    for (std::uint64_t& count : work.other) count = checked(trips * count, place);
    work.read = {checked(trips * work.read.value, place)};
    work.written = {checked(trips * work.written.value, place)};
  }

  static void set_unknown_runs(NodeWork& work, const NodeWork& owner) {
    if (work.status != CountStatus::Counted) return;
    work.status = CountStatus::UnknownShape;
    work.reason = "it runs an unknown number of times: " + owner.reason;
    work.open_dimension = owner.open_dimension;
    clear_counts(work);
  }

  std::uint64_t checked(Amount amount, std::size_t place) const {
    if (!amount.has_overflowed()) return amount.value();
    throw Error(
        ErrorKind::BadInput,
        fmt::format("node '{}': its work does not fit 64 bits; inputs: {}; check the shapes "
                    "given and those in the model",
                    printable(out_[place].name), join(out_[place].inputs, ", ")));
  }

  std::vector<NodeWork>& out_;
};

}  // namespace

Peak walk(const Model& model, std::vector<NodeWork>& nodes) {
  nodes.reserve(model.graph.nodes.size());
  Scope scope(model);
  const Peak peak = Walker(nodes).walk_graph(scope, CountStatus::Counted);
  if (peak.reason.empty() && peak.bytes.has_overflowed()) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("node '{}': the bytes alive at once do not fit 64 bits; check the shapes "
                    "given and those in the model",
                    printable(peak.node)));
  }
  return peak;
}

}  // namespace headroom::cost
