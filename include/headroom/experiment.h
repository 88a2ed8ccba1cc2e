// SPDX-License-Identifier: Apache-2.0
// Several Cases that belong together: the launches of one measurement, the search for accepted
// inputs, the gate and the instrumented run around them.
#pragma once

#include <headroom/plan.h>
#include <headroom/record.h>
#include <headroom/worker.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// What long work is doing now, for a terminal.
struct Progress {
  std::string stage{};  ///< `launch 2 of 5`, `gate`, `profile`.
  std::string detail{};
};
using ProgressSink = std::function<void(const Progress&)>;

struct RunPlan {
  Case plan_case{};                  ///< role Measure; its stop rule is for each launch.
  std::vector<Case> alternatives{};  ///< Cases with other inputs, tried when the first is refused.
  Nanoseconds probe_time{30'000'000'000};  ///< For trying alternatives, all together.
  int launches = 5;
  Nanoseconds time{10'000'000'000};  ///< Budget of the timed launches.
  bool wants_gate = true;
  bool wants_profile = true;
};

/// Probes (only if there are alternatives), gate, launches one after another, instrumented run;
/// each in a process of its own, never two at a time. Merges them into one Record whose metrics are
/// computed by `summarize`. An interrupt gives a partial record with what was measured.
Record run_experiment(const RunPlan& plan, Launcher& launcher, const StopFlag& stop,
                      const ProgressSink& progress);

/// Fills record.metrics from its launches and samples: statistic per launch, then over launches;
/// every key of metric_table, absent ones with a reason. Sets Noisy when the interval of the median
/// is wider than 5 % of it. Pure.
void summarize(Record& record);

}  // namespace headroom
