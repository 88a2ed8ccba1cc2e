// SPDX-License-Identifier: Apache-2.0
// One Case in this process. The only module that takes times; between two readings stands one call
// of the engine and nothing else.
#pragma once

#include <headroom/base/clock.h>
#include <headroom/engine.h>
#include <headroom/host.h>
#include <headroom/plan.h>
#include <headroom/record.h>

#include <atomic>
#include <span>

namespace headroom {

/// Set from a signal handler or another thread to end a measurement early; what was measured is
/// kept.
using StopFlag = std::atomic<bool>;

/// What measure_case needs of the world.
struct MeasureContext {
  Engine& engine;
  const Clock& clock;
  const Host& host;
  const StopFlag& stop;
};

/// Runs the case by its role and gives its part of a Record: engine facts, one Launch, samples,
/// profile or gate. What can happen to a case (a refusal, a failure of the engine) is an outcome,
/// not an Error.
Record measure_case(const Case& plan_case, const MeasureContext& context);

/// The bare loop: fills `starts` and `ends` (equal length) with clock readings around one run each
/// and returns how many were taken before `deadline` or `stop`. A run that is under way at the
/// deadline is finished and counted, so that one is taken unless `stop` is set. Errors: those of
/// Session::run; the entries before the failing run are filled, the others untouched. Cost: two
/// clock readings, one comparison and two stores a run (bench/overhead).
std::size_t take_samples(Session& session, const Clock& clock, TimePoint deadline,
                         const StopFlag& stop, std::span<TimePoint> starts,
                         std::span<TimePoint> ends);

/// What about the elements of a tensor can change how fast it is computed with. Strings and complex
/// numbers are counted, not looked at. Cost: one pass.
ElementCensus census_of(const Tensor& tensor);

/// Compares outputs with reference outputs by type; docs/method/correctness.md gives the
/// tolerances.
std::vector<OutputCheck> compare_outputs(std::span<const Tensor> actual,
                                         std::span<const Tensor> expected);

}  // namespace headroom
