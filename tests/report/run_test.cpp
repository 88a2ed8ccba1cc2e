// SPDX-License-Identifier: Apache-2.0
// What people see of a record. The golden files were read line by line against the sample record.
#include <headroom/report/run.h>

#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "report/golden.h"
#include "report/run_operators.h"
#include "report/run_quantity.h"
#include "report/table.h"
#include "support/sample_record.h"

namespace headroom {
namespace {

using report::metric_text;
using report::time_scale;

std::string text_of(const Record& record, const TextStyle& style = {}) {
  std::ostringstream out;
  write_run_text(out, record, style);
  return out.str();
}

// The sample record with the metrics that a summary gives.
Record measured() {
  Record record = test::sample_record();
  const auto set = [&](const char* key, double value, double low, double high) {
    record.metrics[key] = {.value = value, .low = low, .high = high, .n = 3};
  };
  set("latency_median_ns", 2'050'000, 1'900'000, 2'200'000);
  set("latency_mean_ns", 2'060'000, 1'910'000, 2'210'000);
  set("latency_min_ns", 2'000'000, 2'000'000, 2'050'000);
  record.metrics["latency_p90_ns"] = {.absent =
                                          "percentile 90 needs at least 100 samples, there are 3"};
  record.metrics["latency_p99_ns"] = {.absent =
                                          "percentile 99 needs at least 1000 samples, there are 3"};
  set("throughput_per_s", 485.4, 452.5, 523.6);
  set("cpu_ns_per_inference", 3'090'000, 3'000'000, 3'100'000);
  set("peak_memory_bytes", 60.5 * 1048576, 60 * 1048576, 61 * 1048576);
  set("memory_loaded_bytes", 50 * 1048576, 50 * 1048576, 50 * 1048576);
  set("load_ns", 10'000'000, 9'000'000, 11'000'000);
  set("read_ns", 1'000'000, 1'000'000, 1'000'000);
  set("create_ns", 9'000'000, 8'000'000, 10'000'000);
  set("first_run_ns", 3'000'000, 2'900'000, 3'100'000);
  set("warmup_runs", 12, 12, 12);
  set("warmup_ns", 40'000'000, 39'000'000, 41'000'000);
  set("achieved_flop_per_s", 1.951e9, 1.818e9, 2.105e9);
  set("peak_flop_share", 0.01951, 0.01818, 0.02105);
  return record;
}

TEST(RunText, ShowsTheWholeRecord) {
  test::expect_golden("run/measured.txt", text_of(measured()));
}

TEST(RunText, FitsANarrowTerminal) {
  Record record = measured();
  record.repeat = "headroom run x";
  std::istringstream lines(text_of(record, {.columns = 60}));
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(report::display_width(line), 60U) << line;
}

TEST(RunText, EndsWithTheLineThatRepeatsIt) {
  const Record record = measured();
  const std::string text = text_of(record, {.columns = 20});
  EXPECT_TRUE(text.ends_with("\n" + record.repeat + "\n")) << text;
}

TEST(RunText, HasEscapesOnlyWithColour) {
  EXPECT_EQ(text_of(measured()).find('\x1b'), std::string::npos);
  EXPECT_NE(text_of(measured(), {.has_color = true}).find("\x1b[1m"), std::string::npos);
}

TEST(RunText, EscapesWhatFilesAndEnginesSay) {
  Record record = measured();
  record.model.path = "/tmp/a\x1b[2Jb.onnx";
  record.plan_case.inputs[0].name = "x\ny";
  record.profile.nodes[0].op = "Co\x07nv";
  record.notes = {"node \x1b]0;title"};
  record.outcome = {.status = Status::Noisy, .reason = "\x1b[31m"};
  record.repeat = "headroom run $'a\x1b'";
  const std::string text = text_of(record);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\x07'), std::string::npos);
  EXPECT_NE(text.find("x\\x0ay"), std::string::npos) << text;
}

TEST(RunText, ShowsNoTablesWhenNothingWasMeasured) {
  Record record = measured();
  record.samples = {};
  record.outcome = {.status = Status::Failed, .reason = "node 'a' refused", .error_kind = "engine"};
  const std::string text = text_of(record);
  EXPECT_EQ(text.find("median"), std::string::npos);
  EXPECT_NE(text.find("outcome: failed\n  node 'a' refused\n"), std::string::npos) << text;
}

TEST(RunText, SaysWhatTheGateFound) {
  struct Row {
    GateStatus status;
    const char* expected;
  };
  for (const Row& row :
       {Row{GateStatus::Passed, "right: 1 output within the tolerance of stored outputs"},
        Row{GateStatus::Failed, "WRONG against stored outputs: because"},
        Row{GateStatus::Insensitive, "insensitive: because; so nothing is proved"},
        Row{GateStatus::NotRun, "not checked: because"}}) {
    Record record = measured();
    record.gate.status = row.status;
    record.gate.reason = "because";
    EXPECT_NE(text_of(record).find(row.expected), std::string::npos) << row.expected;
  }
}

// NaN on both sides is equal, and once was shown in the JSON alone.
TEST(RunText, ShowsWhatIsRemarkableInEqualOutputs) {
  Record record = measured();
  record.gate.outputs[0].reason = "3 of 10 elements are NaN in both";
  EXPECT_NE(text_of(record).find("\n  y float32 1x10: 3 of 10 elements are NaN in both\n"),
            std::string::npos);
  record.gate.outputs[0].reason.clear();
  EXPECT_EQ(text_of(record).find("y float32 1x10"), std::string::npos);
}

TEST(RunText, SaysThatOneLaunchHasNoInterval) {
  Record record = measured();
  record.samples.launch = {0, 0, 0};
  EXPECT_NE(text_of(record).find("one inference (one launch, so no interval)\n"),
            std::string::npos);
}

TEST(RunText, CountsOneRunInTheSingular) {
  Record record = measured();
  record.metrics["warmup_runs"] = {.value = 1, .n = 2};
  EXPECT_NE(text_of(record).find("warm-up      1 run, "), std::string::npos);
}

TEST(RunText, SaysWhenWarmUpEndedByTime) {
  Record record = measured();
  record.launches[1].warmup_ended_by = "time";
  EXPECT_NE(text_of(record).find("1 of 2 launches ended it by their limit of time"),
            std::string::npos);
}

TEST(OperatorTable, SumsNodesByOperator) {
  // In 10 runs: two Conv of 100 and 50 ns once a run, one Add of 10 ns twice a run.
  const Profile profile{.runs = 10,
                        .nodes = {{.name = "a", .op = "Add", .runs = 20, .mean_ns = 10},
                                  {.name = "b", .op = "Conv", .runs = 10, .mean_ns = 100},
                                  {.name = "c", .op = "Conv", .runs = 10, .mean_ns = 50}}};
  const auto rows = report::times_by_operator(profile);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].op, "Conv");
  EXPECT_EQ(rows[0].nodes, 2U);
  EXPECT_DOUBLE_EQ(rows[0].time_ns, 150);
  EXPECT_DOUBLE_EQ(rows[0].share, 150.0 / 170);
  EXPECT_DOUBLE_EQ(rows[1].calls, 2);
  EXPECT_DOUBLE_EQ(rows[1].time_ns, 20);
}

