// SPDX-License-Identifier: Apache-2.0
// Bounds and shares of the instrumented run.
#include "measure/profile.h"

#include <headroom/base/error.h>

#include <fstream>

#include <gtest/gtest.h>

#include "measure/fake_engine.h"
#include "support/manual_clock.h"

namespace headroom::measure {
namespace {

using test::FakeEngine;
using test::ManualClock;
using namespace std::chrono_literals;

struct Bench {
  FakeEngine engine{};
  ManualClock clock{};
  StopFlag stop{false};

  Profile run() { return run_profile(Case{.role = Role::Profile}, engine, clock, stop); }
  std::filesystem::path folder() const { return engine.asked.at(0).profile_folder.value(); }
};

TEST(Profile, GivesMeansAndSharesOfNodes) {
  Bench bench;
  bench.engine.behaviour.profile.nodes = {{.name = "a", .op = "Conv", .runs = 10, .total = 3us},
                                          {.name = "b", .op = "Relu", .runs = 5, .total = 1us}};
  const Profile profile = bench.run();
  EXPECT_EQ(profile.outcome.status, Status::Ok);
  ASSERT_EQ(profile.nodes.size(), 2U);
  EXPECT_DOUBLE_EQ(profile.nodes[0].mean_ns, 300);
  EXPECT_DOUBLE_EQ(profile.nodes[0].share, 0.75);
  EXPECT_DOUBLE_EQ(profile.nodes[1].mean_ns, 200);
  EXPECT_DOUBLE_EQ(profile.nodes[1].share, 0.25);
}

TEST(Profile, GivesTheMedianOfTheRunsAfterWarmUp) {
  Bench bench;
  bench.engine.behaviour.on_run = [&](std::uint64_t run) {
    bench.clock.advance(run <= 2 ? 90ms : 4ms);
  };
  const Profile profile = bench.run();
  EXPECT_DOUBLE_EQ(profile.instrumented_median_ns.value(), 4e6);
  EXPECT_EQ(profile.runs, 100U);
}

TEST(Profile, IsBoundedByTime) {
  Bench bench;
  bench.engine.behaviour.on_run = [&](std::uint64_t) { bench.clock.advance(100ms); };
  EXPECT_EQ(bench.run().runs, 10U);  // 1 s
}

TEST(Profile, GivesASlowModelFiveRunsWithinFourTimesTheTime) {
  Bench bench;
  bench.engine.behaviour.on_run = [&](std::uint64_t) { bench.clock.advance(700ms); };
  EXPECT_EQ(bench.run().runs, 5U);  // 3.5 s
  bench.engine.behaviour.on_run = [&](std::uint64_t) { bench.clock.advance(1500ms); };
  EXPECT_EQ(bench.run().runs, 3U);  // the third reaches 4 s
}

TEST(Profile, RemovesItsFolder) {
  Bench bench;
  bench.engine.behaviour.on_run = [&](std::uint64_t) {
    std::ofstream(bench.folder() / "events.json") << "[]";
  };
  bench.run();
  EXPECT_FALSE(std::filesystem::exists(bench.folder()));
}

TEST(Profile, RemovesItsFolderWhenTheEngineFails) {
  Bench bench;
  bench.engine.behaviour.on_run = [](std::uint64_t) { throw Error(ErrorKind::Engine, "no"); };
  EXPECT_THROW(bench.run(), Error);
  EXPECT_FALSE(std::filesystem::exists(bench.folder()));
}

TEST(Profile, KeepsWhatItHasWhenInterrupted) {
  Bench bench;
  bench.engine.behaviour.on_run = [&](std::uint64_t run) {
    bench.clock.advance(1ms);
    if (run == 7) bench.stop = true;
  };
  const Profile profile = bench.run();
  EXPECT_EQ(profile.outcome.status, Status::Partial);
  EXPECT_EQ(profile.runs, 5U);  // 7 less 2 of warm-up
}

}  // namespace
}  // namespace headroom::measure
