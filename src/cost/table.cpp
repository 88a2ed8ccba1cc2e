// SPDX-License-Identifier: Apache-2.0
// The table of all formulas, sorted once.
#include <headroom/cost.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "cost/activation.h"
#include "cost/formula.h"

namespace headroom::cost {
namespace {

bool is_before(const Formula& a, const Formula& b) {
  return std::tie(a.op, a.domain) < std::tie(b.op, b.domain);
}

std::vector<Formula> sorted_formulas() {
  std::vector<Formula> table;
  for (const std::span<const Formula> family :
       {elementwise_formulas(), contraction_formulas(), quantized_formulas(), recurrent_formulas(),
        attention_formulas(), reduction_formulas(), normalization_formulas(), movement_formulas(),
        classical_formulas(), signal_formulas(), training_formulas(), matrix_formulas(),
        expert_formulas(), uncounted_formulas()})
    table.insert(table.end(), family.begin(), family.end());
  std::sort(table.begin(), table.end(), is_before);
  return table;
}

}  // namespace

const Formula* find_formula(std::string_view domain, std::string_view op) {
  static const std::vector<Formula> kTable = sorted_formulas();
  const Formula wanted{.domain = domain == "ai.onnx" ? kOnnx : domain, .op = op};
  const auto found = std::lower_bound(kTable.begin(), kTable.end(), wanted, is_before);
  if (found == kTable.end() || is_before(wanted, *found)) return nullptr;
  return &*found;
}

void add_each(Tally& tally, const PerElement& each, Amount times) {
  tally.add(Arithmetic::Add, each.add * times);
  tally.add(Arithmetic::Multiply, each.multiply * times);
  tally.add(Arithmetic::Divide, each.divide * times);
  tally.add(Arithmetic::Compare, each.compare * times);
  tally.add(Arithmetic::Exponential, each.exponential * times);
  tally.add(Arithmetic::SquareRoot, each.square_root * times);
  tally.add(Arithmetic::Logic, each.logic * times);
  tally.add(Arithmetic::Convert, each.convert * times);
}

void add_activation(NodeView& view, Tally& tally, std::string_view name, Amount times) {
  if (name.empty()) return;
  if (name == "Affine") return add_each(tally, {.add = 1, .multiply = 1}, times);
  if (name == "ScaledTanh") return add_each(tally, {.multiply = 2, .exponential = 1}, times);
  if (name == "Clip") return add_each(tally, {.compare = 2}, times);
  const Formula* formula = find_formula(kOnnx, name);
  if (formula == nullptr || formula->count != nullptr)
    return view.note("activation '" + std::string(name) + "' has no formula");
  add_each(tally, formula->each, times);
}

void note_training(NodeView& view, std::size_t mode) {
  if (view.input(mode).exists() && view.known_scalar(mode) != 0)
    view.note("training_mode is set or not known, and training draws random numbers");
}

}  // namespace headroom::cost