TEST(OperatorTable, WarnsOfDistortionAndHidesWhatIsWorthless) {
  Record record = measured();
  record.profile.instrumented_ratio = 1.10;
  EXPECT_EQ(text_of(record).find("distorts"), std::string::npos);
  record.profile.instrumented_ratio = 1.11;
  EXPECT_NE(text_of(record).find("distorts these times and shares"), std::string::npos);
  EXPECT_NE(text_of(record).find("75.0 %"), std::string::npos);
  record.profile.instrumented_ratio = 29;
  EXPECT_NE(text_of(record).find("times and shares are not shown"), std::string::npos);
  EXPECT_EQ(text_of(record).find("75.0 %"), std::string::npos);
}

TEST(OperatorTable, ShowsTheSignedRemainder) {
  Record record = measured();  // nodes: 1.5 ms and 0.5 ms
  record.profile.instrumented_median_ns = 1'900'000;
  EXPECT_NE(text_of(record).find("-100 µs"), std::string::npos) << text_of(record);
}

TEST(OperatorTable, SaysWhyThereIsNone) {
  Record record = measured();
  record.profile = {.outcome = {.status = Status::Failed, .reason = "the profile is unreadable"}};
  EXPECT_NE(text_of(record).find("none (failed): the profile is unreadable"), std::string::npos);
}

