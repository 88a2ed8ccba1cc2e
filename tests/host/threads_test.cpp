// SPDX-License-Identifier: Apache-2.0
// Which threads had a CPU, on a machine whose files a test writes; the columns are those of
// proc(5).
#include <headroom/host.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fake_host.h"

namespace headroom {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

/// utime 14, stime 15, processor 39; every other column has another number.
std::string stat_of(std::uint64_t user, std::uint64_t system, int cpu) {
  std::string text = "77 (a (b) 14) R";  // columns 1 to 3; a name may look like columns
  for (int column = 4; column <= 52; ++column) {
    text += ' ';
    if (column == 14) {
      text += std::to_string(user);
    } else if (column == 15) {
      text += std::to_string(system);
    } else {
      text += std::to_string(column == 39 ? cpu : 1000 + column);
    }
  }
  return text + "\n";
}

test::FakeHost with_threads() {
  test::FakeHost host({{"/proc/self/task/7/stat", stat_of(5, 2, 3)},
                       {"/proc/self/task/9/stat", stat_of(40, 0, 1)},
                       {"/proc/self/task/11/stat", "torn"}});
  host.threads = {7, 9, 11, 12};
  return host;
}

TEST(ThreadUse, ReadsEachThreadThatCanBeRead) {
  const auto threads = thread_use(with_threads());
  ASSERT_EQ(threads.size(), 2U);
  EXPECT_EQ(threads[0].id, 7);
  EXPECT_EQ(threads[0].ticks, 7U);
  EXPECT_EQ(threads[0].cpu, 3);
  EXPECT_EQ(threads[1].ticks, 40U);
}

TEST(ThreadUse, SeesTheCallerOfThisProcess) {
  const auto threads = thread_use(LinuxHost());
  ASSERT_GE(threads.size(), 1U);
  EXPECT_GT(threads[0].id, 0);
}

TEST(BusyThreads, HadACpuForATenthOfTheTime) {
  // Of one second, that is 100 ticks: 10 are enough, 9 are not. Thread 4 is new.
  const std::vector<ThreadUse> before = {{1, 50, 0}, {2, 50, 0}, {3, 50, 0}};
  const std::vector<ThreadUse> after = {{1, 60, 5}, {2, 59, 4}, {3, 150, 2}, {4, 30, 5}};
  const auto busy = busy_threads(before, after, 1s);
  ASSERT_TRUE(busy);
  EXPECT_EQ(busy->threads, 3);
  EXPECT_THAT(busy->cpus, ElementsAre(2, 5));
}

TEST(BusyThreads, AreNotTakenForNoneWhereTheySeeNothing) {
  const std::vector<ThreadUse> one = {{1, 50, 0}};
  EXPECT_FALSE(busy_threads(one, one, 199ms)) << "too short for ticks of 10 ms";
  EXPECT_FALSE(busy_threads({}, {}, 1s)) << "no /proc";
  EXPECT_EQ(busy_threads(one, one, 1s)->threads, 0);
}

}  // namespace
}  // namespace headroom
