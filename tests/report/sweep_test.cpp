// SPDX-License-Identifier: Apache-2.0
// Several records beside each other.
#include <headroom/report/sweep.h>

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "support/sample_record.h"

namespace headroom {
namespace {

using testing::HasSubstr;
using testing::Not;

Record record_of(std::string engine, int threads, std::vector<std::int64_t> shape, double median) {
  Record record = test::sample_record();
  record.id = engine + std::to_string(threads);
  record.plan_case.engine = std::move(engine);
  record.plan_case.threads = threads;
  record.plan_case.inputs.at(0).shape = std::move(shape);
  record.metrics["latency_median_ns"] = {
      .value = median, .low = median - 1e4, .high = median + 1e4, .n = 5};
  record.metrics["throughput_per_s"] = {.value = 1e9 / median};
  record.metrics["peak_memory_bytes"] = {.value = 64.0 * 1048576};
  return record;
}

std::string text_of(const std::vector<Record>& records, const SweepTextOptions& options = {}) {
  std::ostringstream out;
  write_sweep_text(out, records, options);
  return out.str();
}

TEST(SweepText, ShowsWhatDiffersBetweenTheRecords) {
  const std::string text =
      text_of({record_of("onnxruntime", 2, {1, 3}, 1e6), record_of("openvino", 2, {1, 3}, 2e6)});
  EXPECT_THAT(text, HasSubstr("engine"));
  EXPECT_THAT(text, HasSubstr("openvino     2.00 ms [1.99, 2.01]"));
  EXPECT_THAT(text, HasSubstr("64.0 MiB"));
  EXPECT_THAT(text, Not(HasSubstr("threads"))) << "the same everywhere";
  EXPECT_THAT(text, Not(HasSubstr("1x3")));
  const std::string other =
      text_of({record_of("onnxruntime", 1, {1, 3}, 1e6), record_of("onnxruntime", 2, {4, 3}, 2e6)});
  EXPECT_THAT(other, HasSubstr("x    threads"));
  EXPECT_THAT(other, HasSubstr("4x3        2"));
}

TEST(SweepText, NamesRecordsOnlyWhereTheyAreStored) {
  const std::vector<Record> records = {record_of("a", 1, {1}, 1e6), record_of("b", 1, {1}, 1e6)};
  EXPECT_THAT(text_of(records), HasSubstr("headroom show RECORD"));
  EXPECT_THAT(text_of(records, {.is_stored = false}), Not(HasSubstr("RECORD")));
}

TEST(SweepText, SaysWhyARunHasNoTime) {
  Record failed = record_of("openvino", 1, {1, 3}, 1e6);
  failed.metrics["latency_median_ns"] = {.absent = "nothing was measured"};
  failed.outcome = {.status = Status::Unsupported, .reason = "no such operator"};
  const std::string text = text_of({record_of("onnxruntime", 1, {1, 3}, 1e6), failed});
  EXPECT_THAT(text, HasSubstr("unsupported"));
  EXPECT_THAT(text, HasSubstr("openvino: unsupported: no such operator"));
}

TEST(SweepText, ShowsOnceForEachEngineHowFarOutputsAreOff) {
  Record off = record_of("openvino", 1, {1, 3}, 1e6);
  off.gate.reference = "onnxruntime in f32";
  off.gate.outputs = {{.name = "y",
                       .is_equal = false,
                       .max_abs = 0.25,
                       .max_rel = 0.5,
                       .abs_tolerance = 1e-5,
                       .rel_tolerance = 1e-3}};
  Record again = off;
  again.plan_case.threads = 2;
  const std::string text = text_of({record_of("onnxruntime", 1, {1, 3}, 1e6), off, again});
  const std::size_t first = text.find("beyond");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("beyond", first + 1), std::string::npos) << text;
  EXPECT_THAT(text, HasSubstr("openvino     y                     0.25       0.5"));
  EXPECT_THAT(text, HasSubstr("onnxruntime in f32"));
}

Record session_of(std::vector<std::uint64_t> after) {
  Record session{.plan_case = {.role = Role::Shapes,
                               .engine = "onnxruntime",
                               .threads = 2,
                               .inputs = {{.name = "x", .shape = {1, 3}}},
                               .later_inputs = {{{.name = "x", .shape = {8, 3}}}}}};
  session.shape_memory = {.loaded_bytes = 10 << 20, .after_bytes = std::move(after)};
  return session;
}

TEST(SweepText, ShowsHowMemoryGrowsFromShapeToShape) {
  const std::vector<Record> memory = {session_of({12 << 20, 11 << 20})};
  const std::string text =
      text_of({record_of("onnxruntime", 2, {1, 3}, 1e6), record_of("onnxruntime", 2, {8, 3}, 2e6)},
              {.memory = memory});
  EXPECT_THAT(text, HasSubstr("memory of one session that meets the shapes in turn, onnxruntime, 2 "
                              "threads\n"
                              "          resident     growth\n"
                              "  loaded  10.0 MiB\n"
                              "  x=1x3   12.0 MiB  +2.00 MiB\n"
                              "  x=8x3   11.0 MiB  -1.00 MiB\n"));
}

TEST(SweepText, SaysWhyThatMemoryIsNotKnown) {
  Record failed = session_of({});
  failed.outcome = {.status = Status::Failed, .reason = "the engine refused 8x3"};
  const std::vector<Record> memory = {failed};
  EXPECT_THAT(text_of({record_of("a", 1, {1}, 1e6)}, {.memory = memory}),
              HasSubstr("failed: the engine refused 8x3"));
  EXPECT_EQ(Json::parse(sweep_json({}, memory))["shape_memory"][0]["absent"],
            "the engine refused 8x3");
}

TEST(SweepText, IsEmptyForNoRecord) {
  EXPECT_EQ(text_of({}), "");
}

TEST(SweepJson, HoldsEveryRecordWhole) {
  const std::vector<Record> records = {record_of("a", 1, {1}, 1e6), record_of("b", 2, {1}, 2e6)};
  const Json json = Json::parse(sweep_json(records, {}));
  ASSERT_EQ(json["records"].size(), 2U);
  EXPECT_EQ(json["schema"], kRecordSchema);
  EXPECT_EQ(to_json(record_from_json(json["records"][1].dump())), to_json(records[1]));
  const std::vector<Record> memory = {session_of({12, 11})};
  const Json session = Json::parse(sweep_json(records, memory))["shape_memory"][0];
  EXPECT_EQ(session["loaded_bytes"], 10 << 20);
  EXPECT_EQ(session["shapes"][1]["shapes"]["x"], Json({8, 3}));
  EXPECT_EQ(session["shapes"][1]["after_bytes"], 11);
}

}  // namespace
}  // namespace headroom