// One node of the file as two executed ones, none of them long enough for a time, and one of which
// nothing is known.
TEST(ExecutedGraph, SaysWhatIsOutOfTheOrdinary) {
  Record record = measured();
  record.profile.nodes = {{.name = "a", .op = "Conv", .role = "kept", .originals = {"conv"}},
                          {.name = "b", .op = "Eltwise", .role = "kept", .originals = {"conv"}},
                          {.name = "c", .op = "Odd", .role = "untraced"}};
  record.profile.file_nodes = 1;
  record.profile.folded.clear();
  record.profile.removed.clear();
  const std::string text = text_of(record);
  for (const char* expected :
       {"the engine tells no time of any node", "  1 node in the file, 3 executed: 2 for one",
        "  executed in parts: 1 node of the file\n", "  without a time: 3 of those executed",
        "  not traced back: Odd 1\n"})
    EXPECT_NE(text.find(expected), std::string::npos) << expected << " in\n" << text;
  record.profile.file_nodes = 0;
  record.profile.untraced = "the graph could not be read";
  EXPECT_NE(text_of(record).find("  not traced: the graph could not be read\n"), std::string::npos);
  record.profile.untraced.clear();
  EXPECT_EQ(text_of(record).find("what the engine made"), std::string::npos);
}

TEST(ExecutedNodes, AreListedWithTheirOriginals) {
  std::ostringstream out;
  write_executed_nodes(out, measured());
  test::expect_golden("run/executed_nodes.txt", out.str());
  Record none = measured();
  none.profile.nodes.clear();
  std::ostringstream empty;
  write_executed_nodes(empty, none);
  EXPECT_NE(empty.str().find("there is no instrumented run"), std::string::npos);
}

TEST(MetricText, ShowsTheIntervalInTheUnitOfTheValue) {
  EXPECT_EQ(metric_text({.value = 12'345'678, .low = 12'100'000, .high = 12'600'000}, time_scale),
            "12.3 ms [12.1, 12.6]");
  EXPECT_EQ(metric_text({.value = 990, .low = 980, .high = 1'010}, time_scale),
            "990 ns [980, 1010]");
}

TEST(MetricText, AddsDigitsWhereTheIntervalIsNarrow) {
  // 0.02 ms wide: 12.3 and 12.3 would show a point.
  EXPECT_EQ(metric_text({.value = 12'345'678, .low = 12'335'000, .high = 12'355'000}, time_scale),
            "12.35 ms [12.34, 12.36]");
}

TEST(MetricText, SaysTheReasonOfAnAbsentValue) {
  EXPECT_EQ(metric_text({.absent = "too few samples"}, time_scale), "too few samples");
  EXPECT_EQ(report::value_text({.absent = "too few samples"}, time_scale), "-");
}

TEST(MetricText, TakesTheNextUnitWhenRoundingReachesIt) {
  EXPECT_EQ(metric_text({.value = 999'600}, time_scale), "1.00 ms");
  EXPECT_EQ(metric_text({.value = 999'400}, time_scale), "999 µs");
}

}  // namespace
}  // namespace headroom
