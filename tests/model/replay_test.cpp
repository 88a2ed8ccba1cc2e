// SPDX-License-Identifier: Apache-2.0
// Inputs that once broke the reader, inference or counting (found by fuzz/fuzz_model): each must
// end in an answer. The name of a file says what it did.
#include <headroom/base/file.h>

#include <filesystem>

#include <gtest/gtest.h>

#include "fuzz/exercise_model.h"

namespace headroom {
namespace {

TEST(Replay, EndsInAnAnswerForEveryInputThatOnceBrokeTheReader) {
  const std::filesystem::path folder(HEADROOM_TESTDATA "/fuzz/model");
  std::size_t inputs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().filename().string());
    const MappedFile file(entry.path());
    fuzz::exercise_model(file.bytes());
    ++inputs;
  }
  EXPECT_GT(inputs, 0U) << "no inputs in " << folder;
}

}  // namespace
}  // namespace headroom
