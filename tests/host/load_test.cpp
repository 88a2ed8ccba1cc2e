// SPDX-License-Identifier: Apache-2.0
// How quiet a machine was, from counters written by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fake_host.h"

namespace headroom {
namespace {

using test::FakeHost;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

// Two CPUs over 10 s: 2 x 1000 ticks.
LoadSnapshot before() {
  return {.total_ticks = 5000, .cpus = 2};
}
LoadSnapshot after() {
  return {.total_ticks = 7000, .cpus = 2};
}

TEST(Snapshot, ReadsTheCountersOfTheKernel) {
  FakeHost host(
      {{"/proc/stat",
        "cpu  100 10 30 2000 50 5 6 7 90 9\ncpu0 50 5 15 1000 25 2 3 4 0 0\n"
        "cpu1 50 5 15 1000 25 3 3 3 0 0\nintr 5 cpu\nctxt 99\n"},
       {"/proc/loadavg", "0.50 0.40 0.30 5/321 9876\n"},
       // A name with blanks and parentheses; utime 11 stime 22 cutime 33 cstime 44.
       {"/proc/self/stat",
        "77 (a b) c) R 1 2 3 4 -1 4194304 102 0 0 0 11 22 33 44 20 0 1 0 142 313 383\n"}});
  host.runnable_threads = 2;
  const LoadSnapshot snapshot = take_snapshot(host);
  EXPECT_EQ(snapshot.cpus, 2);
  EXPECT_EQ(snapshot.total_ticks, 100U + 10 + 30 + 2000 + 50 + 5 + 6 + 7);  // Guest is in user.
  EXPECT_EQ(snapshot.steal_ticks, 7U);
  EXPECT_EQ(snapshot.busy_ticks, 100U + 10 + 30 + 5 + 6);
  EXPECT_EQ(snapshot.own_ticks, 11U + 22 + 33 + 44);
  EXPECT_EQ(snapshot.runnable, 3);
}

TEST(Snapshot, ReadsTheThrottledTimeOfBothVersions) {
  FakeHost v2({{"/proc/self/cgroup", "0::/a\n"},
               {"/proc/self/mountinfo", "30 23 0:26 / /cg rw - cgroup2 cgroup2 rw\n"},
               {"/cg/a/cpu.stat", "usage_usec 1\nnr_throttled 2\nthrottled_usec 1500\n"}});
  EXPECT_EQ(take_snapshot(v2).throttled_ns, 1'500'000U);
  FakeHost v1({{"/proc/self/cgroup", "3:cpu:/a\n"},
               {"/proc/self/mountinfo", "30 23 0:26 / /cg rw - cgroup cgroup rw,cpu\n"},
               {"/cg/a/cpu.stat", "nr_throttled 2\nthrottled_time 1500\n"}});
  EXPECT_EQ(take_snapshot(v1).throttled_ns, 1500U);
}

TEST(Quietness, HoldsWhenOnlyWeWork) {
  LoadSnapshot end = after();
  end.busy_ticks = 1000;
  end.own_ticks = 1000;
  const Quietness quiet = compare(before(), end);
  EXPECT_TRUE(quiet.is_quiet);
  EXPECT_EQ(quiet.steal, 0);
  EXPECT_EQ(quiet.foreign_busy, 0);
}

TEST(Quietness, EndsAtHalfAPercentOfSteal) {
  LoadSnapshot end = after();
  end.steal_ticks = 9;  // 9 of 2000: 0.45 %.
  EXPECT_TRUE(compare(before(), end).is_quiet);
  end.steal_ticks = 10;  // 0.5 %.
  EXPECT_FALSE(compare(before(), end).is_quiet);
  EXPECT_DOUBLE_EQ(compare(before(), end).steal, 0.005);
}

TEST(Quietness, EndsWithForeignWork) {
  LoadSnapshot end = after();
  end.busy_ticks = 1500;
  end.own_ticks = 1000;
  const Quietness quiet = compare(before(), end);
  EXPECT_DOUBLE_EQ(quiet.foreign_busy, 0.5);  // 500 ticks in the 1000 of the interval.
  EXPECT_FALSE(quiet.is_quiet);
}

// 0.02 CPUs, and one tick for the rounding: 21 of 1000 ticks.
TEST(Quietness, AllowsTheHousekeepingOfAnIdleMachine) {
  LoadSnapshot end = after();
  end.busy_ticks = 20;
  EXPECT_TRUE(compare(before(), end).is_quiet);
  end.busy_ticks = 21;
  EXPECT_FALSE(compare(before(), end).is_quiet);
}

TEST(Quietness, EndsWithAForeignTaskThatIsRunnableAtBothEnds) {
  LoadSnapshot start = before();
  LoadSnapshot end = after();
  start.runnable = 3;
  EXPECT_TRUE(compare(start, end).is_quiet);  // A moment is no load.
  end.runnable = 2;
  EXPECT_FALSE(compare(start, end).is_quiet);
  EXPECT_EQ(compare(start, end).foreign_runnable, 2);
}

TEST(Quietness, EndsWithThrottling) {
  LoadSnapshot end = after();
  end.throttled_ns = 50'000'000;
  EXPECT_FALSE(compare(before(), end).is_quiet);
  EXPECT_EQ(compare(before(), end).throttled_ns, 50'000'000U);
}

TEST(Quietness, IsNotClaimedWhereNothingIsCounted) {
  const Quietness quiet = compare({}, {});
  EXPECT_FALSE(quiet.is_quiet);
  EXPECT_THAT(find_noise(quiet), ElementsAre(Field(&HostWarning::code, "noise_unseen")));
}

TEST(Quietness, SurvivesCountersThatStepBack) {
  LoadSnapshot start = before();
  start.steal_ticks = 50;
  start.busy_ticks = 70;
  start.throttled_ns = 5;
  const Quietness quiet = compare(start, after());
  EXPECT_EQ(quiet.steal, 0);
  EXPECT_EQ(quiet.foreign_busy, 0);
  EXPECT_EQ(quiet.throttled_ns, 0U);
}

TEST(Noise, NamesEachDisturbanceWithEffectAndRemedy) {
  EXPECT_THAT(find_noise({.is_quiet = true}), IsEmpty());
  const std::vector<HostWarning> found =
      find_noise({.steal = 0.123, .foreign_busy = 1.5, .throttled_ns = 50'000'000});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].code, "steal_time");
  EXPECT_EQ(found[0].found, "the hypervisor took 12.3 % of the CPU time");
  EXPECT_EQ(found[1].code, "other_load");
  EXPECT_EQ(found[1].found,
            "other programs kept 1.50 CPUs busy, and 0 of their tasks wanted to run");
  EXPECT_EQ(found[2].code, "throttled");
  EXPECT_EQ(found[2].found, "the control group stopped its processes for 50.0 ms");
  for (const HostWarning& warning : found) {
    EXPECT_FALSE(warning.effect.empty()) << warning.code;
    EXPECT_FALSE(warning.remedy.empty()) << warning.code;
  }
}

TEST(OwnMemory, ComesFromTheStatusFile) {
  FakeHost host({});
  EXPECT_FALSE(own_memory(host));
  host.write("/proc/self/status",
             "Name:\tx\nVmPeak:\t  999 kB\nVmHWM:\t    3000 kB\nVmRSS:\t    2000 kB\n"
             "RssAnon:\t    1500 kB\n");
  const auto memory = own_memory(host);
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->resident.value, 2000U * 1024);
  EXPECT_EQ(memory->anonymous.value, 1500U * 1024);
  EXPECT_EQ(memory->peak_resident.value, 3000U * 1024);
}

}  // namespace
}  // namespace headroom
