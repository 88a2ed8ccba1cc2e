// SPDX-License-Identifier: Apache-2.0
// What OpenVINO tells of its nodes after each run, made into sums over the runs that count.
#pragma once

#include <headroom/engine.h>

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::openvino {

/// A node as the engine tells it after a run. The time is its mean over all runs so far (seen with
/// version 2026.4: runs of 2 µs after three of 165 ms are told as 124 ms), cut to whole
/// microseconds; 0 where it did not run or took less than one.
struct NodeReading {
  std::string name{};
  std::string op{};
  std::string implementation{};
  Nanoseconds mean{};
};

/// Readings of all runs, in order.
class ProfileLog {
 public:
  /// Adds the readings after one more run, of the same nodes in the same order.
  /// Errors: Engine where there are more or fewer nodes than before.
  void add(std::vector<NodeReading> readings);

  /// The sums over the runs after the first `skipped_runs`, the longest first: with the mean m(k)
  /// after k runs, n·m(n) − k·m(k). Nodes without a time are left out.
  /// Units: wrong by at most n / (n − k) µs a run, since means are whole microseconds.
  std::vector<ExecutedNode> sums(std::uint64_t skipped_runs) const;

 private:
  std::vector<NodeReading> newest_{};
  std::vector<std::vector<Nanoseconds>> means_{};  // By run, then by node.
};

}  // namespace headroom::openvino
