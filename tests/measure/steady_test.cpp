// SPDX-License-Identifier: Apache-2.0
// Warm-up and stop rule on a manual clock. The shapes of the warm-up are written down; what is
// expected follows from the rule in docs/method/warmup.md by hand.
#include "measure/steady.h"

#include <headroom/base/error.h>

#include <gtest/gtest.h>

#include "measure/fake_engine.h"
#include "support/manual_clock.h"

namespace headroom::measure {
namespace {

using test::FakeBehaviour;
using test::FakeSession;
using test::ManualClock;
using namespace std::chrono_literals;

struct World {
  ManualClock clock{};
  FakeBehaviour behaviour{};
  StopFlag stop{false};
  ReadingBlock block{};
  ReadingLog log{};

  Warmup warm_up(const WarmupRule& rule) {
    FakeSession session(behaviour, true);
    return measure::warm_up(session, clock, rule, stop, block);
  }
  std::string sample(const StopRule& rule) {
    FakeSession session(behaviour, true);
    return sample_steadily(session, clock, rule, stop, block, log);
  }
  void every_run_takes(Nanoseconds time) {
    behaviour.on_run = [this, time](std::uint64_t) { clock.advance(time); };
  }
};

TEST(WarmUp, EndsAfterEightRunsOfASteadySlowModel) {
  World world;
  world.every_run_takes(10ms);
  const Warmup warmup = world.warm_up({.min_runs = 3, .max_time = 2s});
  EXPECT_EQ(warmup.ended_by, "steady");
  EXPECT_EQ(warmup.runs, 8U);
  EXPECT_EQ(warmup.time, 80ms);
}

TEST(WarmUp, OfAFastModelSpansEightPointsOfFiveMilliseconds) {
  World world;
  world.every_run_takes(10us);
  const Warmup warmup = world.warm_up({.min_runs = 3, .max_time = 2s});
  EXPECT_EQ(warmup.ended_by, "steady");
  EXPECT_EQ(warmup.time, 40ms);
  EXPECT_EQ(warmup.runs, 4000U);
}

TEST(WarmUp, CannotSeePastALevelStart) {
  World world;
  world.behaviour.on_run = [&](std::uint64_t run) { world.clock.advance(run <= 30 ? 20ms : 10ms); };
  // Eight equal runs are all that the data say; docs/method/warmup.md names this limit.
  EXPECT_EQ(world.warm_up({.min_runs = 3, .max_time = 60s}).runs, 8U);
}

TEST(WarmUp, OutlastsAStepInItsWindow) {
  World world;
  world.behaviour.on_run = [&](std::uint64_t run) { world.clock.advance(run <= 4 ? 20ms : 10ms); };
  const Warmup warmup = world.warm_up({.min_runs = 3, .max_time = 60s});
  EXPECT_EQ(warmup.ended_by, "steady");
  // Refused at 8 (four slow, four fast); at 10 two of the newest eight are slow: no median sees
  // them.
  EXPECT_EQ(warmup.runs, 10U);
}

TEST(WarmUp, GoesOnWhileRunsGetFaster) {
  World world;
  world.behaviour.on_run = [&](std::uint64_t run) {
    const auto extra = run < 40 ? 40 - run : 0;  // 5 % less at each run, then level
    world.clock.advance(10ms + extra * 500us);
  };
  const Warmup warmup = world.warm_up({.min_runs = 3, .max_time = 60s});
  EXPECT_EQ(warmup.ended_by, "steady");
  EXPECT_GE(warmup.runs, 60U);  // the newest half begins after the fall, at run 40
  EXPECT_LE(warmup.runs, 110U);
}

TEST(WarmUp, HonoursTheFewestRuns) {
  World world;
  world.every_run_takes(10ms);
  EXPECT_EQ(world.warm_up({.min_runs = 25, .max_time = 2s}).runs, 25U);
}

TEST(WarmUp, SaysThatTimeEndedIt) {
  World world;
  world.behaviour.on_run = [&](std::uint64_t run) { world.clock.advance(run * 1ms); };
  const Warmup warmup = world.warm_up({.min_runs = 3, .max_time = 2s});
  EXPECT_EQ(warmup.ended_by, "time");
  EXPECT_EQ(warmup.runs, 63U);  // 1 + 2 + … + 63 = 2016 ms
}

TEST(WarmUp, SaysWhenRunsAreTooSlowForATest) {
  World world;
  world.every_run_takes(700ms);
  const Warmup warmup = world.warm_up({.min_runs = 3, .max_time = 2s});
  EXPECT_EQ(warmup.ended_by, "few_runs");
  EXPECT_EQ(warmup.runs, 3U);
}

TEST(WarmUp, IsOneRunWhereThatIsLongerThanTheLimit) {
  World world;
  world.every_run_takes(60s);
  EXPECT_EQ(world.warm_up({.min_runs = 3, .max_time = 2s}).runs, 1U);
}

TEST(WarmUp, IsLeftOutWithoutTime) {
  World world;
  EXPECT_EQ(world.warm_up({.min_runs = 0, .max_time = 0ns}).runs, 0U);
}

TEST(WarmUp, EndsWhenInterrupted) {
  World world;
  world.behaviour.on_run = [&](std::uint64_t run) {
    world.clock.advance(10ms);
    if (run == 4) world.stop = true;
  };
  const Warmup warmup = world.warm_up({.min_runs = 3, .max_time = 2s});
  EXPECT_EQ(warmup.ended_by, "interrupt");
  EXPECT_EQ(warmup.runs, 4U);
}

TEST(SampleSteadily, StopsWhenTimeIsOver) {
  World world;
  world.every_run_takes(10ms);
  EXPECT_EQ(world.sample({.min_samples = 10, .max_samples = 1000, .max_time = 2s}), "time");
  EXPECT_EQ(world.log.size(), 200U);
}

TEST(SampleSteadily, StopsAtTheMostSamples) {
  World world;
  world.every_run_takes(1us);
  EXPECT_EQ(world.sample({.min_samples = 10, .max_samples = 10'000, .max_time = 2s}), "samples");
  EXPECT_EQ(world.log.size(), 10'000U);  // more than one block
}

TEST(SampleSteadily, GoesOnToTheFewestSamples) {
  World world;
  world.every_run_takes(300ms);
  EXPECT_EQ(world.sample({.min_samples = 10, .max_samples = 1000, .max_time = 2s}), "time");
  EXPECT_EQ(world.log.size(), 10U);  // 3 s: beyond 2 s, within 4 s
}

TEST(SampleSteadily, GivesUpTheFewestSamplesAtTwiceTheTime) {
  World world;
  world.every_run_takes(1500ms);
  EXPECT_EQ(world.sample({.min_samples = 10, .max_samples = 1000, .max_time = 2s}), "time");
  EXPECT_EQ(world.log.size(), 3U);  // 4.5 s
}

TEST(SampleSteadily, NeverEndsWithNothing) {
  World world;
  world.every_run_takes(60s);
  EXPECT_EQ(world.sample({.min_samples = 10, .max_samples = 1000, .max_time = 2s}), "time");
  EXPECT_EQ(world.log.size(), 1U);
}

TEST(SampleSteadily, KeepsWhatWasTakenBeforeAFailure) {
  World world;
  world.behaviour.on_run = [&](std::uint64_t run) {
    world.clock.advance(1ms);
    if (run == 5000) throw Error(ErrorKind::Engine, "no more");
  };
  EXPECT_THROW(world.sample({.min_samples = 10, .max_samples = 9000, .max_time = 20s}), Error);
  EXPECT_EQ(world.log.size(), 4999U);
}

TEST(SampleSteadily, KeepsWhatWasTakenBeforeAnInterrupt) {
  World world;
  world.behaviour.on_run = [&](std::uint64_t run) {
    world.clock.advance(1ms);
    if (run == 17) world.stop = true;
  };
  EXPECT_EQ(world.sample({.min_samples = 10, .max_samples = 9000, .max_time = 20s}), "interrupt");
  EXPECT_EQ(world.log.size(), 17U);
}

}  // namespace
}  // namespace headroom::measure
