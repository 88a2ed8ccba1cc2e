// SPDX-License-Identifier: Apache-2.0
// Shares of time by hand.
#include "experiment/budget.h"

#include <vector>

#include <gtest/gtest.h>

#include "experiment/scripted.h"

namespace headroom::experiment {
namespace {

using headroom::test::launched;
using std::chrono::milliseconds;

constexpr Budget kBudget{.time = milliseconds{10'000}, .launches = 5};

TEST(Budget, GivesTheFirstLaunchAnEqualPart) {
  // 10 s / 5 = 2 s, a quarter of it for warm-up until something is known, at most half.
  const Share share = share_of_next(kBudget, {});
  EXPECT_EQ(share.sampling, milliseconds{1500});
  EXPECT_EQ(share.warmup, milliseconds{1000});
}

TEST(Budget, TakesLoadAndWarmUpFromWhatEarlierLaunchesNeeded) {
  // One launch of 15 ms load and first run, 40 ms warm-up, 1945 ms samples: 2 s are gone, 8 s
  // for 4. 2000 - 15 (load) = 1985, less 40 for warm-up.
  const std::vector<Record> done = {launched({1'945'000'000})};
  const Share share = share_of_next(kBudget, done);
  EXPECT_EQ(share.sampling, milliseconds{1945});
  EXPECT_EQ(share.warmup, Nanoseconds{992'500'000});
}

TEST(Budget, SharesOutWhatASlowLaunchLeaves) {
  // 55 ms and 5945 ms of samples: 6 s are gone, 4 s are left for 4 launches.
  const std::vector<Record> done = {launched({5'945'000'000})};
  EXPECT_EQ(share_of_next(kBudget, done).sampling, milliseconds{1000 - 15 - 40});
}

TEST(Budget, LeavesTimeToSampleWhenLoadsEatItUp) {
  Record slow = launched({1'000'000'000});
  slow.launches[0].create_ns = 13'000'000'000;
  const std::vector<Record> done = {slow};
  // A quarter of 2 s, less the warm-up of 40 ms.
  EXPECT_EQ(share_of_next(kBudget, done).sampling, milliseconds{460});
}

TEST(Budget, CountsNoTimeForALaunchThatFailedBeforeItMeasured) {
  const std::vector<Record> done = {headroom::test::failed(Status::Failed, "engine", "crash")};
  EXPECT_EQ(share_of_next(kBudget, done).warmup, milliseconds{1250});  // 10 s / 4 / 2
}

}  // namespace
}  // namespace headroom::experiment
