// SPDX-License-Identifier: Apache-2.0
// The order of one measurement: inputs, gate, launches, instrumented run.
#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/experiment.h>

#include <algorithm>

#include <fmt/format.h>

#include "experiment/budget.h"
#include "experiment/merge.h"
#include "experiment/probe.h"

namespace headroom {
namespace {

using experiment::Budget;
using experiment::Share;

/// What every step needs.
struct Surroundings {
  Launcher& launcher;
  const StopFlag& stop;
  const ProgressSink& progress;

  void say(std::string stage, std::string detail) const {
    if (progress) progress({.stage = std::move(stage), .detail = std::move(detail)});
  }
  Record launch(const Case& plan_case, Role role) const {
    Case with_role = plan_case;
    with_role.role = role;
    return launcher.launch(with_role, stop);
  }
};

Case with_share(Case plan_case, const Share& share) {
  plan_case.warmup.max_time = std::min(plan_case.warmup.max_time, share.warmup);
  plan_case.stop.max_time = share.sampling;
  plan_case.stop.max_samples = std::min(plan_case.stop.max_samples, kMostSamplesOfLaunch);
  return plan_case;
}

// Whether further launches would only fail in the same way.
bool is_hopeless(std::span<const Record> done) {
  const bool has_any = std::any_of(done.begin(), done.end(), [](const Record& record) {
    return record.samples.size() > 0 || record.outcome.status == Status::Ok;
  });
  if (has_any || done.empty()) return false;
  const Outcome& last = done.back().outcome;
  if (last.status == Status::Unsupported || done.size() >= 2) return true;
  const ErrorKind kind = error_kind_from(last.error_kind);
  return kind == ErrorKind::Usage || kind == ErrorKind::NotFound || kind == ErrorKind::BadInput;
}

std::string describe(const Share& share) {
  return fmt::format("load, warm-up, {} of samples", format_time(share.sampling));
}

std::vector<Record> take_launches(const Case& plan_case, const Budget& budget,
                                  const Surroundings& around) {
  std::vector<Record> done;
  for (int i = 0; i < budget.launches && !around.stop.load() && !is_hopeless(done); ++i) {
    const Share share = share_of_next(budget, done);
    around.say(fmt::format("launch {} of {}", i + 1, budget.launches), describe(share));
    done.push_back(around.launch(with_share(plan_case, share), Role::Measure));
    if (done.back().outcome.status == Status::Partial) break;
  }
  return done;
}

void run_gate(const Case& plan_case, const Surroundings& around, Record& record) {
  if (around.stop.load()) {
    record.gate.reason = "interrupted before it";
    return;
  }
  around.say("gate", "are the outputs right?");
  Record checked = around.launch(plan_case, Role::Gate);
  record.gate = std::move(checked.gate);
  if (record.gate.status == GateStatus::NotRun && record.gate.reason.empty())
    record.gate.reason = checked.outcome.reason;
  if (record.gate.status == GateStatus::Insensitive)
    record.notes.push_back(fmt::format("gate: {}", record.gate.reason));
  for (const std::string& note : checked.notes)
    record.notes.push_back(fmt::format("gate: {}", note));
}

void run_profile(const Case& plan_case, const Surroundings& around, Record& record) {
  around.say("profile", "times by operator, in a process of its own");
  Record profiled = around.launch(plan_case, Role::Profile);
  record.profile = std::move(profiled.profile);
  record.profile.outcome = profiled.outcome;
  for (const std::string& note : profiled.notes)
    record.notes.push_back(fmt::format("instrumented run: {}", note));
}

void note_overrun(const Budget& budget, Record& record) {
  Nanoseconds loads{};
  for (const Launch& launch : record.launches) {
    loads += Nanoseconds{launch.read_ns.value_or(0) + launch.create_ns.value_or(0) +
                         launch.first_run_ns.value_or(0)};
  }
  if (loads > budget.time) {
    record.notes.push_back(
        fmt::format("the loads and first runs alone took {}, more than the time of {}; a longer "
                    "--time gives more samples",
                    format_time(loads), format_time(budget.time)));
  }
}

void mark_interrupted(Record& record, std::string_view where) {
  record.outcome = {.status = Status::Partial,
                    .reason = fmt::format("interrupted {}", where),
                    .error_kind = std::string(to_string(ErrorKind::Interrupted))};
}

// Profile wanted, and there is something that it would explain.
bool is_profile_due(const RunPlan& plan, const Record& record, const StopFlag& stop) {
  return plan.wants_profile && !stop.load() && record.samples.size() > 0;
}

void measure_accepted(const RunPlan& plan, const Surroundings& around, Record& record) {
  const Budget budget{.time = plan.time, .launches = std::max(1, plan.launches)};
  if (plan.wants_gate) {
    run_gate(record.plan_case, around, record);
  } else {
    record.gate.reason = "not asked for";
  }
  const auto done = take_launches(record.plan_case, budget, around);
  experiment::merge_launches(done, budget.launches, record);
  note_overrun(budget, record);
  if (!plan.wants_profile) record.profile.outcome.reason = "not asked for";
  if (!is_profile_due(plan, record, around.stop)) return;
  run_profile(with_share(record.plan_case, share_of_next(budget, {})), around, record);
  if (around.stop.load() && record.outcome.status == Status::Ok)
    mark_interrupted(record, "in the instrumented run; the timed launches are complete");
}

}  // namespace

Record run_experiment(const RunPlan& plan, Launcher& launcher, const Clock& clock,
                      const StopFlag& stop, const ProgressSink& progress) {
  Record record;
  record.gate.reason = "there was nothing to check";
  record.profile.outcome = {.status = Status::Partial, .reason = "there was nothing to explain"};
  auto accepted = experiment::find_accepted(plan, launcher, clock, stop, progress);
  const Budget budget{.time = plan.time, .launches = std::max(1, plan.launches)};
  record.plan_case = with_share(std::move(accepted.plan_case), share_of_next(budget, {}));
  record.plan_case.role = Role::Measure;
  record.engine.name = record.plan_case.engine;
  if (!accepted.note.empty()) record.notes.push_back(std::move(accepted.note));
  record.outcome = accepted.outcome;
  if (record.outcome.status == Status::Ok)
    measure_accepted(plan, {.launcher = launcher, .stop = stop, .progress = progress}, record);
  summarize(record);
  return record;
}

Record run_observation(const RunPlan& plan, Launcher& launcher, const Clock& clock,
                       const StopFlag& stop, const ProgressSink& progress) {
  auto accepted = experiment::find_accepted(plan, launcher, clock, stop, progress);
  Case observing = std::move(accepted.plan_case);
  observing.role = Role::Observe;
  if (accepted.outcome.status != Status::Ok)
    return {.plan_case = std::move(observing), .outcome = std::move(accepted.outcome)};
  if (progress) progress({.stage = "observe", .detail = "one run that gives out every value"});
  Record record = launcher.launch(observing, stop);
  if (!accepted.note.empty()) record.notes.push_back(std::move(accepted.note));
  return record;
}

Record run_experiment(const RunPlan& plan, Launcher& launcher, const StopFlag& stop,
                      const ProgressSink& progress) {
  return run_experiment(plan, launcher, SteadyClock{}, stop, progress);
}

}  // namespace headroom
