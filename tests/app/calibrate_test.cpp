// SPDX-License-Identifier: Apache-2.0
// Calibrations: what is refused before anything is measured, and what is known from before.
#include <headroom/app/calibrate.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fake_host.h"
#include "support/temp_folder.h"
#include "support/thrown.h"

namespace headroom {
namespace {

using test::message_of;
using ::testing::HasSubstr;

TEST(Calibrate, RefusesThreadsThatThisProcessCannotRun) {
  const test::FakeHost host(test::FakeHost::Files{}, {0, 1});
  for (const int threads : {0, 3})
    EXPECT_THAT(
        message_of(
            ErrorKind::Usage,
            [&] { app::calibrate({.threads = threads, .store = "none"}, host, SteadyClock()); }),
        HasSubstr("this process may use 2 CPUs, so write 1 to 2"));
}

TEST(Calibrate, OpensTheStoreBeforeItMeasures) {
  const test::FakeHost host(test::FakeHost::Files{}, {0});
  message_of(ErrorKind::NotFound,
             [&] { app::calibrate({.store = "/no/such/folder/s.db"}, host, SteadyClock()); });
}

TEST(KnownCeilings, AreTheNewestWithTheirAge) {
  const auto store = make_memory_store();
  EXPECT_FALSE(app::known_ceilings(*store, "p", "2026-11-30T07:15:00Z"));
  const Ceilings kept{.time = "2026-11-29T07:14:00Z",
                      .fingerprint = "p",
                      .peaks = {{.isa = "avx2", .type = "float32", .rate = {1e9}}}};
  store->append_calibration("p", to_json(kept));
  const auto known = app::known_ceilings(*store, "p", "2026-11-30T07:15:00Z");
  ASSERT_TRUE(known);
  EXPECT_EQ(known->ceilings.peaks[0].isa, "avx2");
  ASSERT_TRUE(known->age);
  EXPECT_EQ(known->age->count(), 86'400 + 60);
}

TEST(KnownCeilings, HaveNoAgeWhenTheirTimeIsNoLabel) {
  const auto store = make_memory_store();
  store->append_calibration("p", to_json(Ceilings{.time = "yesterday"}));
  EXPECT_FALSE(app::known_ceilings(*store, "p", "2026-11-30T07:15:00Z")->age);
}

// 2024 was a leap year: 29 February lies between.
TEST(TimeBetween, CountsTheDaysOfTheCalendar) {
  EXPECT_EQ(app::time_between("2024-02-28T00:00:00Z", "2024-03-01T00:00:00Z")->count(), 172'800);
  EXPECT_EQ(app::time_between("2024-03-01T00:00:00Z", "2024-02-28T00:00:00Z")->count(), -172'800);
  EXPECT_FALSE(app::time_between("", "2024-02-28T00:00:00Z"));
  EXPECT_FALSE(app::time_between("2024-02-28T00:00:00Zx", "2024-02-28T00:00:00Z"));
}

}  // namespace
}  // namespace headroom
