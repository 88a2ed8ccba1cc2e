// SPDX-License-Identifier: Apache-2.0
// What is known about the cost of each operator: one row for each, in tables by family.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "cost/view.h"

namespace headroom::cost {

/// Which bytes a node must move (docs/method/counting.md).
enum class Traffic : std::uint8_t {
  Whole,     ///< Each input and each output.
  View,      ///< None: output 0 is input 0 under another shape. Further outputs are written.
  Fill,      ///< Inputs say only sizes; outputs are written.
  Selected,  ///< Of input 0 as many elements as output 0 has.
  Window,    ///< Of input 0 what the sliding window touches.
  Picked,    ///< Of input 0 as many elements as input 1 has.
  Experts,   ///< Of the tables as many rows as attribute `k` names for each row of `indices`.
  Parts,     ///< Output 0 is a sequence of parts of input 0.
  Entries,   ///< Output 0 is a sequence of maps with an entry for each element of input 0.
};

/// Arithmetic for each element of output 0.
struct PerElement {
  std::uint8_t add = 0;
  std::uint8_t multiply = 0;
  std::uint8_t divide = 0;
  std::uint8_t compare = 0;
  std::uint8_t exponential = 0;
  std::uint8_t square_root = 0;
  std::uint8_t logic = 0;
  std::uint8_t convert = 0;

  bool operator==(const PerElement&) const = default;
};

/// Bit i set: input i is a setting (a shape, axes, bounds), data neither of the run nor of the
/// model.
using InputMask = std::uint32_t;
constexpr InputMask input_bit(unsigned index) {
  return InputMask{1} << index;
}
inline constexpr InputMask kAfterFirst = ~input_bit(0);

struct Formula {
  std::string_view domain{};
  std::string_view op{};
  PerElement each{};
  /// What is not per element of output 0; null where there is nothing else.
  void (*count)(NodeView& view, Tally& tally) = nullptr;
  Traffic traffic = Traffic::Whole;
  InputMask settings = 0;
  /// Of these inputs only the rows are needed that input `indices` names, along the attribute
  /// `axis` or `gather_axis`.
  InputMask tables = 0;
  unsigned indices = 1;
  /// Why the work follows from neither shapes nor attributes: such a row counts nothing.
  std::string_view reason{};
  /// Of a row with a reason: the operator may multiply and add all the same.
  bool may_hold_macs = false;
};

inline constexpr std::string_view kOnnx = "";
inline constexpr std::string_view kOnnxMl = "ai.onnx.ml";
inline constexpr std::string_view kOnnxPreview = "ai.onnx.preview";
inline constexpr std::string_view kOnnxTraining = "ai.onnx.preview.training";
inline constexpr std::string_view kMicrosoft = "com.microsoft";
inline constexpr std::string_view kMicrosoftNhwc = "com.ms.internal.nhwc";

/// The families, each in a file of its name.
std::span<const Formula> elementwise_formulas();
std::span<const Formula> contraction_formulas();
std::span<const Formula> quantized_formulas();
std::span<const Formula> recurrent_formulas();
std::span<const Formula> attention_formulas();
std::span<const Formula> reduction_formulas();
std::span<const Formula> normalization_formulas();
std::span<const Formula> movement_formulas();
std::span<const Formula> classical_formulas();
std::span<const Formula> signal_formulas();
std::span<const Formula> training_formulas();
std::span<const Formula> matrix_formulas();
std::span<const Formula> expert_formulas();
/// Operators whose rows hold a reason instead.
std::span<const Formula> uncounted_formulas();

/// The row of an operator, which may hold a reason instead of a formula; null if it has none.
/// `ai.onnx` is the empty domain. Cost: logarithmic.
const Formula* find_formula(std::string_view domain, std::string_view op);

/// Adds `times` executions of `each`.
void add_each(Tally& tally, const PerElement& each, Amount times);

}  // namespace headroom::cost
