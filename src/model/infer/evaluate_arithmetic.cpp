// SPDX-License-Identifier: Apache-2.0
// Arithmetic on small tensors, two or more inputs with broadcasting.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "model/infer/broadcast.h"
#include "model/infer/evaluate.h"
#include "model/infer/known.h"

namespace headroom::infer {
namespace {

/// What an operator does with two numbers. `open` is for pairs of which one is not known: it gives
/// the result where that follows all the same.
struct Operation {
  Integer (*integers)(std::int64_t a, std::int64_t b) = nullptr;
  double (*reals)(double a, double b) = nullptr;
  std::optional<Dim> (*open)(const Dim& a, const Dim& b) = nullptr;
  /// Comparisons give an integer (0 or 1) from reals.
  bool (*compare)(double a, double b) = nullptr;
};

const Dim& known_of(const Dim& a, const Dim& b) {
  return a.size ? a : b;
}
const Dim& open_of(const Dim& a, const Dim& b) {
  return a.size ? b : a;
}
bool one_is(const Dim& a, const Dim& b, std::int64_t value) {
  return a.size == value || b.size == value;
}

std::optional<Dim> open_add(const Dim& a, const Dim& b) {
  return one_is(a, b, 0) ? std::optional(open_of(a, b)) : std::nullopt;
}
std::optional<Dim> open_subtract(const Dim& a, const Dim& b) {
  if (b.size == 0) return a;
  return same(a, b) ? std::optional(fixed(0)) : std::nullopt;
}
std::optional<Dim> open_multiply(const Dim& a, const Dim& b) {
  if (one_is(a, b, 0)) return fixed(0);
  return one_is(a, b, 1) ? std::optional(open_of(a, b)) : std::nullopt;
}
std::optional<Dim> open_divide(const Dim& a, const Dim& b) {
  return b.size == 1 ? std::optional(a) : std::nullopt;
}
std::optional<Dim> open_minimum(const Dim& a, const Dim& b) {
  if (same(a, b)) return a;
  const Dim& known = known_of(a, b);
  return known.size && *known.size <= 0 && is_size(open_of(a, b)) ? std::optional(known)
                                                                  : std::nullopt;
}
std::optional<Dim> open_maximum(const Dim& a, const Dim& b) {
  if (same(a, b)) return a;
  const Dim& known = known_of(a, b);
  return known.size && *known.size <= 0 && is_size(open_of(a, b)) ? std::optional(open_of(a, b))
                                                                  : std::nullopt;
}
// A size is never below 0.
std::optional<Dim> open_equal(const Dim& a, const Dim& b) {
  if (same(a, b)) return fixed(1);
  const Dim& known = known_of(a, b);
  return known.size && *known.size < 0 && is_size(open_of(a, b)) ? std::optional(fixed(0))
                                                                 : std::nullopt;
}
std::optional<Dim> open_less(const Dim& a, const Dim& b) {
  if (same(a, b)) return fixed(0);
  if (b.size && *b.size <= 0 && is_size(a)) return fixed(0);
  return a.size && *a.size < 0 && is_size(b) ? std::optional(fixed(1)) : std::nullopt;
}
std::optional<Dim> open_less_or_equal(const Dim& a, const Dim& b) {
  if (same(a, b)) return fixed(1);
  if (a.size && *a.size <= 0 && is_size(b)) return fixed(1);
  return b.size && *b.size < 0 && is_size(a) ? std::optional(fixed(0)) : std::nullopt;
}
std::optional<Dim> open_greater(const Dim& a, const Dim& b) {
  return open_less(b, a);
}
std::optional<Dim> open_greater_or_equal(const Dim& a, const Dim& b) {
  return open_less_or_equal(b, a);
}
std::optional<Dim> open_and(const Dim& a, const Dim& b) {
  if (one_is(a, b, 0)) return fixed(0);
  return one_is(a, b, 1) ? std::optional(open_of(a, b)) : std::nullopt;
}
std::optional<Dim> open_or(const Dim& a, const Dim& b) {
  if (one_is(a, b, 1)) return fixed(1);
  return one_is(a, b, 0) ? std::optional(open_of(a, b)) : std::nullopt;
}
std::optional<Dim> open_nothing(const Dim&, const Dim&) {
  return std::nullopt;
}

Integer modulo(std::int64_t a, std::int64_t b) {
  if (b == 0 || b == -1) return b == 0 ? std::nullopt : Integer{0};
  const std::int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

Integer remainder(std::int64_t a, std::int64_t b) {
  if (b == 0 || b == -1) return b == 0 ? std::nullopt : Integer{0};
  return a % b;
}

Integer power(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0 || exponent > 63) return std::nullopt;
  Integer result = 1;
  for (std::int64_t i = 0; i < exponent; ++i) result = times(result, Integer{base});
  return result;
}

std::int64_t bit(bool value) {
  return value ? 1 : 0;
}

// The result rounded to the type of the output; float32 engines compute in float32.
double rounded(ElementType type, double value) {
  return type == ElementType::Float32 ? static_cast<double>(static_cast<float>(value)) : value;
}

struct Operand {
  const KnownElements* known = nullptr;
  std::vector<std::size_t> indices{};

