// SPDX-License-Identifier: Apache-2.0
// A listing of ten million records must not read them all: SQLite's own plan says what is read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/schema.h"
#include "store/sqlite_store.h"

namespace headroom {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string plan_of(const std::string& sql) {
  const Database database("memory", Opening::Memory, std::chrono::milliseconds(0));
  migrate(database);
  Statement rows(database, "EXPLAIN QUERY PLAN " + sql);
  std::string plan;
  while (rows.step()) plan += rows.text(3) + "\n";
  return plan;
}

// A scan over the index by time ends at the limit; any other scan reads everything.
TEST(ListQuery, WalksTheIndexByTime) {
  EXPECT_EQ(plan_of(list_query({})), "SCAN records USING INDEX records_by_time\n");
}

TEST(ListQuery, SearchesByModel) {
  const std::string plan = plan_of(list_query({.model = "net.onnx"}));
  EXPECT_THAT(plan, HasSubstr("SEARCH records USING INTEGER PRIMARY KEY"));
  EXPECT_THAT(plan, HasSubstr("records_by_path"));
  EXPECT_THAT(plan, HasSubstr("records_by_file"));
  EXPECT_THAT(plan, HasSubstr("records_by_sha256"));
  EXPECT_THAT(plan, Not(HasSubstr("SCAN records")));
}

TEST(ListQuery, SearchesByEngineInTheOrderOfTime) {
  EXPECT_EQ(plan_of(list_query({.engine = "onnxruntime"})),
            "SEARCH records USING INDEX records_by_engine (engine=?)\n");
}

}  // namespace
}  // namespace headroom
