// SPDX-License-Identifier: Apache-2.0
// The words of `--fill`.
#include <headroom/base/error.h>
#include <headroom/plan.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/thrown.h"

namespace headroom {
namespace {

TEST(Fill, IsReadAsItIsWritten) {
  for (const char* text : {"random", "zeros", "ones", "denormal", "sparse:0.5", "sparse:0.125"})
    EXPECT_EQ(to_string(fill_from(text)), text);
  EXPECT_EQ(fill_from("random").kind, FillKind::Normal);
  EXPECT_EQ(fill_from("sparse:0.125").zeros, 0.125);
}

TEST(Fill, SaysWhatIsPossible) {
  for (const char* text : {"", "normal", "sparse", "sparse:", "sparse:0", "sparse:1", "sparse:2",
                           "sparse:-0.5", "sparse:nan", "sparse:0.5x"}) {
    EXPECT_THAT(test::message_of(ErrorKind::Usage, [&] { fill_from(text); }),
                testing::HasSubstr("random, zeros, ones, denormal or sparse:S"))
        << text;
  }
}

}  // namespace
}  // namespace headroom
