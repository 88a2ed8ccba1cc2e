// SPDX-License-Identifier: Apache-2.0
// The work in a graph, counted from shapes: multiply-adds, other arithmetic by kind, compulsory
// bytes, parameters and the activation peak. Pure: same graph, same numbers.
// docs/method/counting.md argues each rule.
#pragma once

#include <headroom/base/units.h>
#include <headroom/model/model.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// Kinds of arithmetic other than multiply-adds, counted per element.
enum class Arithmetic : std::uint8_t {
  Add,          ///< Additions and subtractions.
  Multiply,     ///< Multiplications that no addition follows.
  Divide,       ///< Divisions, reciprocals, remainders.
  Compare,      ///< Comparisons, minima, maxima, selections, sign changes.
  Exponential,  ///< exp, log, power, erf, tanh, sigmoid and other transcendental functions.
  SquareRoot,   ///< Square roots.
  Logic,        ///< Bit and boolean operations.
  Convert,      ///< Conversions between types: Cast, quantise, dequantise, rounding.
};
inline constexpr std::size_t kArithmeticKinds = 8;
std::string_view to_string(Arithmetic kind) noexcept;
using ArithmeticCounts = std::array<std::uint64_t, kArithmeticKinds>;

/// Whether a node's work is known.
enum class CountStatus : std::uint8_t {
  Counted,
  Constant,      ///< Computed from constants alone: no work of a run, its outputs are parameters.
  Uncounted,     ///< No formula for this operator.
  UnknownShape,  ///< A formula exists, but a shape it needs is open; `reason` says which dimension.
};
std::string_view to_string(CountStatus status) noexcept;

struct NodeWork {
  std::string
      name{};  ///< The node's name, or `OP of OUTPUT` where it has none; bodies: `NODE/body/INNER`.
  std::string op{};
  std::string domain{};
  CountStatus status = CountStatus::Counted;
  std::string reason{};  ///< For Uncounted and UnknownShape.
  MacCount macs{};
  ArithmeticCounts other{};
  Bytes read{};                  ///< Compulsory: each distinct input element that is needed, once.
  Bytes written{};               ///< Each output element, once.
  std::uint64_t parameters = 0;  ///< Elements of constant inputs that are first used here.
  std::vector<std::string> inputs{};  ///< Shapes as text, for reports.
  std::vector<std::string> outputs{};
};

struct OpWork {
  std::uint64_t nodes = 0;
  MacCount macs{};
  ArithmeticCounts other{};
  Bytes read{};
  Bytes written{};
  std::uint64_t parameters = 0;
};

struct Work {
  std::vector<NodeWork> nodes{};          ///< In graph order, bodies after their node.
  std::map<std::string, OpWork> by_op{};  ///< By operator, `domain.Op` for other domains.
  MacCount macs{};
  ArithmeticCounts other{};
  Bytes read{};
  Bytes written{};
  std::uint64_t parameters = 0;  ///< Each constant tensor once, however often it is used.
  Bytes parameter_bytes{};
  /// Largest sum of live activations over the given order (inputs and outputs included, parameters
  /// not); absent, with a reason, when a size is unknown.
  std::optional<Bytes> activation_peak{};
  std::string activation_peak_reason{};
  std::string activation_peak_node{};
  std::map<std::string, std::uint64_t> uncounted{};      ///< Operator → nodes without a formula.
  std::map<std::string, std::uint64_t> unknown_shape{};  ///< Operator → nodes with an open shape.
};

/// Counts the work of one run. The model's functions must be inlined and its shapes inferred.
/// Bodies of If count the branch with more MACs, bodies of Loop and Scan their trip count where it
/// is known, else the node is UnknownShape. Errors: BadInput when a count does not fit 64 bits (the
/// node is named). Cost: linear in nodes and values.
Work count_work(const Model& model);

}  // namespace headroom
