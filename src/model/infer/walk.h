// SPDX-License-Identifier: Apache-2.0
// The pass over a graph and its bodies: applies each node's rule, joins what it says with what the
// file declares, and keeps the findings.
#pragma once

#include <headroom/model/model.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/infer/inference.h"

namespace headroom::infer {

/// How far contradictions are trusted: inside a body that may never run they are findings.
enum class Strictness : std::uint8_t { Strict, Lenient };

class Walk {
 public:
  /// `dims`: sizes of symbols that are fixed. `observed`: what a run gave; outlives the walk.
  Walk(Model& model, std::map<std::string, std::int64_t, std::less<>> dims,
       const std::map<std::string, ObservedType, std::less<>>& observed)
      : model_(model), dims_(std::move(dims)), observed_(observed) {}

  /// Infers every node of the scope's graph, in order. The types of its inputs are set. False when
  /// a node contradicts itself (Lenient): then this graph cannot run to its end.
  bool infer_graph(Scope& scope, Strictness strictness);
  /// The types of values that come from initializers and from around the graph.
  void start_graph(Scope& scope);

  /// Elements of a value; small stored tensors are read and kept. nullptr where nothing is known.
  const KnownElements* known(Scope& scope, ValueId id);
  bool is_known(const Scope& scope, ValueId id) const;

  void report(Severity severity, std::string_view code, std::string place, std::string message);
  /// Bodies around the one that is being inferred.
  std::size_t depth() const noexcept { return depth_; }
  Strictness strictness() const noexcept { return strictness_; }
  /// Findings of a trial are dropped.
  void set_trial(bool is_trial) noexcept { is_trial_ = is_trial; }
  bool is_trial() const noexcept { return is_trial_; }
  /// The type as the file declares it, with fixed symbols replaced and sizes below 1 opened.
  ValueType declared(const ValueType& type, const std::string& name) const;
  /// Where external data is looked for; empty for a model that was not read from a file.
  std::filesystem::path model_folder() const;
  /// One diagnostic for each operator without a rule, one for unknown ranks, one for contradicted
  /// declarations, one for what a run told.
  void finish();

 private:
  struct Tally {
    std::uint64_t nodes = 0;
    std::string first{};
  };

  void infer_node(Scope& scope, Node& node);
  void apply(Scope& scope, Node& node);
  void accept(Scope& scope, Node& node, std::vector<ValueType> declarations);
  void take_observed(Scope& scope, const Node& node);
  void take_observed(Scope& scope, const Node& node, ValueId id, const ObservedType& seen);
  void note_vague(const Scope& scope, const Node& node);
  void count_contradiction(const Scope& scope, ValueId id, const ValueType& declaration,
                           const ValueType& inferred);
  std::int64_t opset_of(std::string_view domain) const;

  Model& model_;
  std::map<std::string, std::int64_t, std::less<>> dims_;
  const std::map<std::string, ObservedType, std::less<>>& observed_;
  std::map<std::string, Tally> without_rule_{};
  Tally contradicted_{};
  std::uint64_t confirmed_ = 0;  // Values that inference and the run agree on.
  std::uint64_t filled_ = 0;     // Values that only the run told.
  std::uint64_t differing_ = 0;  // Values that they disagree on.
  Tally vague_{};
  std::string vague_value_{};
  std::vector<bool> is_model_output_{};  // By ValueId of the outermost graph.
  std::size_t depth_ = 0;
  Strictness strictness_ = Strictness::Strict;
  bool is_trial_ = false;
  bool is_sound_ = true;  // No contradiction so far in the graph that is being inferred.
};

}  // namespace headroom::infer
