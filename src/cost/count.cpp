// SPDX-License-Identifier: Apache-2.0
// Sums the work of the nodes of a model.
#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/cost.h>

#include <fmt/format.h>

#include "cost/formula.h"
#include "cost/walk.h"

namespace headroom {
namespace {

using cost::Amount;

// The sums of a Work or an OpWork, checked.
class Sum {
 public:
  void add(const NodeWork& node) {
    macs_ += node.macs.value;
    for (std::size_t kind = 0; kind < kArithmeticKinds; ++kind) other_[kind] += node.other[kind];
    read_ += node.read.value;
    written_ += node.written.value;
    parameters_ += node.parameters;
    parameter_bytes_ += node.parameter_bytes.value;
    bool has_overflowed = Amount(2 * macs_).has_overflowed();
    for (const Amount& amount : {read_, written_, parameters_, parameter_bytes_})
      has_overflowed = has_overflowed || amount.has_overflowed();
    for (const Amount& amount : other_) has_overflowed = has_overflowed || amount.has_overflowed();
    if (has_overflowed) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("the sum of the work up to node '{}' does not fit 64 bits; check the "
                              "shapes given and those in the model",
                              printable(node.name)));
    }
  }

  template <class Totals>
  void store(Totals& totals) const {
    totals.macs = {macs_.value()};
    for (std::size_t kind = 0; kind < kArithmeticKinds; ++kind)
      totals.other[kind] = other_[kind].value();
    totals.read = {read_.value()};
    totals.written = {written_.value()};
    totals.parameters = parameters_.value();
    totals.parameter_bytes = {parameter_bytes_.value()};
  }

 private:
  Amount macs_{};
  std::array<Amount, kArithmeticKinds> other_{};
  Amount read_{};
  Amount written_{};
  Amount parameters_{};
  Amount parameter_bytes_{};
};

// The nodes of one operator, found by its name without a copy of it.
struct Group {
  OpWork work{};
  Sum sum{};
  std::string_view reason{};  ///< Of the operator's row.
};
using Groups = std::map<std::string, Group, std::less<>>;

Group& group_of(Groups& groups, const NodeWork& node) {
  const bool is_default = node.domain.empty() || node.domain == "ai.onnx";
  const std::string full = is_default ? std::string{} : node.domain + "." + node.op;
  const std::string_view key = is_default ? std::string_view{node.op} : std::string_view{full};
  const auto found = groups.find(key);
  return found != groups.end() ? found->second : groups[std::string(key)];
}

void add_node(Group& group, const NodeWork& node) {
  ++group.work.nodes;
  group.work.constant_elements += node.constant_elements;
  group.sum.add(node);
  if (node.status == CountStatus::Constant) ++group.work.constant_nodes;
  if (node.status == CountStatus::Uncounted) {
    const cost::Formula* row = cost::find_formula(node.domain, node.op);
    if (row != nullptr) group.reason = row->reason;
    ++group.work.uncounted_nodes;
  }
  if (node.status == CountStatus::UnknownShape) ++group.work.unknown_shape_nodes;
}

}  // namespace

std::string_view to_string(Arithmetic kind) noexcept {
  constexpr std::array<std::string_view, kArithmeticKinds> kNames = {
      "add", "multiply", "divide", "compare", "exponential", "square_root", "logic", "convert"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view to_string(CountStatus status) noexcept {
  switch (status) {
    case CountStatus::Counted:
      return "counted";
    case CountStatus::Constant:
      return "constant";
    case CountStatus::Uncounted:
      return "uncounted";
    case CountStatus::UnknownShape:
      return "unknown_shape";
    case CountStatus::NotTaken:
      return "not_taken";
  }
  return "unknown";
}

Work count_work(const Model& model) {
  Work work;
  const cost::Peak peak = cost::walk(model, work.nodes);
  if (peak.reason.empty()) {
    work.activation_peak = Bytes{peak.bytes.value()};
  } else {
    work.activation_peak_reason = peak.reason;
  }
  work.activation_peak_node = peak.reason.empty() ? peak.node : std::string{};
  Sum total;
  Groups groups;
  for (const NodeWork& node : work.nodes) {
    total.add(node);
    if (node.macs.value > 0) work.macs_by_type[node.mac_type].value += node.macs.value;
    add_node(group_of(groups, node), node);
  }
  total.store(work);
  for (auto& [key, group] : groups) {
    group.sum.store(group.work);
    if (group.work.uncounted_nodes > 0)
      work.uncounted[key] = {group.work.uncounted_nodes, std::string(group.reason)};
    if (group.work.unknown_shape_nodes > 0)
      work.unknown_shape[key] = group.work.unknown_shape_nodes;
    work.by_op[key] = group.work;
  }
  return work;
}

}  // namespace headroom
