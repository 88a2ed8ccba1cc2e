// SPDX-License-Identifier: Apache-2.0
// The message of the Error that a call throws, for tests that compare it.
#pragma once

#include <headroom/base/error.h>

#include <string>

#include <gtest/gtest.h>

namespace headroom::test {

/// Runs `call`, which must throw an Error of `kind`, and gives its message.
template <class Call>
std::string message_of(ErrorKind kind, Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(to_string(error.kind()), to_string(kind)) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

}  // namespace headroom::test
