// SPDX-License-Identifier: Apache-2.0
// Several Cases that belong together: the launches of one measurement, the search for accepted
// inputs, the gate and the instrumented run around them.
#pragma once

#include <headroom/base/clock.h>
#include <headroom/plan.h>
#include <headroom/record.h>
#include <headroom/worker.h>

#include <cstddef>
#include <cstdint>
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

/// Most samples of one launch, whatever the plan says: a hundred times what a 99th percentile
/// needs. More would narrow nothing that is reported (the launch is the unit of replication), and
/// every sample is kept.
inline constexpr std::uint64_t kMostSamplesOfLaunch = 100'000;

struct RunPlan {
  /// role Measure. The time limits of its stop and warm-up rules are replaced by shares of `time`
  /// (warm-up keeps its own where that is shorter).
  Case plan_case{};
  std::vector<Case> alternatives{};  ///< Cases with other inputs, tried when the first is refused.
  Nanoseconds probe_time{30'000'000'000};  ///< For trying alternatives, all together.
  int launches = 5;
  /// Budget of the timed launches with their loads and warm-ups. Every launch takes at least one
  /// sample, so loads and single runs that are longer than their share exceed it.
  Nanoseconds time{10'000'000'000};
  bool wants_gate = true;
  bool wants_profile = true;
};

/// Probes (only if there are alternatives), gate, launches one after another, instrumented run;
/// each in a process of its own, never two at a time. Merges them into one Record whose metrics are
/// computed by `summarize`. An interrupt gives a partial record with what was measured. When single
/// launches fail, the others count and the record is partial; when all fail, it has the first one's
/// outcome. `clock` bounds the probes and times nothing that is reported.
Record run_experiment(const RunPlan& plan, Launcher& launcher, const Clock& clock,
                      const StopFlag& stop, const ProgressSink& progress);
/// The same on the steady clock.
Record run_experiment(const RunPlan& plan, Launcher& launcher, const StopFlag& stop,
                      const ProgressSink& progress);

/// One process that runs the plan's case once and gives out every value, with inputs found as in
/// run_experiment. What happens to it is the record's outcome. `clock` bounds the probes.
Record run_observation(const RunPlan& plan, Launcher& launcher, const Clock& clock,
                       const StopFlag& stop, const ProgressSink& progress);

/// A node of the model's outermost graph, for messages.
struct NodeLabel {
  std::string name{};  ///< Or that of its first output value.
  std::string op{};
};

/// A part of a model as a case that is ready to run, and the line that makes and runs it.
struct PartCase {
  Case plan_case{};
  std::string repeat{};
};

/// Parts of a model that failed. Each call writes the part's file, which stands until the next.
/// Errors: any; the search says so and goes on without the part, or ends.
struct FailureParts {
  std::vector<NodeLabel> nodes{};                      ///< In topological order.
  std::function<Case(std::size_t count)> first{};      ///< The first `count` nodes.
  std::function<PartCase(std::size_t node)> alone{};   ///< With inputs made for it.
  std::function<PartCase(std::size_t node)> needed{};  ///< The node and all nodes that it needs.
};

/// How the engine failed: a crash, an error of its own or a hang; nothing where it did not.
std::optional<Outcome> engine_failure(const Record& record);

/// Most launches of a search for the failing node: halving finds one of 65,536 nodes in 16; before
/// that the whole model runs again and a first part gives a limit, after it the node runs alone.
inline constexpr int kMostSearchLaunches = 20;

/// A note on which node makes the engine fail, and the line that repeats it with a part of the
/// model: the node that the engine blames, else the one with which the first nodes of the graph
/// begin to fail in the same way. Nothing is said of a node that was not seen to fail again. Takes
/// at most kMostSearchLaunches launches and twice the time limit of the run. `failed` has an
/// engine_failure. docs/method/failures.md argues it.
std::string find_failing_node(const Record& failed, const FailureParts& parts, Launcher& launcher,
                              const Clock& clock, const StopFlag& stop,
                              const ProgressSink& progress);

/// Largest width of the median's interval, as a share of the median, that is not called noisy.
inline constexpr double kNoisyWidth = 0.05;

/// Fills record.metrics (and the profile's ratio) from launches, samples, model.macs and
/// peak_flop_per_s: statistic per launch, then over launches; every key of metric_table, absent
/// ones with a reason. Then judges an outcome that is not a failure: Mistrusted when the gate
/// failed or the achieved rate exceeds the peak, Noisy when the interval of the median is wider
/// than kNoisyWidth. Pure, and the same when done again.
void summarize(Record& record);

}  // namespace headroom
