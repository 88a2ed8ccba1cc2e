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

TEST(ReadProfile, AddsUpEachNodeInTheOrderOfFirstEnds) {
  const auto timings = read("[\n" + event("a", "Add", 10, 2) + ",\n" + event("b", "Conv", 12, 30) +
                            ",\n" + run_end(9, 35) + ",\n" + event("a", "Add", 50, 3) + ",\n" +
                            event("b", "Conv", 53, 20) + ",\n" + run_end(49, 26) + "\n]\n");
  EXPECT_THAT(lines(timings), testing::ElementsAre("a Add CPUExecutionProvider 2 5000",
                                                   "b Conv CPUExecutionProvider 2 50000"));
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
  EXPECT_THAT(lines(timings), testing::ElementsAre("a Add CPUExecutionProvider 1 5000",
                                                   "b Add CPUExecutionProvider 1 20000"));
}

TEST(ReadProfile, TellsTheTypeOfTheFirstOutput) {
  const auto timings = read(
      R"([{"cat" : "Node","pid" :9,"tid" :1,"dur" :2,"ts" :1,"ph" : "X","name" :"c_kernel_time",)"
      R"("args" : {"op_name" : "Cast","input_type_shape" : [{"int64":[2]}],)"
      R"("output_type_shape" : [{"float":[2]},{"int32":[2]}],"provider" : "CPUExecutionProvider"}}])");
  ASSERT_EQ(timings.size(), 1U);
  EXPECT_EQ(timings[0].precision, "float32");
}

// The saved graph knows no name for some nodes, the profile gives them one with a number of its
// own.
TEST(AddTimes, TellsNodesWithoutANameByTheirOrder) {
  ExecutedGraph traced{.nodes = {{.name = "", .op = "Add", .layout = "first"},
                                 {.name = "named", .op = "Add"},
                                 {.name = "", .op = "Add", .layout = "second"},
                                 {.name = "", .op = "Mul"}}};
  add_times({{.name = "Add_7", .op = "Add", .runs = 2, .total = Nanoseconds{10}},
             {.name = "named", .op = "Add", .runs = 2, .total = Nanoseconds{30}},
             {.name = "Add_3", .op = "Add", .runs = 2, .total = Nanoseconds{20}},
             {.name = "Mul_1", .op = "Mul", .runs = 2, .total = Nanoseconds{5}},
             {.name = "Mul_2", .op = "Mul", .runs = 2, .total = Nanoseconds{4}}},
            traced);
  std::vector<std::string> texts;
  for (const ExecutedNode& node : traced.nodes)
    texts.push_back(node.name + " " + node.layout + " " + std::to_string(node.total.count()));
  // Two times of Mul and one node: which is which cannot be told.
  EXPECT_THAT(texts, testing::ElementsAre("named  30", "Add_3 second 20", "Add_7 first 10",
                                          "Mul_1  5", "Mul_2  4", "  0"));
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
