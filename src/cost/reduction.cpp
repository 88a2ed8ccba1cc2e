// SPDX-License-Identifier: Apache-2.0
// Reductions and pooling: many elements become one. The sum of k elements takes k - 1 additions; a
// pooling window counts whole at every position, as a convolution's kernel does.
#include <algorithm>
#include <array>

#include "cost/formula.h"
#include "cost/softmax.h"

namespace headroom::cost {
namespace {

constexpr InputMask kAxes = input_bit(1);

Amount joined(NodeView& view) {
  return view.input(0).elements() - view.output(0).elements();
}

template <Arithmetic kKind>
void count_joins(NodeView& view, Tally& tally) {
  tally.add(kKind, joined(view));
}

// `kEach` for each input element, then a sum.
template <Arithmetic kEach>
void count_sum_of(NodeView& view, Tally& tally) {
  tally.add(kEach, view.input(0).elements());
  tally.add(Arithmetic::Add, joined(view));
}

// log(sum(exp(x - max))) + max.
void count_log_sum_exp(NodeView& view, Tally& tally) {
  const Amount elements = view.input(0).elements();
  tally.add(Arithmetic::Compare, joined(view));
  tally.add(Arithmetic::Add, elements + joined(view) + view.output(0).elements());
  tally.add(Arithmetic::Exponential, elements);
}

// One look at each element; how a sort goes on depends on the algorithm and is not counted.
void count_looks(NodeView& view, Tally& tally) {
  tally.add(Arithmetic::Compare, view.input(0).elements());
}

// Since opset 13 one axis, the last by default; before, all axes from `axis` on are one row.
Amount softmax_rows(NodeView& view) {
  const Operand x = view.input(0);
  const bool is_one_axis = view.opset() >= 13;
  const std::int64_t axis = view.integer("axis", is_one_axis ? -1 : 1);
  if (x.rank() == 0) return 1;
  return x.elements() / (is_one_axis ? x.dim(axis) : x.product(axis, -1));
}

void count_softmax(NodeView& view, Tally& tally) {
  add_softmax(tally, view.input(0).elements(), softmax_rows(view));
}

void count_log_softmax(NodeView& view, Tally& tally) {
  add_log_softmax(tally, view.input(0).elements(), softmax_rows(view));
}

void count_hardmax(NodeView& view, Tally& tally) {
  tally.add(Arithmetic::Compare, view.input(0).elements() - softmax_rows(view));
}

// data, bias [1 or B, ...], softmax over the axes from `axis` on.
void count_bias_softmax(NodeView& view, Tally& tally) {
  const Operand x = view.input(0);
  const Amount elements = x.elements();
  tally.add(Arithmetic::Add, elements);
  add_softmax(tally, elements, elements / x.product(view.integer("axis", 1), -1));
}

Amount window(NodeView& view) {
  Amount size = 1;
  for (const std::int64_t extent : view.node().integers("kernel_shape"))
    size *= static_cast<std::uint64_t>(std::max<std::int64_t>(extent, 0));
  return size;
}

void count_max_pool(NodeView& view, Tally& tally) {
  tally.add(Arithmetic::Compare, view.output(0).elements() * (window(view) - 1));
}

void count_average_pool(NodeView& view, Tally& tally) {
  tally.add(Arithmetic::Add, view.output(0).elements() * (window(view) - 1));
}

// The p-th root of the sum of |x|^p over `terms` elements for each output.
void add_norm(NodeView& view, Tally& tally, Amount terms, std::int64_t p) {
  const Amount outputs = view.output(0).elements();
  tally.add(Arithmetic::Add, terms - outputs);
  if (p == 1) return tally.add(Arithmetic::Compare, terms);
  if (p == 2) {
    tally.add(Arithmetic::Multiply, terms);
    return tally.add(Arithmetic::SquareRoot, outputs);
  }
  tally.add(Arithmetic::Compare, terms);
  tally.add(Arithmetic::Exponential, terms + outputs);
}

void count_lp_pool(NodeView& view, Tally& tally) {
  add_norm(view, tally, view.output(0).elements() * window(view), view.integer("p", 2));
}

void count_global_lp_pool(NodeView& view, Tally& tally) {
  add_norm(view, tally, view.input(0).elements(), view.integer("p", 2));
}

constexpr std::array kFormulas = {
    Formula{kOnnx, "ArgMax", {}, count_joins<Arithmetic::Compare>},
    Formula{kOnnx, "ArgMin", {}, count_joins<Arithmetic::Compare>},
    Formula{kOnnx, "AveragePool", {.divide = 1}, count_average_pool, Traffic::Window},
    Formula{kOnnx, "Col2Im", {}, count_joins<Arithmetic::Add>, Traffic::Whole, kAfterFirst},
    Formula{kOnnx, "GlobalAveragePool", {.divide = 1}, count_joins<Arithmetic::Add>},
    Formula{kOnnx, "GlobalLpPool", {}, count_global_lp_pool},
    Formula{kOnnx, "GlobalMaxPool", {}, count_joins<Arithmetic::Compare>},
    Formula{kOnnx, "Hardmax", {}, count_hardmax},
    Formula{kOnnx, "LogSoftmax", {}, count_log_softmax},
    Formula{kOnnx, "LpPool", {}, count_lp_pool, Traffic::Window},
    Formula{kOnnx, "MaxPool", {}, count_max_pool, Traffic::Window},
    Formula{kOnnx, "NonZero", {}, count_looks},
    Formula{kOnnx, "ReduceL1", {}, count_sum_of<Arithmetic::Compare>, Traffic::Whole, kAxes},
    Formula{kOnnx,
            "ReduceL2",
            {.square_root = 1},
            count_sum_of<Arithmetic::Multiply>,
            Traffic::Whole,
            kAxes},
    Formula{kOnnx,
            "ReduceLogSum",
            {.exponential = 1},
            count_joins<Arithmetic::Add>,
            Traffic::Whole,
            kAxes},
    Formula{kOnnx, "ReduceLogSumExp", {.exponential = 1}, count_log_sum_exp, Traffic::Whole, kAxes},
    Formula{kOnnx, "ReduceMax", {}, count_joins<Arithmetic::Compare>, Traffic::Whole, kAxes},
    Formula{
        kOnnx, "ReduceMean", {.divide = 1}, count_joins<Arithmetic::Add>, Traffic::Whole, kAxes},
    Formula{kOnnx, "ReduceMin", {}, count_joins<Arithmetic::Compare>, Traffic::Whole, kAxes},
    Formula{kOnnx, "ReduceProd", {}, count_joins<Arithmetic::Multiply>, Traffic::Whole, kAxes},
    Formula{kOnnx, "ReduceSum", {}, count_joins<Arithmetic::Add>, Traffic::Whole, kAxes},
    Formula{
        kOnnx, "ReduceSumSquare", {}, count_sum_of<Arithmetic::Multiply>, Traffic::Whole, kAxes},
    Formula{kOnnx, "Softmax", {}, count_softmax},
    Formula{kOnnx, "TopK", {}, count_looks, Traffic::Whole, kAxes},
    Formula{kOnnx, "Unique", {}, count_looks},
    Formula{kMicrosoft, "BiasSoftmax", {}, count_bias_softmax},
    Formula{kMicrosoft, "NhwcMaxPool", {}, count_max_pool},
    Formula{
        kMicrosoft, "ReduceSumInteger", {}, count_joins<Arithmetic::Add>, Traffic::Whole, kAxes},
    Formula{kMicrosoftNhwc, "AveragePool", {.divide = 1}, count_average_pool},
    Formula{kMicrosoftNhwc, "GlobalAveragePool", {.divide = 1}, count_joins<Arithmetic::Add>},
    Formula{kMicrosoftNhwc, "GlobalMaxPool", {}, count_joins<Arithmetic::Compare>},
    Formula{kMicrosoftNhwc, "MaxPool", {}, count_max_pool},
};

}  // namespace

std::span<const Formula> reduction_formulas() {
  return kFormulas;
}

}  // namespace headroom::cost
