// SPDX-License-Identifier: Apache-2.0
// Whole experiments on a scripted launcher: what is started, in which order, and what comes out.
#include <headroom/experiment.h>

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "experiment/scripted.h"
#include "support/fake_launcher.h"

namespace headroom {
namespace {

using headroom::test::failed;
using headroom::test::FakeLauncher;
using headroom::test::gated;
using headroom::test::launched;
using headroom::test::profiled;

RunPlan plan_of(int launches) {
  return {
      .plan_case = {.engine = "scripted", .threads = 2, .inputs = {{.name = "x", .shape = {1, 4}}}},
      .launches = launches};
}

// Answers each role; launch i of Measure gets what `measure` gives for i = 0, 1, …
FakeLauncher::Script script(std::function<Record(int)> measure,
                            GateStatus gate = GateStatus::Passed, std::string gate_reason = {}) {
  return [measure = std::move(measure), gate, gate_reason, count = 0](const Case& c) mutable {
    if (c.role == Role::Gate) return gated(gate, gate_reason);
    if (c.role == Role::Profile) return profiled(1.05e6);
    if (c.role == Role::Measure) return measure(count++);
    return Record{};
  };
}

// Launches of about 1 ms, 100 s apart, 0.1 % different from one to the next.
Record steady(int i) {
  return launched(std::vector<std::int64_t>(200, 1'000'000 + 1'000 * i), 100'000'000'000LL * i);
}

std::vector<Role> roles_of(const FakeLauncher& launcher) {
  std::vector<Role> roles;
  for (const Case& plan_case : launcher.cases()) roles.push_back(plan_case.role);
  return roles;
}

TEST(Experiment, RunsGateThenLaunchesThenProfile) {
  FakeLauncher launcher(script(steady));
  const StopFlag stop{false};
  std::vector<std::string> stages;
  const Record record = run_experiment(plan_of(3), launcher, stop, [&](const Progress& progress) {
    stages.push_back(progress.stage);
  });
  EXPECT_EQ(roles_of(launcher), (std::vector<Role>{Role::Gate, Role::Measure, Role::Measure,
                                                   Role::Measure, Role::Profile}));
  EXPECT_EQ(stages, (std::vector<std::string>{"gate", "launch 1 of 3", "launch 2 of 3",
                                              "launch 3 of 3", "profile"}));
  EXPECT_EQ(record.outcome.status, Status::Ok) << record.outcome.reason;
  EXPECT_EQ(record.gate.status, GateStatus::Passed);
  EXPECT_EQ(record.launches.size(), 3U);
  EXPECT_EQ(record.launches[2].index, 2);
  EXPECT_EQ(record.samples.size(), 600U);
  EXPECT_EQ(record.metrics.at("latency_median_ns").value, 1'001'000);
  EXPECT_NEAR(record.profile.instrumented_ratio.value(), 1.05e6 / 1.001e6, 1e-12);
  EXPECT_EQ(record.engine.version, "1");
  EXPECT_EQ(record.is_quiet, true);
}

TEST(Experiment, PutsTheSamplesOnOneTimeLine) {
  FakeLauncher launcher(script(steady));
  const StopFlag stop{false};
  const Record record = run_experiment(plan_of(2), launcher, stop, {});
  EXPECT_EQ(record.samples.start_ns[0], 0);
  EXPECT_EQ(record.samples.launch[200], 1);
  EXPECT_EQ(record.samples.start_ns[200], 100'000'000'000);
  EXPECT_EQ(record.samples.end_ns[200], 100'000'000'000 + 1'001'000);
}

TEST(Experiment, CountsTimesByLaunchWhereAStartIsNotKnown) {
  FakeLauncher launcher(script([](int i) {
    Record record = steady(i);
    if (i == 1) record.launches[0].sampling_start_ns.reset();
    return record;
  }));
  const StopFlag stop{false};
  EXPECT_EQ(run_experiment(plan_of(2), launcher, stop, {}).samples.start_ns[200], 0);
}

TEST(Experiment, LeavesOutGateAndProfileWhenNotWanted) {
  FakeLauncher launcher(script(steady));
  const StopFlag stop{false};
  RunPlan plan = plan_of(1);
  plan.wants_gate = plan.wants_profile = false;
  const Record record = run_experiment(plan, launcher, stop, {});
  EXPECT_EQ(roles_of(launcher), (std::vector<Role>{Role::Measure}));
  EXPECT_EQ(record.gate.status, GateStatus::NotRun);
  EXPECT_EQ(record.gate.reason, "not asked for");
  EXPECT_EQ(record.profile.outcome.reason, "not asked for");
}

TEST(Experiment, RunsTheAcceptedAlternative) {
  RunPlan plan = plan_of(1);
  Case other = plan.plan_case;
  other.inputs[0].shape = {1, 8};
  plan.alternatives = {other};
  FakeLauncher launcher([](const Case& c) {
    if (c.role == Role::Probe)
      return c.inputs[0].shape[1] == 8 ? Record{} : failed(Status::Failed, "engine", "no");
    return c.role == Role::Gate ? gated(GateStatus::Passed) : launched({5, 5});
  });
  const StopFlag stop{false};
  const Record record = run_experiment(plan, launcher, stop, {});
  EXPECT_EQ(record.plan_case.inputs[0].shape[1], 8);
  EXPECT_EQ(record.plan_case.role, Role::Measure);
  EXPECT_EQ(launcher.cases_of(Role::Measure)[0].inputs[0].shape[1], 8);
  ASSERT_FALSE(record.notes.empty());
  EXPECT_EQ(record.notes[0],
            "input shapes x=1x4 were refused by the engine (\"no\"); x=1x8 was accepted");
}

TEST(Experiment, MeasuresNothingWhenAllInputsAreRefused) {
  RunPlan plan = plan_of(1);
  plan.alternatives = {plan.plan_case};
  FakeLauncher launcher([](const Case&) { return failed(Status::Failed, "engine", "no"); });
  const StopFlag stop{false};
  const Record record = run_experiment(plan, launcher, stop, {});
  EXPECT_EQ(roles_of(launcher), (std::vector<Role>{Role::Probe, Role::Probe}));
  EXPECT_EQ(record.outcome.status, Status::Failed);
  EXPECT_EQ(record.metrics.size(), metric_table().size());
  EXPECT_EQ(record.metrics.at("latency_median_ns").absent, "no launch gave a sample");
}

TEST(Experiment, KeepsTheOtherLaunchesWhenOneCrashes) {
  FakeLauncher launcher(script([](int i) {
    return i == 1 ? failed(Status::Failed, "engine", "the worker crashed: SIGSEGV") : steady(i);
  }));
  const StopFlag stop{false};
  const Record record = run_experiment(plan_of(3), launcher, stop, {});
  EXPECT_EQ(record.outcome.status, Status::Partial);
  EXPECT_EQ(record.outcome.reason, "1 of 3 launches failed; launch 2: the worker crashed: SIGSEGV");
  EXPECT_EQ(record.outcome.error_kind, "engine");
  EXPECT_EQ(record.launches.size(), 3U);
  EXPECT_EQ(record.launches[1].outcome.status, Status::Failed);
  EXPECT_EQ(record.samples.size(), 400U);
  EXPECT_EQ(record.samples.launch.back(), 2);
  EXPECT_TRUE(record.metrics.at("latency_median_ns").low);
}

TEST(Experiment, GivesUpAfterTwoLaunchesThatOnlyFail) {
  FakeLauncher launcher(script([](int) { return failed(Status::Failed, "engine", "crash"); }));
  const StopFlag stop{false};
  const Record record = run_experiment(plan_of(5), launcher, stop, {});
  EXPECT_EQ(launcher.cases_of(Role::Measure).size(), 2U);
  EXPECT_TRUE(launcher.cases_of(Role::Profile).empty());
  EXPECT_EQ(record.outcome.status, Status::Failed);
  EXPECT_EQ(record.outcome.reason, "crash");
}

TEST(Experiment, GivesUpAtOnceOnWhatTheEngineDoesNotSupport) {
  FakeLauncher launcher(
      script([](int) { return failed(Status::Unsupported, "unsupported", "no bf16 here"); }));
  const StopFlag stop{false};
  const Record record = run_experiment(plan_of(5), launcher, stop, {});
  EXPECT_EQ(launcher.cases_of(Role::Measure).size(), 1U);
  EXPECT_EQ(record.outcome.status, Status::Unsupported);
}

TEST(Experiment, KeepsWhatWasMeasuredBeforeAnInterrupt) {
  StopFlag stop{false};
  FakeLauncher launcher(script([&stop](int i) {
    Record record = steady(i);
    if (i == 2) {
      stop = true;
      record.outcome = {.status = Status::Partial,
                        .reason = "interrupted while sampling",
                        .error_kind = "interrupted"};
    }
    return record;
  }));
  const Record record = run_experiment(plan_of(5), launcher, stop, {});
  EXPECT_EQ(launcher.cases_of(Role::Measure).size(), 3U);
  EXPECT_TRUE(launcher.cases_of(Role::Profile).empty());
  EXPECT_EQ(record.outcome.status, Status::Partial);
  EXPECT_EQ(record.outcome.reason, "interrupted; 2 of 5 launches are complete");
  EXPECT_EQ(record.outcome.error_kind, "interrupted");
  EXPECT_EQ(record.samples.size(), 600U);
}

TEST(Experiment, IsPartialWhenTheInterruptComesBeforeTheFirstLaunch) {
  const StopFlag stop{true};
  FakeLauncher launcher(script(steady));
  const Record record = run_experiment(plan_of(5), launcher, stop, {});
  EXPECT_TRUE(launcher.cases().empty());
  EXPECT_EQ(record.outcome.status, Status::Partial);
  EXPECT_EQ(record.outcome.reason, "interrupted; 0 of 5 launches are complete");
}

TEST(Experiment, IsPartialWhenTheInterruptComesInTheInstrumentedRun) {
  StopFlag stop{false};
  FakeLauncher launcher([&stop](const Case& c) {
    if (c.role != Role::Profile)
      return c.role == Role::Gate ? gated(GateStatus::Passed) : steady(0);
    stop = true;
    return failed(Status::Partial, "interrupted", "interrupted in the instrumented run");
  });
  const Record record = run_experiment(plan_of(2), launcher, stop, {});
  EXPECT_EQ(record.outcome.status, Status::Partial);
  EXPECT_EQ(record.outcome.reason,
            "interrupted in the instrumented run; the timed launches are complete");
  EXPECT_EQ(record.profile.outcome.status, Status::Partial);
}

TEST(Experiment, TrustsNoSpeedOfWrongOutputs) {
  FakeLauncher launcher(script(steady, GateStatus::Failed, "y differs by 0.3"));
  const StopFlag stop{false};
  const Record record = run_experiment(plan_of(3), launcher, stop, {});
  EXPECT_EQ(record.outcome.status, Status::Mistrusted);
  EXPECT_EQ(record.outcome.reason,
            "the outputs are wrong against stored outputs: y differs by 0.3");
  EXPECT_TRUE(record.metrics.at("latency_median_ns").value);
}

TEST(Experiment, StaysOkWithANoteWhenTheGateIsInsensitive) {
  FakeLauncher launcher(script(steady, GateStatus::Insensitive, "no input changes an output"));
  const StopFlag stop{false};
  const Record record = run_experiment(plan_of(3), launcher, stop, {});
  EXPECT_EQ(record.outcome.status, Status::Ok);
  EXPECT_EQ(record.notes, (std::vector<std::string>{"gate: no input changes an output"}));
}

TEST(Experiment, KeepsTheReasonOfAGateThatCrashed) {
  FakeLauncher launcher([](const Case& c) {
    if (c.role == Role::Gate) return failed(Status::Failed, "engine", "the worker crashed");
    return c.role == Role::Profile ? profiled(1e6) : steady(0);
  });
  const StopFlag stop{false};
  const Record record = run_experiment(plan_of(2), launcher, stop, {});
  EXPECT_EQ(record.gate.status, GateStatus::NotRun);
  EXPECT_EQ(record.gate.reason, "the worker crashed");
  EXPECT_EQ(record.outcome.status, Status::Ok);
}

TEST(Experiment, IsNoisyWhenLaunchesDisagree) {
  FakeLauncher launcher(script([](int i) {
    Record record = launched(std::vector<std::int64_t>(50, i == 0 ? 1'500'000 : 1'000'000));
    record.launches[0].quiet = {.steal = 0.02, .foreign_busy = 0.5, .is_quiet = i != 0};
    return record;
  }));
  const StopFlag stop{false};
  const Record record = run_experiment(plan_of(5), launcher, stop, {});
  EXPECT_EQ(record.outcome.status, Status::Noisy);
  EXPECT_NE(record.outcome.reason.find("interval of the median"), std::string::npos);
  EXPECT_NE(record.outcome.reason.find("2.0 % of CPU time was stolen"), std::string::npos)
      << record.outcome.reason;
  EXPECT_EQ(record.is_quiet, false);
}

TEST(Experiment, NotesWhatTookEffectInOneLaunchOnly) {
  FakeLauncher launcher(script([](int i) {
    Record record = steady(i);
    if (i == 1) record.engine.effective["threads"] = "1";
    return record;
  }));
  const StopFlag stop{false};
  const Record record = run_experiment(plan_of(2), launcher, stop, {});
  EXPECT_EQ(record.notes,
            (std::vector<std::string>{"launch 2: the engine reports threads = 1, launch 1 had 2"}));
}

TEST(Experiment, GivesEachLaunchItsShareOfTheTime) {
  FakeLauncher launcher(script(steady));
  const StopFlag stop{false};
  const Record record = run_experiment(plan_of(5), launcher, stop, {});
  const std::vector<Case> cases = launcher.cases_of(Role::Measure);
  EXPECT_EQ(cases[0].stop.max_time, std::chrono::milliseconds{1500});  // of 2 s, see Budget
  EXPECT_EQ(cases[0].warmup.max_time, std::chrono::milliseconds{1000});
  EXPECT_GT(cases[4].stop.max_time, cases[0].stop.max_time);  // little was used so far
  EXPECT_EQ(record.plan_case.stop.max_time, std::chrono::milliseconds{1500});
}

TEST(Experiment, BoundsTheSamplesOfALaunch) {
  FakeLauncher launcher(script(steady));
  const StopFlag stop{false};
  RunPlan plan = plan_of(1);
  run_experiment(plan, launcher, stop, {});
  plan.plan_case.stop.max_samples = 70;
  run_experiment(plan, launcher, stop, {});
  const std::vector<Case> cases = launcher.cases_of(Role::Measure);
  EXPECT_EQ(cases[0].stop.max_samples, kMostSamplesOfLaunch);
  EXPECT_EQ(cases[1].stop.max_samples, 70U);
}

TEST(Experiment, SaysWhenLoadsAloneTakeLongerThanTheTime) {
  FakeLauncher launcher(script([](int i) {
    Record record = steady(i);
    record.launches[0].create_ns = 13'000'000'000;
    return record;
  }));
  const StopFlag stop{false};
  const Record record = run_experiment(plan_of(5), launcher, stop, {});
  EXPECT_EQ(record.launches.size(), 5U);
  ASSERT_EQ(record.notes.size(), 1U);
  EXPECT_NE(record.notes[0].find("more than the time of 10.0 s"), std::string::npos);
}

TEST(Observation, TakesTheFirstInputsThatTheEngineAccepts) {
  // Once the planned inputs only were tried: a model that needs a height of 48 could not be seen.
  RunPlan plan = plan_of(1);
  plan.alternatives.push_back(plan.plan_case);
  plan.alternatives[0].inputs[0].shape = {1, 48};
  FakeLauncher launcher([](const Case& c) {
    if (c.inputs[0].shape[1] != 48) return failed(Status::Failed, "engine", "refused");
    Record record{.plan_case = c};
    if (c.role == Role::Observe) record.observation.values.push_back({.name = "a"});
    return record;
  });
  const StopFlag stop{false};
  const Record record = run_observation(plan, launcher, SteadyClock{}, stop, {});
  EXPECT_EQ(roles_of(launcher), (std::vector<Role>{Role::Probe, Role::Probe, Role::Observe}));
  EXPECT_EQ(record.outcome.status, Status::Ok);
  ASSERT_EQ(record.observation.values.size(), 1U);
  EXPECT_EQ(record.plan_case.inputs[0].shape[1], 48);
  EXPECT_EQ(record.notes.size(), 1U);
}

TEST(Observation, SaysWhyNoInputsWereAccepted) {
  RunPlan plan = plan_of(1);
  plan.alternatives.push_back(plan.plan_case);
  FakeLauncher launcher([](const Case&) { return failed(Status::Failed, "engine", "refused"); });
  const StopFlag stop{false};
  const Record record = run_observation(plan, launcher, SteadyClock{}, stop, {});
  EXPECT_EQ(roles_of(launcher), (std::vector<Role>{Role::Probe, Role::Probe}));
  EXPECT_EQ(record.outcome.status, Status::Failed);
  EXPECT_NE(record.outcome.reason.find("refused"), std::string::npos);
}

}  // namespace
}  // namespace headroom
