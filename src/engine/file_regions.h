// SPDX-License-Identifier: Apache-2.0
// The file's graph cut at the values that an engine's graph still holds.
#pragma once

#include <headroom/model/graph.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace headroom {

/// A part of the file's graph that makes one value from others.
struct Region {
  std::set<std::size_t> nodes{};
  std::set<ValueId> entries{};  ///< Met values.
};

class FileRegions {
 public:
  /// `file` must outlive this. Cost: linear in the nodes.
  explicit FileRegions(const Graph& file);

  /// The engine's graph holds the value.
  void meet(ValueId value);
  bool is_met(ValueId value) const { return is_met_[value]; }
  bool is_constant(ValueId value) const;
  /// The nodes that read the value, those whose bodies do among them.
  const std::vector<std::size_t>& users(ValueId value) const { return users_[value]; }

  /// The nodes behind `value`, up to values that are met, or equal to one that is: made by the same
  /// work from equal values (stored tensors of more than 1 KiB equal themselves alone). What
  /// follows from constants alone is computed at load and left out, unless it reads one of
  /// `constants`, which the executed node reads as they are. Empty where more than kLargest nodes
  /// were met: names have been lost there. Cost: linear in the region.
  Region before(ValueId value, const std::set<ValueId>& constants) const;

 private:
  /// No optimiser fuses so many nodes.
  static constexpr std::size_t kLargest = 4096;

  const Graph& file_;
  std::vector<bool> is_constant_node_;
  std::vector<bool> is_met_;
  std::vector<std::vector<std::size_t>> users_;
  std::vector<std::uint32_t> classes_;  // By value: equal ones have the same number.
  std::vector<ValueId> met_of_class_;   // A met value of each; kNoValue.
};

}  // namespace headroom
