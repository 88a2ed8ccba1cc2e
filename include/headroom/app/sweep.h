// SPDX-License-Identifier: Apache-2.0
// Several runs of one model in one call: engines, thread counts, shapes.
#pragma once

#include <headroom/app/run.h>

#include <span>
#include <string>
#include <vector>

namespace headroom::app {

/// What changes from run to run. An empty axis keeps what the options say.
struct SweepAxes {
  std::vector<std::string> engines{};
  std::vector<int> threads{};
  std::vector<ShapeOptions> shapes{};
};

/// Every combination; shapes change slowest, engines fastest.
std::vector<RunOptions> expand(const RunOptions& options, const SweepAxes& axes);

/// The runs one after another, each stored when it is done. An interrupt ends the one that it meets
/// and those behind it.
std::vector<RunResult> sweep(std::vector<PreparedRun> runs, const RunContext& context);

/// The memory of one session that meets the shapes of the records in turn, for each engine and
/// thread count with more than one: records of role Shapes, in the order in which these come. Those
/// that failed are left out of it.
std::vector<Record> shape_memory(std::span<const RunResult> results, const RunContext& context);

/// The first status above 1 that a record has, else 1 where one is mistrusted, else 0.
int exit_status(std::span<const RunResult> results) noexcept;

}  // namespace headroom::app
