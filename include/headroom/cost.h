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
  Multiply,     ///< Multiplications outside of sums of products (those are MACs).
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
  Uncounted,     ///< No formula for this operator; `reason` says why, or that it is not known.
  UnknownShape,  ///< A formula exists, but a size it needs is open; `reason` says which dimension.
  NotTaken,      ///< In a branch of If that the counted run does not take: no work.
};
std::string_view to_string(CountStatus status) noexcept;

struct NodeWork {
  /// The node's name, or `OP of OUTPUT` where it has none; in a body `NODE/BODY/INNER`.
  std::string name{};
  std::string op{};
  std::string domain{};
  CountStatus status = CountStatus::Counted;
  std::string reason{};  ///< For Uncounted and UnknownShape; for If, which branch is counted.
  /// What must be fixed for UnknownShape, as Dim::symbol; empty where no dimension is to blame.
  std::string open_dimension{};
  /// For Uncounted and UnknownShape: the operator multiplies and adds, or is not known, so that the
  /// sums of MACs are lower limits.
  bool may_hold_macs = false;
  std::uint64_t runs =
      1;  ///< Executions in one run of the model (bodies of loops); in every count.
  MacCount macs{};
  ElementType mac_type = ElementType::Undefined;  ///< Of the left operand of the products, if any.
  ArithmeticCounts other{};
  Bytes read{};                  ///< Compulsory: each distinct input element that is needed, once.
  Bytes written{};               ///< Each output element, once.
  std::uint64_t parameters = 0;  ///< Elements of constants that are first used here.
  Bytes parameter_bytes{};
  std::uint64_t constant_elements = 0;  ///< For Constant: elements made here that a run uses.
  std::vector<std::string> inputs{};    ///< Types and shapes as text: `float32[1x3x224x224]`.
  std::vector<std::string> outputs{};
  bool is_observed = false;  ///< Inference left an output's type open, and a run told it.
};

/// Sums over the nodes of one operator.
struct OpWork {
  std::uint64_t nodes = 0;
  std::uint64_t constant_nodes = 0;
  std::uint64_t uncounted_nodes = 0;      ///< The sums leave these out, and those of
  std::uint64_t unknown_shape_nodes = 0;  ///< an open size.
  MacCount macs{};
  ArithmeticCounts other{};
  Bytes read{};
  Bytes written{};
  std::uint64_t parameters = 0;
  Bytes parameter_bytes{};
  std::uint64_t constant_elements = 0;

  std::uint64_t unknown_nodes() const noexcept { return uncounted_nodes + unknown_shape_nodes; }
};

/// The nodes of an operator without a formula.
struct Uncounted {
  std::uint64_t nodes = 0;
  std::string reason{};  ///< Why it can have none; empty for an operator that is not known.
};

struct Work {
  std::vector<NodeWork> nodes{};          ///< In graph order, bodies after their node.
  std::map<std::string, OpWork> by_op{};  ///< By operator, `domain.Op` for other domains.
  MacCount macs{};
  std::map<ElementType, MacCount> macs_by_type{};  ///< By NodeWork::mac_type.
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
  std::map<std::string, Uncounted> uncounted{};          ///< By operator, as in by_op.
  std::map<std::string, std::uint64_t> unknown_shape{};  ///< Operator → nodes with an open size.

  /// Whether every node is counted: otherwise the sums are lower limits.
  bool is_complete() const noexcept { return uncounted.empty() && unknown_shape.empty(); }
};

/// Counts the work of one run. The model's functions must be inlined and its shapes inferred.
/// Bodies of If count the branch with more MACs, bodies of Loop and Scan their trip count where it
/// is known, else the node is UnknownShape. Errors: BadInput when a count does not fit 64 bits (the
/// node is named). Cost: linear in nodes and values.
Work count_work(const Model& model);

}  // namespace headroom
