// SPDX-License-Identifier: Apache-2.0
// Golden files: expected output in testdata/golden, rewritten when HEADROOM_UPDATE_GOLDEN is set.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace headroom::test {

/// Compares `text` with testdata/golden/`name`.
inline void expect_golden(const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(HEADROOM_TESTDATA) / "golden" / name;
  if (std::getenv("HEADROOM_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return;
  }
  std::ifstream file(path);
  ASSERT_TRUE(file) << path << " is missing; write it with HEADROOM_UPDATE_GOLDEN=1";
  std::ostringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(text, expected.str()) << path;
}

}  // namespace headroom::test
