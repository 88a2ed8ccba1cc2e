// SPDX-License-Identifier: Apache-2.0
// Which values of a graph are constants, and as what the file stores them: parameters are counted
// there, once, whatever one-to-one maps (a Transpose, a Reshape, a DequantizeLinear) stand between.
#pragma once

#include <headroom/model/model.h>

#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cost/amount.h"

namespace headroom::cost {

/// A graph while it is counted; a body sees the scope that encloses its node.
struct Scope {
  const Model& model;
  const Graph& graph;
  Scope* parent = nullptr;
  /// Of the outermost scope: places of nodes that contradict their inputs, as the diagnostics
  /// `contradiction_in_body` name them. No run gets through a body that holds one.
  std::set<std::string> contradictions{};
  std::string prefix{};                     ///< `NODE/BODY/` before names of inner nodes.
  std::vector<std::uint8_t> is_constant{};  ///< By value.
  std::vector<std::uint8_t> is_known{};     ///< By value: every element is known without a run.
  /// By value: follows from values that were given for inputs (ShapeOptions::values), so that a
  /// run has to compute it although inference knows it.
  std::vector<bool> is_given{};
  bool has_given = false;                      ///< Whether any is.
  std::vector<std::uint8_t> is_counted{};      ///< By value: already among the parameters.
  std::vector<std::uint64_t> used_elements{};  ///< By node: constant elements made, used by a run.

  explicit Scope(const Model& model_);  ///< Of the model's graph.
  Scope(Scope& outer, const Graph& body, std::string prefix_);

 private:
  void find_given();
  void find_constants();
};

/// A constant as stored: an initializer, or the output of a node that makes it.
struct StoredConstant {
  Scope* scope = nullptr;
  ValueId id = kNoValue;

  auto operator<=>(const StoredConstant&) const = default;
};

/// Appends what the constant `id` is stored as; a quantised constant has scales and zero points.
void append_stored(Scope& scope, ValueId id, std::vector<StoredConstant>& out);

Amount elements_of(const StoredConstant& constant);
/// 0 where the type has no size (strings).
Amount bytes_of(const StoredConstant& constant);

/// The only element of an integer or bool value, where it is known without a run.
std::optional<std::int64_t> known_scalar(const Scope& scope, ValueId id);

}  // namespace headroom::cost
