// SPDX-License-Identifier: Apache-2.0
// Kinds, their names and their exit statuses (design page, section 4).
#include <headroom/base/error.h>

#include <gtest/gtest.h>

namespace headroom {
namespace {

struct Row {
  ErrorKind kind;
  const char* name;
  int status;
};

constexpr Row kRows[] = {
    {ErrorKind::Usage, "usage", 2},        {ErrorKind::NotFound, "not_found", 3},
    {ErrorKind::BadInput, "bad_input", 3}, {ErrorKind::Unsupported, "unsupported", 4},
    {ErrorKind::Engine, "engine", 5},      {ErrorKind::Limit, "limit", 6},
    {ErrorKind::Internal, "internal", 70},
};

TEST(ErrorKinds, HaveTheExitStatusOfTheContract) {
  for (const Row& row : kRows) EXPECT_EQ(exit_status(row.kind), row.status) << row.name;
}

TEST(ErrorKinds, AreNamedAndReadBack) {
  for (const Row& row : kRows) {
    EXPECT_EQ(to_string(row.kind), row.name);
    EXPECT_EQ(error_kind_from(row.name), row.kind) << row.name;
  }
  EXPECT_EQ(to_string(ErrorKind::Interrupted), "interrupted");
  EXPECT_EQ(error_kind_from("interrupted"), ErrorKind::Interrupted);
  EXPECT_EQ(error_kind_from("no such kind"), ErrorKind::Internal);
}

TEST(Error, CarriesKindAndMessage) {
  const Error error(ErrorKind::Limit, "too much");
  EXPECT_EQ(error.kind(), ErrorKind::Limit);
  EXPECT_STREQ(error.what(), "too much");
}

}  // namespace
}  // namespace headroom
