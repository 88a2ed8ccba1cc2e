// SPDX-License-Identifier: Apache-2.0
// What people see of their machine, its peaks and their records. The golden files were read line by
// line against the values below.
#include <headroom/report/doctor.h>
#include <headroom/report/history.h>

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "report/golden.h"
#include "report/table.h"
#include "support/sample_record.h"

namespace headroom {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Ceilings ceilings() {
  return {.time = "2026-11-27T07:15:00Z",
          .fingerprint = "0123456789abcdef",
          .peaks = {{.isa = "avx512f",
                     .type = "float32",
                     .threads = 1,
                     .rate = {178.9e9},
                     .low = {178.1e9},
                     .high = {179.2e9},
                     .best = {179.9e9},
                     .repetitions = 61},
                    {.isa = "avx2",
                     .type = "float32",
                     .threads = 1,
                     .rate = {95e9},
                     .low = {94e9},
                     .high = {96e9},
                     .best = {96.5e9},
                     .repetitions = 61}},
          .absent = {{.isa = "avx512f", .type = "float32", .threads = 2, .reason = "a quota"}}};
}

DoctorReport healthy() {
  return {.version = "0.1.0",
          .facts = test::sample_host(),
          .fingerprint = "0123456789abcdef",
          .clock = {.cost = Nanoseconds(24), .resolution = Nanoseconds(1)},
          .observed = Nanoseconds(500'000'000),
          .quiet = {.is_quiet = true},
          .warnings = {{.code = "virtual_machine",
                        .found = "runs under KVM",
                        .effect = "neighbours share caches",
                        .remedy = "repeat at another hour"}},
          .engines = {{.name = "null", .version = "1", .build = "part of headroom"},
                      {.name = "openvino", .absent = "not in this build"}},
          .store = {.location = "/data/headroom.db", .records = 1234},
          .calibration = KnownCeilings{.ceilings = ceilings(), .age = Seconds{3 * 86'400.0}}};
}

std::string text_of(const DoctorReport& report, const TextStyle& style = {}) {
  std::ostringstream out;
  write_doctor_text(out, report, style);
  return out.str();
}

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);)
    widest = std::max(widest, report::display_width(line));
  return widest;
}

TEST(DoctorText, ShowsTheWholeMachine) {
  test::expect_golden("doctor/healthy.txt", text_of(healthy()));
}

TEST(DoctorText, ShowsWhatIsMissing) {
  DoctorReport report;
  report.store.problem = "nothing is recorded yet";
  report.warnings = find_noise(report.quiet);
  test::expect_golden("doctor/unknown.txt", text_of(report));
}

TEST(DoctorText, FitsATerminal) {
  EXPECT_LE(widest_line(text_of(healthy(), {.columns = 60})), 60U);
}

TEST(DoctorText, EscapesWhatFilesSay) {
  DoctorReport report = healthy();
  report.facts.cpu_model = "evil\x1b[2J";
  EXPECT_THAT(text_of(report), HasSubstr(R"(evil\x1b[2J)"));
}

TEST(DoctorJson, HasTheHostOfARecordAndWhatIsAround) {
  const Json json = parse_json(doctor_json(healthy()), "doctor");
  EXPECT_EQ(json["host"]["fingerprint"], "0123456789abcdef");
  EXPECT_EQ(json["host"]["facts"]["cpu_model"], "AMD EPYC 9654");
  EXPECT_EQ(json["host"]["warnings"][0]["code"], "virtual_machine");
  EXPECT_EQ(json["clock"]["cost_ns"], 24);
  EXPECT_EQ(json["now"]["is_quiet"], true);
  EXPECT_EQ(json["engines"][1]["absent"], "not in this build");
  EXPECT_EQ(json["store"]["records"], 1234);
  EXPECT_EQ(json["calibration"]["peaks"][0]["isa"], "avx512f");
  EXPECT_EQ(json["calibration"]["age_s"], 259'200);
}

TEST(DoctorJson, GivesTheReasonForWhatIsAbsent) {
  DoctorReport report = healthy();
  report.store = {.location = "/x", .problem = "no rights"};
  report.calibration.reset();
  const Json json = parse_json(doctor_json(report), "doctor");
  EXPECT_EQ(json["store"]["records"]["absent"], "no rights");
  EXPECT_TRUE(json["calibration"].contains("absent"));
}

TEST(CalibrationText, ComparesWithTheOneBefore) {
  CalibrationReport report{.ceilings = ceilings(), .kept_in = "/data/headroom.db"};
  report.previous = KnownCeilings{.ceilings = ceilings(), .age = Seconds{7'300}};
  report.previous->ceilings.peaks.pop_back();
  report.previous->ceilings.peaks[0].rate = {180e9};
  std::ostringstream out;
  write_calibration_text(out, report);
  test::expect_golden("doctor/calibration.txt", out.str());
}

TEST(CalibrationJson, HasThePeaksAndTheOneBefore) {
  CalibrationReport report{.ceilings = ceilings()};
  Json json = parse_json(calibration_json(report), "calibration");
  EXPECT_EQ(json["peaks"][1]["flop_per_s"], 95e9);
  EXPECT_EQ(json["absent"][0]["reason"], "a quota");
  EXPECT_TRUE(json["previous"].contains("absent"));
  EXPECT_TRUE(json["kept_in"].contains("absent"));
  report.previous = KnownCeilings{.ceilings = ceilings()};
  report.kept_in = "/x";
  json = parse_json(calibration_json(report), "calibration");
  EXPECT_EQ(json["previous"]["time"], "2026-11-27T07:15:00Z");
  EXPECT_FALSE(json["previous"].contains("age_s"));
  EXPECT_EQ(json["kept_in"], "/x");
}

TEST(Age, IsWrittenInTheLargestWholeUnit) {
  EXPECT_EQ(format_age(Seconds{0}), "just now");
  EXPECT_EQ(format_age(Seconds{59}), "just now");
  EXPECT_EQ(format_age(Seconds{60}), "1 minute ago");
  EXPECT_EQ(format_age(Seconds{7'199}), "1 hour ago");
  EXPECT_EQ(format_age(Seconds{172'800}), "2 days ago");
  EXPECT_EQ(format_age(Seconds{-5}), "in the future");
}

HistoryReport history() {
  return {.records = {{.id = "20261130T071500Z-3f9a2c41",
                       .time = "2026-11-30T07:15:00Z",
                       .model = "/models/net.onnx",
                       .sha256 = "ab12",
                       .engine = "onnxruntime",
                       .engine_version = "1.32.0",
                       .threads = 2,
                       .fingerprint = "0123456789abcdef",
                       .hostname = "alpha",
                       .median = {.value = 2'050'000, .low = 1'900'000, .high = 2'200'000, .n = 5}},
                      {.id = "20261129T000000Z-00000000",
                       .time = "2026-11-29T00:00:00Z",
                       .model = "/models/broken.onnx",
                       .engine = "null",
                       .threads = 16,
                       .fingerprint = "fedcba9876543210",
                       .hostname = "beta",
                       .outcome = {.status = Status::Failed, .reason = "no such operator"},
                       .median = {.absent = "no launch ended well"}}},
          .store = "/data/headroom.db",
          .fingerprint = "0123456789abcdef"};
}

TEST(HistoryText, MarksWhatWasMeasuredElsewhere) {
  std::ostringstream out;
  write_history_text(out, history());
  test::expect_golden("doctor/history.txt", out.str());
}

TEST(HistoryText, FitsATerminal) {
  for (const int columns : {60, 80, 100}) {
    std::ostringstream out;
    write_history_text(out, history(), {.columns = columns});
    EXPECT_LE(widest_line(out.str()), static_cast<std::size_t>(columns)) << out.str();
    EXPECT_THAT(out.str(), HasSubstr("20261130T071500Z-3f9a2c41"));
  }
}

TEST(HistoryText, SaysWhyItIsEmpty) {
  HistoryReport report{.store = "/data/headroom.db"};
  std::ostringstream nothing;
  write_history_text(nothing, report);
  EXPECT_EQ(
      nothing.str(),
      "No records: nothing is recorded yet in /data/headroom.db; `headroom run MODEL` records.\n");
  report.sought = "'net.onnx'";
  std::ostringstream none_such;
  write_history_text(none_such, report);
  EXPECT_EQ(none_such.str(),
            "No record of 'net.onnx' in /data/headroom.db; `headroom history` lists all.\n");
}

TEST(HistoryJson, HasMedianOrReason) {
  const Json json = parse_json(history_json(history()), "history");
  EXPECT_EQ(json["records"][0]["latency_median_ns"]["low"], 1'900'000);
  EXPECT_EQ(json["records"][0]["is_this_platform"], true);
  EXPECT_EQ(json["records"][1]["latency_median_ns"]["absent"], "no launch ended well");
  EXPECT_EQ(json["records"][1]["outcome"]["reason"], "no such operator");
  EXPECT_EQ(json["records"][1]["is_this_platform"], false);
}

}  // namespace
}  // namespace headroom
