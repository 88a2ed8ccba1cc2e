// SPDX-License-Identifier: Apache-2.0
// One case in this process, by its role, on a manual clock.
#include <headroom/base/error.h>
#include <headroom/measure.h>

#include <gtest/gtest.h>

#include "measure/fake_engine.h"
#include "measure/tensors.h"
#include "support/fake_host.h"
#include "support/manual_clock.h"

namespace headroom {
namespace {

using test::FakeEngine;
using test::FakeHost;
using test::ManualClock;
using namespace std::chrono_literals;

struct Bench {
  FakeEngine engine{};
  ManualClock clock{};
  FakeHost host{FakeHost::Files{}};
  StopFlag stop{false};
  Case plan{.role = Role::Measure,
            .engine = "fake",
            .stop = {.min_samples = 10, .max_samples = 50, .max_time = 2s}};

  Bench() {
    engine.behaviour.on_run = [this](std::uint64_t) { clock.advance(10ms); };
  }
  Record run() {
    return measure_case(plan, {.engine = engine, .clock = clock, .host = host, .stop = stop});
  }
};

TEST(MeasureCase, KeepsLoadFirstRunWarmUpAndSamplesApart) {
  Bench bench;
  bench.engine.behaviour.on_load = [&](const LoadObserver& observer) {
    bench.clock.advance(30ms);
    observer(LoadPhase::Read);
    bench.clock.advance(500ms);
    observer(LoadPhase::Create);
    bench.clock.advance(1ms);
  };
  bench.engine.behaviour.on_run = [&](std::uint64_t run) {
    bench.clock.advance(run == 1 ? 70ms : 10ms);
  };
  const Record record = bench.run();
  EXPECT_EQ(record.outcome.status, Status::Ok) << record.outcome.reason;
  ASSERT_EQ(record.launches.size(), 1U);
  const Launch& launch = record.launches[0];
  EXPECT_EQ(launch.read_ns, 30'000'000);
  EXPECT_EQ(launch.create_ns, 500'000'000);
  EXPECT_EQ(launch.first_run_ns, 70'000'000);
  EXPECT_EQ(launch.warmup_runs, 8U);
  EXPECT_EQ(launch.warmup_ns, 80'000'000);
  EXPECT_EQ(launch.warmup_ended_by, "steady");
  EXPECT_EQ(launch.stopped_by, "samples");
  ASSERT_EQ(record.samples.size(), 50U);
  EXPECT_EQ(record.samples.start_ns[0], 0);
  EXPECT_EQ(record.samples.end_ns[49], 500'000'000);
  // the clock starts at 1 s: 531 of load, 70 of the first run, 80 of warm-up
  EXPECT_EQ(launch.sampling_start_ns, 1'681'000'000);
}

TEST(MeasureCase, TellsWhatWasAskedAndWhatTookEffect) {
  Bench bench;
  bench.plan.threads = 3;
  bench.plan.settings = {{"key", "value"}};
  const Record record = bench.run();
  EXPECT_EQ(record.engine.name, "fake");
  EXPECT_EQ(record.engine.version, "7");
  EXPECT_EQ(record.engine.asked.at("threads"), "3");
  EXPECT_EQ(record.engine.asked.at("precision"), "f32");
  EXPECT_EQ(record.engine.asked.at("key"), "value");
  EXPECT_EQ(record.engine.effective.at("threads"), "1 (observed)");
  EXPECT_EQ(bench.engine.asked.at(0).threads, 3);
}

TEST(MeasureCase, ReadsMemoryFromTheHost) {
  Bench bench;
  bench.host.write("/proc/self/status",
                   "Name:\tx\nVmHWM:\t    3072 kB\nVmRSS:\t    2048 kB\nRssAnon:\t    1024 kB\n");
  const Launch launch = bench.run().launches.at(0);
  EXPECT_EQ(launch.memory_before_bytes, 2048U * 1024);
  EXPECT_EQ(launch.memory_loaded_bytes, 2048U * 1024);
  EXPECT_EQ(launch.peak_memory_bytes, 3072U * 1024);
}

TEST(MeasureCase, LeavesMemoryOutWhereTheHostDoesNotTell) {
  Bench bench;
  const Launch launch = bench.run().launches.at(0);
  EXPECT_FALSE(launch.peak_memory_bytes.has_value());
  EXPECT_TRUE(launch.cpu_ns_per_inference.has_value());
}

TEST(MeasureCase, KeepsSamplesWhenTheEngineFailsInTheMiddle) {
  Bench bench;
  bench.engine.behaviour.on_run = [&](std::uint64_t run) {
    bench.clock.advance(10ms);
    if (run == 30) throw Error(ErrorKind::Engine, "the engine broke");
  };
  const Record record = bench.run();
  EXPECT_EQ(record.outcome.status, Status::Failed);
  EXPECT_EQ(record.outcome.error_kind, "engine");
  EXPECT_EQ(record.outcome.reason, "the engine broke (after 20 samples)");
  EXPECT_EQ(record.samples.size(), 20U);  // 29 runs less the first and 8 of warm-up
  EXPECT_EQ(record.launches.at(0).outcome.status, Status::Failed);
  EXPECT_EQ(record.launches.at(0).first_run_ns, 10'000'000);
}

TEST(MeasureCase, KeepsSamplesWhenInterrupted) {
  Bench bench;
  bench.engine.behaviour.on_run = [&](std::uint64_t run) {
    bench.clock.advance(10ms);
    if (run == 20) bench.stop = true;
  };
  const Record record = bench.run();
  EXPECT_EQ(record.outcome.status, Status::Partial);
  EXPECT_EQ(record.outcome.reason, "interrupted while sampling");
  EXPECT_EQ(record.outcome.error_kind, "interrupted");
  EXPECT_EQ(record.samples.size(), 11U);
  EXPECT_EQ(record.launches.at(0).stopped_by, "interrupt");
}

TEST(MeasureCase, SaysThatWarmUpWasInterrupted) {
  Bench bench;
  bench.engine.behaviour.on_run = [&](std::uint64_t run) {
    bench.clock.advance(10ms);
    if (run == 4) bench.stop = true;
  };
  const Record record = bench.run();
  EXPECT_EQ(record.outcome.status, Status::Partial);
  EXPECT_EQ(record.outcome.reason, "interrupted during warm-up");
  EXPECT_EQ(record.samples.size(), 0U);
  EXPECT_EQ(record.launches.at(0).warmup_runs, 3U);
}

TEST(MeasureCase, MakesARefusalAnOutcome) {
  Bench bench;
  bench.engine.behaviour.on_load = [](const LoadObserver&) {
    throw Error(ErrorKind::Unsupported, "no such operator");
  };
  for (const Role role : {Role::Probe, Role::Measure, Role::Gate, Role::Profile}) {
    bench.plan.role = role;
    const Record record = bench.run();
    EXPECT_EQ(record.outcome.status, Status::Unsupported) << to_string(role);
    EXPECT_EQ(record.outcome.reason, "no such operator") << to_string(role);
    EXPECT_EQ(record.outcome.error_kind, "unsupported") << to_string(role);
  }
}

TEST(MeasureCase, MakesWhatIsThrownOtherwiseAnOutcome) {
  Bench bench;
  bench.engine.behaviour.on_run = [](std::uint64_t) { throw std::bad_alloc(); };
  EXPECT_EQ(bench.run().outcome.error_kind, "limit");
  bench.engine.behaviour.on_run = [](std::uint64_t) { throw std::runtime_error("odd"); };
  const Record record = bench.run();
  EXPECT_EQ(record.outcome.error_kind, "internal");
  EXPECT_EQ(record.outcome.reason, "odd");
}

TEST(MeasureCase, ProbesWithOneRun) {
  Bench bench;
  std::uint64_t runs = 0;
  bench.engine.behaviour.on_run = [&](std::uint64_t run) { runs = run; };
  bench.plan.role = Role::Probe;
  EXPECT_EQ(bench.run().outcome.status, Status::Ok);
  EXPECT_EQ(runs, 1U);
}

TEST(MeasureCase, ProfilesAndGatesByRole) {
  Bench bench;
  bench.engine.behaviour.profile = {.nodes = {{.name = "a", .runs = 1, .total = 1us}}};
  bench.plan.role = Role::Profile;
  EXPECT_EQ(bench.run().profile.nodes.size(), 1U);
  bench.plan.role = Role::Gate;
  const Record record = bench.run();
  EXPECT_EQ(record.gate.status, GateStatus::NotRun);
  EXPECT_EQ(record.gate.reason, "no output could be compared");
  EXPECT_TRUE(record.launches.empty());
}

TEST(MeasureCase, CarriesItsCase) {
  Bench bench;
  bench.plan.seed = 99;
  EXPECT_EQ(bench.run().plan_case.seed, 99U);
}

}  // namespace
}  // namespace headroom
