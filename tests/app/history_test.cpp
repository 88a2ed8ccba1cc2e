// SPDX-License-Identifier: Apache-2.0
// Looking records up, from a store on disk.
#include <headroom/app/history.h>

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fake_host.h"
#include "support/sample_record.h"
#include "support/temp_folder.h"
#include "support/thrown.h"

namespace headroom {
namespace {

using test::message_of;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const test::FakeHost kHost(test::FakeHost::Files{});

TEST(History, IsEmptyAndMakesNoFileBeforeTheFirstRecord) {
  const test::TempFolder folder;
  const HistoryReport report =
      app::history({.model = "net.onnx", .store = (folder / "s.db").string()}, kHost);
  EXPECT_THAT(report.records, IsEmpty());
  EXPECT_EQ(report.store, (folder / "s.db").string());
  EXPECT_EQ(report.sought, "");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(History, FindsAModelByARelativePath) {
  const test::TempFolder folder;
  const std::string store = (folder / "s.db").string();
  Record record = test::sample_record();
  record.model.path = (std::filesystem::current_path() / "net.onnx").string();
  open_store(store)->append(record);
  EXPECT_EQ(app::history({.model = "./a/../net.onnx", .store = store}, kHost).records.size(), 1U);
  EXPECT_EQ(app::history({.model = "net.onnx", .store = store}, kHost).records.size(), 1U);
  const HistoryReport none =
      app::history({.model = "./other.onnx", .engine = "null", .store = store}, kHost);
  EXPECT_THAT(none.records, IsEmpty());
  EXPECT_EQ(none.sought, "'./other.onnx' on engine 'null'");
}

TEST(History, KnowsThisPlatform) {
  const test::TempFolder folder;
  EXPECT_EQ(app::history({.store = (folder / "s.db").string()}, kHost).fingerprint,
            platform_fingerprint(read_facts(kHost)));
}

TEST(History, RefusesTheStoreNone) {
  message_of(ErrorKind::Usage, [] { app::history({.store = "none"}, kHost); });
  message_of(ErrorKind::Usage, [] { app::show("last", "none"); });
}

TEST(Show, GivesTheRecordThatWasKept) {
  const test::TempFolder folder;
  const std::string store = (folder / "s.db").string();
  EXPECT_THAT(message_of(ErrorKind::NotFound, [&] { app::show("last", store); }),
              HasSubstr("nothing is recorded yet"));
  const Record record = test::sample_record();
  open_store(store)->append(record);
  EXPECT_EQ(to_json(app::show("last", store)), to_json(record));
  EXPECT_EQ(to_json(app::show("20261130T07", store)), to_json(record));
}

}  // namespace
}  // namespace headroom
