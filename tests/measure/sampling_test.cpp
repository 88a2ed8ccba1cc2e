// SPDX-License-Identifier: Apache-2.0
// The bare loop on a manual clock: order, counts, ends. Expected values are counted by hand.
#include <headroom/base/error.h>
#include <headroom/measure.h>

#include <array>

#include <gtest/gtest.h>

#include "measure/fake_engine.h"
#include "support/manual_clock.h"

namespace headroom {
namespace {

using test::FakeBehaviour;
using test::FakeSession;
using test::ManualClock;
using namespace std::chrono_literals;

struct Loop {
  ManualClock clock{};
  FakeBehaviour behaviour{};
  StopFlag stop{false};
  std::array<TimePoint, 8> starts{};
  std::array<TimePoint, 8> ends{};

  std::size_t take(Nanoseconds time) {
    FakeSession session(behaviour, true);
    return take_samples(session, clock, clock.now() + time, stop, starts, ends);
  }
};

TEST(TakeSamples, FillsTheBufferWhenTimeIsLeft) {
  Loop loop;
  loop.behaviour.on_run = [&](std::uint64_t run) { loop.clock.advance(run * 10ns); };
  EXPECT_EQ(loop.take(1s), 8U);
  EXPECT_EQ(loop.ends[0] - loop.starts[0], 10ns);
  EXPECT_EQ(loop.ends[7] - loop.starts[7], 80ns);
  EXPECT_EQ(loop.starts[7] - loop.starts[0], 280ns);  // 10 + 20 + … + 70
}

TEST(TakeSamples, ReadsTheClockTwiceARun) {
  Loop loop;
  const std::uint64_t before = loop.clock.readings();
  loop.take(1s);
  EXPECT_EQ(loop.clock.readings() - before, 1U + 2 * 8);  // one by the test itself
}

TEST(TakeSamples, CountsTheRunThatReachesTheDeadline) {
  Loop loop;
  loop.behaviour.on_run = [&](std::uint64_t) { loop.clock.advance(40ns); };
  EXPECT_EQ(loop.take(100ns), 3U);  // 40, 80, 120
  EXPECT_EQ(loop.take(0ns), 1U);
}

TEST(TakeSamples, TakesNothingWhenStoppedBefore) {
  Loop loop;
  loop.stop = true;
  EXPECT_EQ(loop.take(1s), 0U);
}

TEST(TakeSamples, KeepsTheRunInWhichItIsStopped) {
  Loop loop;
  loop.behaviour.on_run = [&](std::uint64_t run) {
    loop.clock.advance(5ns);
    if (run == 3) loop.stop = true;
  };
  EXPECT_EQ(loop.take(1s), 3U);
}

TEST(TakeSamples, FillsNothingForARunThatFails) {
  Loop loop;
  loop.behaviour.on_run = [&](std::uint64_t run) {
    loop.clock.advance(5ns);
    if (run == 3) throw Error(ErrorKind::Engine, "no more");
  };
  EXPECT_THROW(loop.take(1s), Error);
  EXPECT_NE(loop.ends[1], TimePoint{});
  EXPECT_EQ(loop.ends[2], TimePoint{});
  EXPECT_EQ(loop.starts[2], TimePoint{});
}

}  // namespace
}  // namespace headroom
