// SPDX-License-Identifier: Apache-2.0
// Sums the work of the nodes of a model.
#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/cost.h>

#include <fmt/format.h>

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
    if (has_overflowed)
      throw Error(ErrorKind::BadInput,
                  fmt::format("the sum of the work up to node '{}' does not fit 64 bits; check the "
                              "shapes given and those in the model",
                              printable(node.name)));
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

std::string op_key(const NodeWork& node) {
  return node.domain.empty() || node.domain == "ai.onnx" ? node.op : node.domain + "." + node.op;
}

void add_node(Work& work, std::map<std::string, Sum>& sums, const NodeWork& node) {
  const std::string key = op_key(node);
  OpWork& op = work.by_op[key];
  ++op.nodes;
  op.constant_elements += node.constant_elements;
  sums[key].add(node);
  if (node.status == CountStatus::Constant) ++op.constant_nodes;
  if (node.status == CountStatus::Uncounted) ++work.uncounted[key];
  if (node.status == CountStatus::UnknownShape) ++work.unknown_shape[key];
  if (node.status == CountStatus::Uncounted || node.status == CountStatus::UnknownShape)
    ++op.unknown_nodes;
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
  if (peak.reason.empty())
    work.activation_peak = Bytes{peak.bytes.value()};
  else
    work.activation_peak_reason = peak.reason;
  work.activation_peak_node = peak.reason.empty() ? peak.node : std::string{};
  Sum total;
  std::map<std::string, Sum> sums;
  for (const NodeWork& node : work.nodes) {
    total.add(node);
    add_node(work, sums, node);
  }
  total.store(work);
  for (const auto& [key, sum] : sums) sum.store(work.by_op[key]);
  return work;
}

}  // namespace headroom
