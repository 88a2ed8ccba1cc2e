// SPDX-License-Identifier: Apache-2.0
// Ids of records.
#include <headroom/record.h>

#include <regex>

#include <gtest/gtest.h>

namespace headroom {
namespace {

TEST(RecordId, IsATimeAndARandomNumber) {
  EXPECT_TRUE(std::regex_match(make_record_id(), std::regex(R"(\d{8}T\d{6}Z-[0-9a-f]{8})")));
}

TEST(RecordId, DiffersAlsoWithinOneSecond) {
  EXPECT_NE(make_record_id(), make_record_id());
}

}  // namespace
}  // namespace headroom
