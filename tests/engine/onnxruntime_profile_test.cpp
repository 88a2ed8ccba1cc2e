// SPDX-License-Identifier: Apache-2.0
// Profiles in the form that ONNX Runtime 1.32 writes, the sums done by hand.
#include <fstream>

#include <gmock/gmock.h>

#include "engine/onnxruntime/profile.h"
#include "support/temp_folder.h"
#include "support/thrown.h"

namespace headroom::onnxruntime {
namespace {

std::string event(const std::string& name, const std::string& op, int start, int duration,
                  int thread = 1) {
  return R"({"cat" : "Node","pid" :9,"tid" :)" + std::to_string(thread) + R"(,"dur" :)" +
         std::to_string(duration) + R"(,"ts" :)" + std::to_string(start) +
         R"(,"ph" : "X","name" :")" + name +
         R"(_kernel_time","args" : {"provider" : "CPUExecutionProvider","op_name" : ")" + op +
         R"(","input_type_shape" : [{"float":[2,1]}],"thread_scheduling_stats" : {"main_thread" : )" +
         R"({"op_name" : "decoy", "core" : -1}}}})";
}

std::string run_end(int start, int duration) {
  return R"({"cat" : "Session","pid" :9,"tid" :1,"dur" :)" + std::to_string(duration) +
         R"(,"ts" :)" + std::to_string(start) + R"(,"ph" : "X","name" :"model_run","args" : {}})";
}

std::vector<NodeTiming> read(const std::string& text) {
  const test::TempFolder folder;
  std::ofstream(folder / "profile.json") << text;
  return read_profile(folder / "profile.json", 0);
}

std::vector<std::string> lines(const std::vector<NodeTiming>& timings) {
  std::vector<std::string> texts;
  for (const NodeTiming& t : timings) {
    texts.push_back(t.name + " " + t.op + " " + t.provider + " " + std::to_string(t.runs) + " " +
                    std::to_string(t.total.count()));
  }
  return texts;
}

TEST(ReadProfile, AddsUpEachNodeTheLargestFirst) {
  const auto timings = read("[\n" + event("a", "Add", 10, 2) + ",\n" + event("b", "Conv", 12, 30) +
                            ",\n" + run_end(9, 35) + ",\n" + event("a", "Add", 50, 3) + ",\n" +
                            event("b", "Conv", 53, 20) + ",\n" + run_end(49, 26) + "\n]\n");
  EXPECT_THAT(lines(timings), testing::ElementsAre("b Conv CPUExecutionProvider 2 50000",
                                                   "a Add CPUExecutionProvider 2 5000"));
}

// If (20 to 50) holds one inner If (25 to 40, itself holding 5 of x) and y of 6: its own is 30 - 15
// - 6.
TEST(ReadProfile, ChargesANodeWithBodiesWithItsOwnTimeOnly) {
  const auto timings = read("[" + event("before", "Add", 10, 10) + "," + event("x", "Mul", 30, 5) +
                            "," + event("inner", "If", 25, 15) + "," + event("y", "Mul", 41, 6) +
                            "," + event("outer", "If", 20, 30) + "," + run_end(9, 50) + "]");
  EXPECT_THAT(lines(timings),
              testing::UnorderedElementsAre(
                  "before Add CPUExecutionProvider 1 10000", "x Mul CPUExecutionProvider 1 5000",
                  "inner If CPUExecutionProvider 1 10000", "y Mul CPUExecutionProvider 1 6000",
                  "outer If CPUExecutionProvider 1 9000"));
}

TEST(ReadProfile, KeepsThreadsApart) {
  const auto timings =
      read("[" + event("a", "Add", 12, 5, 2) + "," + event("b", "Add", 10, 20, 1) + "]");
  EXPECT_THAT(lines(timings), testing::ElementsAre("b Add CPUExecutionProvider 1 20000",
                                                   "a Add CPUExecutionProvider 1 5000"));
}

TEST(ReadProfile, RefusesWhatIsNotAProfile) {
  EXPECT_THAT(test::message_of(ErrorKind::Engine, [] { read("[{\"cat\" : "); }),
              testing::HasSubstr("not JSON"));
  EXPECT_THAT(
      test::message_of(ErrorKind::NotFound, [] { read_profile("/no/such/profile.json", 0); }),
      testing::HasSubstr("wrote no profile"));
  EXPECT_THAT(read("[]"), testing::IsEmpty());
}

}  // namespace
}  // namespace headroom::onnxruntime
