// SPDX-License-Identifier: Apache-2.0
// Sums compulsory bytes by the rule of the operator.
#include "cost/traffic.h"

#include <algorithm>
#include <vector>

#include "cost/window.h"

namespace headroom::cost {
namespace {

// Of a whole, so many parts.
struct Share {
  Amount part = 1;
  Amount whole = 1;
};

Amount share_of(Amount bytes, const Share& share) {
  const Amount exact = bytes * share.part;
  if (exact.has_overflowed()) return bytes / share.whole * share.part;
  return (exact + (share.whole - 1)) / share.whole;
}

bool has_bit(InputMask mask, std::size_t index) {
  if (index >= 32) return mask == kAfterFirst;
  return ((mask >> index) & 1U) != 0;
}

bool is_setting(const Formula& formula, std::size_t index) {
  return formula.traffic == Traffic::Fill || has_bit(formula.settings, index);
}

// Rows that `indices` can name at most: each of the table once.
Share rows_of(NodeView& view, const Formula& formula, std::size_t table) {
  const Operand indices = view.input(formula.indices);
  const Operand rows = view.input(table);
  if (!indices.exists() || rows.rank() == 0) return {};
  const std::int64_t axis = view.integer("axis", view.integer("gather_axis", 0));
  const Amount all = rows.dim(axis);
  const bool are_experts = formula.traffic == Traffic::Experts;
  const auto choices = static_cast<std::uint64_t>(std::max<std::int64_t>(view.integer("k", 1), 0));
  const Amount named = are_experts ? indices.dim(0) * choices : indices.elements();
  return {.part = smaller(named, all), .whole = all};
}

Share needed_share(NodeView& view, const Formula& formula, std::size_t index) {
  if (has_bit(formula.tables, index)) return rows_of(view, formula, index);
  if (index != 0) return {};
  const Operand input = view.input(0);
  if (formula.traffic == Traffic::Window) {
    const std::size_t weight = view.node().op == "QLinearConv" ? 3 : 1;
    return {.part = touched_elements(view, weight), .whole = input.elements()};
  }
  if (formula.traffic == Traffic::Selected || formula.traffic == Traffic::Picked) {
    const bool is_picked = formula.traffic == Traffic::Picked;
    const Amount chosen = is_picked ? view.input(1).elements() : view.output(0).elements();
    const Amount all = input.elements();
    return {.part = smaller(chosen, all), .whole = all};
  }
  return {};
}

void sort_unique(std::vector<StoredConstant>& constants) {
  std::sort(constants.begin(), constants.end());
  constants.erase(std::unique(constants.begin(), constants.end()), constants.end());
}

// Bytes of a constant as stored.
Amount stored_bytes(Scope& scope, ValueId id) {
  if (scope.graph.values[id].origin == Origin::Initializer) return bytes_of({&scope, id});
  std::vector<StoredConstant> stored;
  append_stored(scope, id, stored);
  sort_unique(stored);
  Amount bytes = 0;
  for (const StoredConstant& constant : stored) bytes += bytes_of(constant);
  return bytes;
}

// Few inputs are compared in pairs, many are sorted.
constexpr std::size_t kFewInputs = 8;

// Indices of the inputs that are data, each value once.
std::vector<std::size_t> distinct_inputs(const Node& node, const Formula& formula) {
  std::vector<std::size_t> inputs;
  inputs.reserve(node.inputs.size());
  const auto is_same = [&](std::size_t a, std::size_t b) {
    return node.inputs[a] == node.inputs[b];
  };
  const bool are_few = node.inputs.size() <= kFewInputs;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (node.inputs[i] == kNoValue || is_setting(formula, i)) continue;
    const bool is_known = are_few && std::any_of(inputs.begin(), inputs.end(),
                                                 [&](std::size_t j) { return is_same(i, j); });
    if (!is_known) inputs.push_back(i);
  }
  if (are_few) return inputs;
  std::stable_sort(inputs.begin(), inputs.end(),
                   [&](std::size_t a, std::size_t b) { return node.inputs[a] < node.inputs[b]; });
  inputs.erase(std::unique(inputs.begin(), inputs.end(), is_same), inputs.end());
  return inputs;
}

Amount read_bytes(NodeView& view, const Formula& formula, Scope& scope) {
  // A sequence has no size of its own: what is taken out of it counts.
  if (formula.traffic == Traffic::Selected && view.input(0).is_sequence())
    return view.output(0).bytes();
  Amount read = 0;
  for (const std::size_t i : distinct_inputs(view.node(), formula)) {
    const Operand input = view.input(i);
    const Amount bytes =
        input.is_constant() ? stored_bytes(scope, view.node().inputs[i]) : input.bytes();
    read += share_of(bytes, needed_share(view, formula, i));
  }
  return read;
}

}  // namespace

MovedBytes moved_bytes(NodeView& view, const Formula& formula, Scope& scope) {
  MovedBytes moved;
  const bool is_view = formula.traffic == Traffic::View;
  if (!is_view) moved.read = read_bytes(view, formula, scope);
  if (formula.traffic == Traffic::Entries) {
    moved.written = view.input(0).elements() * view.output(0).bytes_of_map_entry();
    return moved;
  }
  if (formula.traffic == Traffic::Parts) {
    moved.written = view.input(0).bytes();
    return moved;
  }
  for (std::size_t i = is_view ? 1 : 0; i < view.output_count(); ++i)
    moved.written += view.output(i).bytes();
  return moved;
}

FirstUses first_uses(const Node& node, const Formula* formula, Scope& scope) {
  FirstUses uses;
  std::vector<StoredConstant> stored;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const ValueId id = node.inputs[i];
    if (id == kNoValue || scope.is_constant[id] == 0) continue;
    if (formula != nullptr && is_setting(*formula, i)) continue;
    stored.clear();
    append_stored(scope, id, stored);
    for (const StoredConstant& constant : stored) {
      std::uint8_t& is_counted = constant.scope->is_counted[constant.id];
      if (is_counted != 0) continue;
      is_counted = 1;
      const Amount elements = elements_of(constant);
      const Value& value = constant.scope->graph.values[constant.id];
      if (value.origin == Origin::Node)
        constant.scope->used_elements[value.index] += elements.value();
      uses.parameters += elements;
      uses.bytes += bytes_of(constant);
    }
  }
  return uses;
}

}  // namespace headroom::cost
