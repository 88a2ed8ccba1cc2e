// SPDX-License-Identifier: Apache-2.0
// What executed nodes show of what was asked.
#include "app/observed_facts.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace headroom::app {
namespace {

using testing::HasSubstr;

Record record_of(const std::string& asked, const std::vector<std::string>& precisions) {
  Record record;
  record.plan_case.precision = asked;
  record.engine.effective["provider"] = "CPUExecutionProvider (asked)";
  for (const std::string& precision : precisions)
    record.profile.nodes.push_back({.provider = "CPUExecutionProvider", .precision = precision});
  compare_with_asked(record);
  return record;
}

TEST(CompareWithAsked, NotesWhatTheNodesShow) {
  Record record = record_of("f32", {"float32", "int64", "float32", ""});
  EXPECT_EQ(record.engine.effective["provider"], "CPUExecutionProvider (observed)");
  EXPECT_EQ(record.engine.effective["node_precisions"], "float32 2, int64 1 (observed)");
  EXPECT_TRUE(record.warnings.empty());
}

TEST(CompareWithAsked, NamesProvidersWithTheirNodes) {
  Record record;
  record.profile.nodes = {{.provider = "A"}, {.provider = "B"}, {.provider = "B"}};
  compare_with_asked(record);
  EXPECT_EQ(record.engine.effective["provider"], "B 2, A 1 (observed)");
}

TEST(CompareWithAsked, ClaimsNothingWithoutNodes) {
  Record record = record_of("bf16", {});
  EXPECT_EQ(record.engine.effective["provider"], "CPUExecutionProvider (asked)");
  EXPECT_FALSE(record.engine.effective.contains("node_precisions"));
  EXPECT_TRUE(record.warnings.empty());
}

TEST(CompareWithAsked, WarnsOfAPrecisionThatNoNodeHad) {
  const Record record = record_of("bf16", {"float32", "float32", "int64"});
  ASSERT_EQ(record.warnings.size(), 1U);
  EXPECT_EQ(record.warnings[0].code, "precision_differs");
  EXPECT_THAT(record.warnings[0].found, HasSubstr("bf16 was asked for"));
  EXPECT_THAT(record.warnings[0].found, HasSubstr("float32 2"));
}

TEST(CompareWithAsked, WarnsOfNarrowNodesWhereFloat32WasAsked) {
  const Record record = record_of("f32", {"float32", "float16"});
  ASSERT_EQ(record.warnings.size(), 1U);
  EXPECT_THAT(record.warnings[0].found, HasSubstr("float16 1, as asked 1"));
}

// Engines keep some operators in float32, which is no finding.
TEST(CompareWithAsked, LetsANarrowRunKeepSomeNodesWide) {
  EXPECT_TRUE(record_of("bf16", {"float32", "bfloat16"}).warnings.empty());
  EXPECT_TRUE(record_of("f32", {"uint8", "int64"}).warnings.empty());
}

}  // namespace
}  // namespace headroom::app
