// SPDX-License-Identifier: Apache-2.0
// Functions of single elements, Cast, and reductions of small tensors.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "model/infer/evaluate.h"
#include "model/infer/generic.h"
#include "model/infer/known.h"

namespace headroom::infer {
namespace {

using OfInteger = Integer (*)(std::int64_t);
using OfReal = double (*)(double);

// As a tensor of the real type `type` keeps it.
double rounded(ElementType type, double value) {
  return type == ElementType::Float32 ? static_cast<double>(static_cast<float>(value)) : value;
}

Dim mapped_element(const NodeInference& node, std::size_t index, const Dim& element,
                   OfInteger integers, bool keeps_sizes) {
  const Integer mapped = element.size ? integers(*element.size) : std::nullopt;
  if (mapped && fits(node.output(0).element, *mapped)) return fixed(*mapped);
  if (keeps_sizes && is_size(element)) return element;
  return node.derived_element(index, element);
}

void map_integers(NodeInference& node, const KnownElements& known, OfInteger integers,
                  bool keeps_sizes) {
  KnownElements result;
  for (std::size_t i = 0; i < known.elements.size(); ++i)
    append_element(result, mapped_element(node, i, element_at(known, i), integers, keeps_sizes));
  node.set_known(0, std::move(result));
}

void map_reals(NodeInference& node, const KnownElements& known, OfReal reals) {
  KnownElements result;
  result.reals.reserve(known.reals.size());
  for (const double value : known.reals)
    result.reals.push_back(rounded(node.output(0).element, reals(value)));
  node.set_known(0, std::move(result));
}

// `integers` and `reals` may be nullptr where the operator has no such form.
void map_elements(NodeInference& node, OfInteger integers, OfReal reals, bool keeps_sizes = false) {
  const KnownElements* known = node.is_known(0) ? node.known(0) : nullptr;
  if (!known) return;
  if (known->reals.empty()) {
    if (integers) map_integers(node, *known, integers, keeps_sizes);
  } else if (reals) {
    map_reals(node, *known, reals);
  }
}

// Truncated towards zero; nothing beyond 2⁵³, where engines' conversions differ.
Integer to_integer(double value) {
  if (!(std::fabs(value) < 0x1p53)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

double to_real(ElementType type, const Integer& value) {
  if (!value) return std::numeric_limits<double>::quiet_NaN();
  return type == ElementType::Float32 ? static_cast<double>(static_cast<float>(*value))
                                      : static_cast<double>(*value);
}

void cast_reals(NodeInference& node, const KnownElements& known, ElementType to, bool is_real) {
  KnownElements result;
  for (std::size_t i = 0; i < known.reals.size(); ++i) {
    const double value = known.reals[i];
    if (is_real) {
      result.reals.push_back(rounded(to, value));
      continue;
    }
    Integer mapped = to_integer(value);
    if (to == ElementType::Bool && !std::isnan(value)) mapped = value != 0 ? 1 : 0;
    append_element(result, mapped && fits(to, *mapped) ? fixed(*mapped) : node.unknown_element(i));
  }
  node.set_known(0, std::move(result));
}

void cast_integers(NodeInference& node, const KnownElements& known, ElementType to, bool is_real) {
  KnownElements result;
  for (std::size_t i = 0; i < known.elements.size(); ++i) {
    const Dim element = element_at(known, i);
    if (is_real) {
      result.reals.push_back(to_real(to, element.size));
      continue;
    }
    Dim mapped = element;
    if (to == ElementType::Bool) {
      mapped = element.size ? fixed(*element.size != 0 ? 1 : 0) : node.derived_element(i, element);
    } else if (element.size && !fits(to, *element.size)) {
      mapped = node.unknown_element(i);
    }
    append_element(result, std::move(mapped));
  }
  node.set_known(0, std::move(result));
}

/// Joins two elements of an integer tensor that become one output element.
using Fold = Integer (*)(std::int64_t, std::int64_t);

std::optional<std::vector<bool>> reduced_axes(NodeInference& node, std::size_t rank) {
  const Axes axes = read_axes(node, 1);
  if (!axes.values) return std::nullopt;
  if (!axes.values->empty()) return selected(node, *axes.values, rank);
  return std::vector<bool>(rank, node.node().integer("noop_with_empty_axes", 0) == 0);
}

// For each element of the input, the index of the output element it is folded into.
std::vector<std::size_t> targets(const Shape& shape, const std::vector<bool>& is_reduced) {
  std::vector<std::size_t> result = {0};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto size = static_cast<std::size_t>(*shape[d].size);
    std::vector<std::size_t> next;
    for (const std::size_t index : result) {
      for (std::size_t i = 0; i < size; ++i)
        next.push_back(is_reduced[d] ? index : index * size + i);
    }
    result = std::move(next);
  }
  return result;
}

// The output element `index` with one more term.
Dim folded(const NodeInference& node, Fold fold, std::size_t index, const Dim& sum,
           const Dim& element) {
  if (sum.size && element.size) return Dim{.size = fold(*sum.size, *element.size)};
  return node.derived_element(index, sum.size ? element : sum);
}

// For each output element, what the input elements that go `into` it fold to.
std::vector<Dim> folds(const NodeInference& node, Fold fold, const KnownElements& known,
                       std::span<const std::size_t> into, std::vector<Dim> sums) {
  std::vector<bool> has_term(sums.size(), false);
  for (std::size_t i = 0; i < into.size(); ++i) {
    const std::size_t to = into[i];
    const Dim element = element_at(known, i);
    sums[to] = has_term[to] ? folded(node, fold, to, sums[to], element) : element;
    has_term[to] = true;
  }
  return sums;
}

void reduce(NodeInference& node, Fold fold, Integer neutral) {
  const KnownElements* known = node.is_known(0) ? node.known(0) : nullptr;
  const Shape* shape = node.shape(0);
  if (!known || !shape || known->elements.empty()) return;
  const auto is_reduced = reduced_axes(node, shape->size());
  if (!is_reduced) return;
  const Integer count = product(std::span<const Dim>(*node.output(0).shape));
  const std::vector<Dim> sums =
      folds(node, fold, *known, targets(*shape, *is_reduced),
            std::vector<Dim>(static_cast<std::size_t>(*count), Dim{.size = neutral}));
  KnownElements result;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const bool is_lost =
        sums[i].size ? !fits(node.output(0).element, *sums[i].size) : sums[i].symbol.empty();
    append_element(result, is_lost ? node.unknown_element(i) : sums[i]);
  }
  node.set_known(0, std::move(result));
}

}  // namespace

void evaluate_negative(NodeInference& node) {
  map_elements(
      node, [](std::int64_t value) { return minus(std::int64_t{0}, value); },
      [](double value) { return -value; });
}

void evaluate_absolute(NodeInference& node) {
  map_elements(
      node,
      [](std::int64_t value) { return value < 0 ? minus(std::int64_t{0}, value) : Integer{value}; },
      [](double value) { return std::fabs(value); }, true);
}

void evaluate_rectified(NodeInference& node) {
  map_elements(
      node, [](std::int64_t value) { return Integer{std::max<std::int64_t>(value, 0)}; },
      [](double value) { return value < 0 ? 0 : value; }, true);
}

void evaluate_sign(NodeInference& node) {
  map_elements(
      node, [](std::int64_t value) { return Integer{(value > 0 ? 1 : 0) - (value < 0 ? 1 : 0)}; },
      nullptr);
}

void evaluate_floor(NodeInference& node) {
  map_elements(node, nullptr, [](double value) { return std::floor(value); });
}

void evaluate_ceil(NodeInference& node) {
  map_elements(node, nullptr, [](double value) { return std::ceil(value); });
}

// Halves go to the even neighbour, which is what nearbyint does in the default rounding mode.
void evaluate_round(NodeInference& node) {
  map_elements(node, nullptr, [](double value) { return std::nearbyint(value); });
}

void evaluate_square_root(NodeInference& node) {
  map_elements(node, nullptr, [](double value) { return std::sqrt(value); });
}

void evaluate_not(NodeInference& node) {
  map_elements(
      node, [](std::int64_t value) { return Integer{value == 0 ? 1 : 0}; }, nullptr);
}

void evaluate_cast(NodeInference& node) {
  const KnownElements* known = node.is_known(0) ? node.known(0) : nullptr;
  if (!known) return;
  const ElementType to = node.output(0).element;
  const bool is_real = is_float(to);
  if (known->reals.empty()) {
    cast_integers(node, *known, to, is_real);
  } else {
    cast_reals(node, *known, to, is_real);
  }
}

void evaluate_reduce_sum(NodeInference& node) {
  reduce(
      node, [](std::int64_t a, std::int64_t b) { return plus(a, b); }, 0);
}

void evaluate_reduce_product(NodeInference& node) {
  reduce(
      node, [](std::int64_t a, std::int64_t b) { return times(a, b); }, 1);
}

void evaluate_reduce_minimum(NodeInference& node) {
  reduce(
      node, [](std::int64_t a, std::int64_t b) { return Integer{std::min(a, b)}; }, std::nullopt);
}

void evaluate_reduce_maximum(NodeInference& node) {
  reduce(
      node, [](std::int64_t a, std::int64_t b) { return Integer{std::max(a, b)}; }, std::nullopt);
}

}  // namespace headroom::infer