  bool is_real() const { return !known->reals.empty(); }
};

std::optional<std::vector<Operand>> read_operands(NodeInference& node) {
  for (std::size_t i = 0; i < node.input_count(); ++i)
    if (!node.is_known(i) || !node.shape(i)) return std::nullopt;
  std::vector<Operand> operands(node.input_count());
  for (std::size_t i = 0; i < operands.size(); ++i) {
    operands[i].known = node.known(i);
    if (!operands[i].known) return std::nullopt;
    operands[i].indices = broadcast_indices(*node.shape(i), *node.output(0).shape);
  }
  return operands;
}

Dim combine(const NodeInference& node, const Operation& operation, const Dim& a, const Dim& b,
            std::size_t index) {
  if (a.size && b.size) {
    const Integer result = operation.integers(*a.size, *b.size);
    if (result && fits(node.output(0).element, *result)) return fixed(*result);
    return node.unknown_element(index);
  }
  if (const auto result = operation.open(a, b)) return *result;
  return node.derived_element(index, open_of(a, b));
}

void fold_reals(NodeInference& node, const Operation& operation,
                const std::vector<Operand>& operands) {
  if (!operation.reals) return;
  KnownElements result;
  for (std::size_t i = 0; i < operands.front().indices.size(); ++i) {
    double value = operands.front().known->reals[operands.front().indices[i]];
    for (std::size_t k = 1; k < operands.size(); ++k) {
      value = rounded(node.output(0).element,
                      operation.reals(value, operands[k].known->reals[operands[k].indices[i]]));
    }
    result.reals.push_back(value);
  }
  node.set_known(0, std::move(result));
}

void compare_reals(NodeInference& node, const Operation& operation,
                   const std::vector<Operand>& operands) {
  KnownElements result;
  for (std::size_t i = 0; i < operands[0].indices.size(); ++i) {
    const double a = operands[0].known->reals[operands[0].indices[i]];
    const double b = operands[1].known->reals[operands[1].indices[i]];
    const bool is_open = std::isnan(a) || std::isnan(b);
    append_element(result, is_open ? node.unknown_element(i) : fixed(bit(operation.compare(a, b))));
  }
  node.set_known(0, std::move(result));
}

void fold_integers(NodeInference& node, const Operation& operation,
                   const std::vector<Operand>& operands) {
  KnownElements result;
  for (std::size_t i = 0; i < operands.front().indices.size(); ++i) {
    Dim value = element_at(*operands.front().known, operands.front().indices[i]);
    for (std::size_t k = 1; k < operands.size(); ++k) {
      value = combine(node, operation, value,
                      element_at(*operands[k].known, operands[k].indices[i]), i);
    }
    append_element(result, std::move(value));
  }
  node.set_known(0, std::move(result));
}

void fold(NodeInference& node, const Operation& operation) {
  const auto operands = read_operands(node);
  if (!operands || operands->empty() || operands->front().indices.empty()) return;
  const auto is_real = [](const Operand& operand) { return operand.is_real(); };
  if (std::none_of(operands->begin(), operands->end(), is_real))
    return operation.integers ? fold_integers(node, operation, *operands) : void();
  if (!std::all_of(operands->begin(), operands->end(), is_real)) return;
  if (!operation.compare) return fold_reals(node, operation, *operands);
  if (operands->size() == 2) compare_reals(node, operation, *operands);
}

}  // namespace

void evaluate_add(NodeInference& node) {
  fold(node, {plus, [](double a, double b) { return a + b; }, open_add});
}

void evaluate_subtract(NodeInference& node) {
  fold(node, {minus, [](double a, double b) { return a - b; }, open_subtract});
}

void evaluate_multiply(NodeInference& node) {
  fold(node, {times, [](double a, double b) { return a * b; }, open_multiply});
}

void evaluate_divide(NodeInference& node) {
  fold(node, {quotient, [](double a, double b) { return a / b; }, open_divide});
}

// With fmod the sign follows the dividend, else the divisor; for reals only the former is
// evaluated.
void evaluate_modulo(NodeInference& node) {
  if (node.node().integer("fmod", 0) == 0) return fold(node, {modulo, nullptr, open_nothing});
  fold(node, {remainder, [](double a, double b) { return std::fmod(a, b); }, open_nothing});
}

void evaluate_power(NodeInference& node) {
  fold(node, {power, nullptr, open_nothing});
}

void evaluate_minimum(NodeInference& node) {
  fold(node,
       {[](std::int64_t a, std::int64_t b) -> Integer { return std::min(a, b); },
        [](double a, double b) { return std::isnan(a) || std::isnan(b) ? a + b : std::min(a, b); },
        open_minimum});
}

void evaluate_maximum(NodeInference& node) {
  fold(node,
       {[](std::int64_t a, std::int64_t b) -> Integer { return std::max(a, b); },
        [](double a, double b) { return std::isnan(a) || std::isnan(b) ? a + b : std::max(a, b); },
        open_maximum});
}

void evaluate_equal(NodeInference& node) {
  fold(node, {[](std::int64_t a, std::int64_t b) -> Integer { return bit(a == b); }, nullptr,
              open_equal, [](double a, double b) { return a == b; }});
}

void evaluate_less(NodeInference& node) {
  fold(node, {[](std::int64_t a, std::int64_t b) -> Integer { return bit(a < b); }, nullptr,
              open_less, [](double a, double b) { return a < b; }});
}

void evaluate_less_or_equal(NodeInference& node) {
  fold(node, {[](std::int64_t a, std::int64_t b) -> Integer { return bit(a <= b); }, nullptr,
              open_less_or_equal, [](double a, double b) { return a <= b; }});
}

void evaluate_greater(NodeInference& node) {
  fold(node, {[](std::int64_t a, std::int64_t b) -> Integer { return bit(a > b); }, nullptr,
              open_greater, [](double a, double b) { return a > b; }});
}

void evaluate_greater_or_equal(NodeInference& node) {
  fold(node, {[](std::int64_t a, std::int64_t b) -> Integer { return bit(a >= b); }, nullptr,
              open_greater_or_equal, [](double a, double b) { return a >= b; }});
}

void evaluate_and(NodeInference& node) {
  fold(node, {[](std::int64_t a, std::int64_t b) -> Integer { return bit(a != 0 && b != 0); },
              nullptr, open_and});
}

void evaluate_or(NodeInference& node) {
  fold(node, {[](std::int64_t a, std::int64_t b) -> Integer { return bit(a != 0 || b != 0); },
              nullptr, open_or});
}

void evaluate_xor(NodeInference& node) {
  fold(node, {[](std::int64_t a, std::int64_t b) -> Integer { return bit((a != 0) != (b != 0)); },
              nullptr, open_nothing});
}

namespace {

// One element of Where: the chosen one; if the condition is open, what both sides agree on.
Dim chosen(const NodeInference& node, const Dim& condition, const Dim& yes, const Dim& no,
           std::size_t index) {
  if (condition.size) return *condition.size != 0 ? yes : no;
  return same(yes, no) ? yes : node.derived_element(index, condition);
}

}  // namespace

void evaluate_where(NodeInference& node) {
  const auto operands = read_operands(node);
  if (!operands || operands->size() != 3) return;
  const Operand& condition = (*operands)[0];
  const Operand& yes = (*operands)[1];
  const Operand& no = (*operands)[2];
  if (condition.is_real() || yes.is_real() != no.is_real()) return;
  KnownElements result;
  for (std::size_t i = 0; i < condition.indices.size(); ++i) {
    const Dim choice = element_at(*condition.known, condition.indices[i]);
    if (!yes.is_real()) {
      append_element(result, chosen(node, choice, element_at(*yes.known, yes.indices[i]),
                                    element_at(*no.known, no.indices[i]), i));
      continue;
    }
    const double a = yes.known->reals[yes.indices[i]];
    const double b = no.known->reals[no.indices[i]];
    const double open = a == b ? a : std::numeric_limits<double>::quiet_NaN();
    result.reals.push_back(choice.size ? (*choice.size != 0 ? a : b) : open);
  }
  node.set_known(0, std::move(result));
}

}  // namespace headroom::infer
