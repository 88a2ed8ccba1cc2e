// SPDX-License-Identifier: Apache-2.0
// Sums from running means, done by hand.
#include <gmock/gmock.h>

#include "engine/openvino/profile.h"
#include "support/thrown.h"

namespace headroom::openvino {
namespace {

using testing::ElementsAre;

NodeReading reading(const std::string& name, int microseconds) {
  return {.name = name,
          .op = "Op",
          .implementation = "ref_f32",
          .mean = std::chrono::microseconds{microseconds}};
}

std::vector<std::string> lines(const std::vector<ExecutedNode>& nodes) {
  std::vector<std::string> texts;
  for (const ExecutedNode& t : nodes) {
    texts.push_back(t.name + " " + std::to_string(t.runs) + " " + std::to_string(t.total.count()));
  }
  return texts;
}

// Runs of 90, 30 and 30 µs have means of 90, 60 and 50; runs of 10, 40 and 70 have 10, 25 and 40.
TEST(ProfileLog, TakesTheWarmUpOutOfTheMeans) {
  ProfileLog log;
  log.add({reading("a", 90), reading("b", 10), reading("idle", 0)});
  log.add({reading("a", 60), reading("b", 25), reading("idle", 0)});
  log.add({reading("a", 50), reading("b", 40), reading("idle", 0)});
  EXPECT_THAT(lines(log.sums(0)), ElementsAre("a 3 150000", "b 3 120000"));
  EXPECT_THAT(lines(log.sums(1)), ElementsAre("b 2 110000", "a 2 60000"));
  EXPECT_THAT(lines(log.sums(9)), testing::IsEmpty());
}

TEST(ProfileLog, RefusesAnotherNumberOfNodes) {
  ProfileLog log;
  log.add({reading("a", 1)});
  EXPECT_THAT(test::message_of(ErrorKind::Engine, [&] { log.add({}); }),
              testing::HasSubstr("0 nodes after run 2, and of 1"));
}

}  // namespace
}  // namespace headroom::openvino
