// SPDX-License-Identifier: Apache-2.0
// The doctor's findings; what is broken is a finding, never an end.
#include <headroom/app/doctor.h>
#include <headroom/engine.h>
#include <headroom/store.h>

#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fake_host.h"
#include "support/sample_record.h"
#include "support/temp_folder.h"

namespace headroom {
namespace {

using ::testing::HasSubstr;

DoctorReport examine(const std::string& store) {
  const test::FakeHost host(test::FakeHost::Files{});
  return app::examine({.store = store, .version = "1.2.3", .watched = Nanoseconds(0)}, host,
                      SteadyClock());
}

TEST(Doctor, ListsEveryEngineWithVersionOrReason) {
  const DoctorReport report = examine("none");
  EXPECT_EQ(report.version, "1.2.3");
  EXPECT_EQ(report.engines.size(), engine_names().size() + absent_engines().size());
  for (const EngineStatus& engine : report.engines)
    EXPECT_NE(engine.version.empty(), engine.absent.empty()) << engine.name;
}

TEST(Doctor, CountsTheRecordsOfTheStore) {
  const test::TempFolder folder;
  const std::string path = (folder / "s.db").string();
  const DoctorReport before = examine(path);
  EXPECT_FALSE(before.store.records);
  EXPECT_THAT(before.store.problem, HasSubstr("nothing is recorded yet"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  open_store(path)->append(test::sample_record());
  EXPECT_EQ(examine(path).store.records, 1U);
}

TEST(Doctor, FindsTheCalibrationOfThisPlatformOnly) {
  const test::TempFolder folder;
  const std::string path = (folder / "s.db").string();
  open_store(path)->append_calibration("another", to_json(Ceilings{.time = utc_timestamp()}));
  const DoctorReport without = examine(path);
  EXPECT_FALSE(without.calibration);
  open_store(path)->append_calibration(without.fingerprint,
                                       to_json(Ceilings{.time = utc_timestamp()}));
  EXPECT_TRUE(examine(path).calibration);
}

TEST(Doctor, ReportsABrokenStore) {
  const test::TempFolder folder;
  std::ofstream(folder / "s.db") << std::string(1000, 'x');
  EXPECT_THAT(examine((folder / "s.db").string()).store.problem, HasSubstr("no intact"));
  EXPECT_THAT(examine("postgres://h/d").store.problem, HasSubstr("PostgreSQL"));
}

// A machine that tells nothing of its load is not called quiet, and the reason comes first.
TEST(Doctor, PutsTheNoiseOfTheMomentFirst) {
  const DoctorReport report = examine("none");
  EXPECT_FALSE(report.quiet.is_quiet);
  ASSERT_FALSE(report.warnings.empty());
  EXPECT_EQ(report.warnings.front().code, "noise_unseen");
}

}  // namespace
}  // namespace headroom
