// SPDX-License-Identifier: Apache-2.0
// Bounds on the instrumented runs, and shares from what the engine tells.
#include "measure/profile.h"

#include <headroom/base/error.h>
#include <headroom/base/file.h>
#include <headroom/stats.h>

#include <algorithm>

#include "measure/preparation.h"

namespace headroom::measure {
namespace {

// Engines keep an event for each node of each run (ONNX Runtime: 570 bytes, at most a million). One
// costs 5 µs and more of the run itself, so a second holds at most 200,000; of fast models 100 runs
// give every median that is asked of them.
constexpr Nanoseconds kMostTime{1'000'000'000};
constexpr std::size_t kMostRuns = 100;
constexpr std::size_t kWarmupRuns = 2;
// Engines count their warm-up runs into the times of nodes, so slow models get this many runs
// beside them where four times the time holds them.
constexpr std::size_t kFewestRuns = 5;
constexpr int kPatience = 4;

std::size_t take_instrumented(Session& session, const Clock& clock, Nanoseconds most_time,
                              const StopFlag& stop, std::span<TimePoint> starts,
                              std::span<TimePoint> ends) {
  const TimePoint begin = clock.now();
  const std::size_t taken = take_samples(session, clock, begin + kPatience * most_time, stop,
                                         starts.first(kFewestRuns), ends.first(kFewestRuns));
  if (taken < kFewestRuns || ends[taken - 1] >= begin + most_time) return taken;
  return taken + take_samples(session, clock, begin + most_time, stop, starts.subspan(taken),
                              ends.subspan(taken));
}

void add_graph(ExecutedGraph graph, Profile& profile) {
  double total = 0;
  for (const ExecutedNode& node : graph.nodes) total += static_cast<double>(node.total.count());
  const bool is_traced = graph.file_nodes > 0;
  for (ExecutedNode& node : graph.nodes) {
    const auto time = static_cast<double>(node.total.count());
    profile.nodes.push_back({.name = std::move(node.name),
                             .op = std::move(node.op),
                             .provider = std::move(node.provider),
                             .implementation = std::move(node.implementation),
                             .precision = std::move(node.precision),
                             .layout = std::move(node.layout),
                             .role = is_traced ? std::string(to_string(node.role)) : std::string(),
                             .originals = std::move(node.originals),
                             .runs = node.runs,
                             .mean_ns = node.runs > 0 ? time / static_cast<double>(node.runs) : 0,
                             .share = total > 0 ? time / total : 0});
  }
  profile.folded = std::move(graph.folded);
  profile.removed = std::move(graph.removed);
  profile.file_nodes = graph.file_nodes;
  profile.untraced = std::move(graph.untraced);
}

}  // namespace

Profile run_profile(const Case& plan_case, Engine& engine, const Clock& clock,
                    const StopFlag& stop) {
  const PrivateFolder folder("the engine's profile");
  SessionOptions options = options_of(plan_case);
  options.profile_folder = folder.path();
  const auto session = load_and_bind(engine, plan_case, options, make_inputs(plan_case));
  std::vector<TimePoint> starts(kMostRuns);
  std::vector<TimePoint> ends(kMostRuns);
  const Nanoseconds most_time = std::min(kMostTime, plan_case.stop.max_time);
  const std::size_t skipped = take_samples(*session, clock, clock.now() + most_time, stop,
                                           std::span(starts).first(kWarmupRuns), ends);
  const std::size_t taken = take_instrumented(*session, clock, most_time, stop, starts, ends);
  if (taken == 0)
    throw Error(ErrorKind::Interrupted, "interrupted before the first instrumented run");
  Profile profile{.runs = taken};
  std::vector<double> durations;
  for (std::size_t i = 0; i < taken; ++i)
    durations.push_back(static_cast<double>((ends[i] - starts[i]).count()));
  profile.instrumented_median_ns = stats::median(durations);
  add_graph(session->finish_profile(skipped), profile);
  if (stop.load()) {
    profile.outcome = {.status = Status::Partial,
                       .reason = "interrupted in the instrumented run",
                       .error_kind = std::string(to_string(ErrorKind::Interrupted))};
  }
  return profile;
}

}  // namespace headroom::measure
