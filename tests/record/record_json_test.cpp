// SPDX-License-Identifier: Apache-2.0
// The record as JSON: the members that tools rely on, nothing lost on the way, errors with names.
#include <headroom/base/error.h>
#include <headroom/record.h>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/json.h"
#include "support/sample_record.h"

namespace headroom {
namespace {

using headroom::test::sample_record;

Json written() {
  return Json::parse(to_json(sample_record()));
}

std::string message_of(const Json& json, ErrorKind kind = ErrorKind::BadInput) {
  try {
    record_from_json(json.dump());
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return {};
}

TEST(RecordJson, HasTheMembersOfTheContract) {
  const Json json = written();
  for (const char* key :
       {"id", "time", "schema", "command", "model", "engine", "host", "case", "outcome", "launches",
        "phases", "samples", "metrics", "nodes", "gate", "profile", "repeat"})
    EXPECT_TRUE(json.contains(key)) << key;
  for (const char* key :
       {"path", "sha256", "name", "opset", "nodes", "parameters", "inputs", "outputs"})
    EXPECT_TRUE(json["model"].contains(key)) << key;
  for (const char* key : {"name", "version", "build", "asked", "effective"})
    EXPECT_TRUE(json["engine"].contains(key)) << key;
  for (const char* key : {"fingerprint", "facts", "warnings", "quiet"})
    EXPECT_TRUE(json["host"].contains(key)) << key;
  for (const char* key : {"scenario", "threads", "streams", "batch", "precision", "shapes", "seed",
                          "inputs_from", "inputs"})
    EXPECT_TRUE(json["case"].contains(key)) << key;
  EXPECT_EQ(json["schema"], 2);
  EXPECT_EQ(json["case"]["shapes"]["x"], Json({1, 3, 8, 8}));
  EXPECT_EQ(json["case"]["batch"], 1);
  EXPECT_EQ(json["samples"]["end_ns"][2], 32'050'000);
  EXPECT_EQ(json["phases"]["first_run_ns"]["value"], 3'000'000);
  EXPECT_EQ(json["nodes"][1]["op"], "Gemm");
}

TEST(RecordJson, KeepsWhatATestCaseGave) {
  Record record = sample_record();
  EXPECT_FALSE(Json::parse(to_json(record)).contains("conformance"));
  record.plan_case.role = Role::Conform;
  record.conformance = {
      .data_sets = {{.name = "test_data_set_0",
                     .outputs = {{.name = "y", .is_equal = false, .reason = "far off"}}}}};
  record.outcome.ended_by = "SIGSEGV";
  const Record read = record_from_json(to_json(record));
  ASSERT_EQ(read.conformance.data_sets.size(), 1U);
  EXPECT_EQ(read.conformance.data_sets[0].outputs.at(0).reason, "far off");
  EXPECT_EQ(read.outcome.ended_by, "SIGSEGV");
  EXPECT_EQ(to_json(read), to_json(record));
}

TEST(RecordJson, KeepsTheMemoryOfASessionThatMetSeveralShapes) {
  Record record = sample_record();
  EXPECT_FALSE(Json::parse(to_json(record)).contains("shape_memory"));
  record.plan_case.role = Role::Shapes;
  record.shape_memory = {.loaded_bytes = 7, .after_bytes = {8, 5'000'000'000}};
  const Record read = record_from_json(to_json(record));
  EXPECT_EQ(read.shape_memory.loaded_bytes, 7U);
  EXPECT_EQ(read.shape_memory.after_bytes, (std::vector<std::uint64_t>{8, 5'000'000'000}));
}

TEST(RecordJson, HoldsWhatARunShowedOnlyForThatRole) {
  Record record = sample_record();
  EXPECT_FALSE(Json::parse(to_json(record)).contains("observation"));
  record.plan_case.role = Role::Observe;
  record.observation.values = {
      {.name = "shape",
       .kind = TypeKind::Tensor,
       .type = ElementType::Int64,
       .shape = {2},
       .census = {.elements = 2,
                  .zeros = 3,
                  .denormals = 4,
                  .nans = 5,
                  .infinities = 6,
                  .is_constant = true},
       .integers = std::vector<std::int64_t>{-1, 9}},
      {.name = "scalar", .kind = TypeKind::Tensor, .type = ElementType::Float4E2M1},
      {.name = "s", .kind = TypeKind::Sequence},
      {.name = "o", .kind = TypeKind::Optional},
      {.name = "m"}};
  const Record read = record_from_json(to_json(record));
  ASSERT_EQ(read.observation.values.size(), 5U);
  const ObservedValue& shape = read.observation.values[0];
  EXPECT_EQ(shape.name, "shape");
  EXPECT_EQ(shape.type, ElementType::Int64);
  EXPECT_EQ(shape.shape, std::vector<std::int64_t>{2});
  EXPECT_EQ(shape.census.elements, 2U);
  EXPECT_EQ(shape.census.zeros, 3U);
  EXPECT_EQ(shape.census.denormals, 4U);
  EXPECT_EQ(shape.census.nans, 5U);
  EXPECT_EQ(shape.census.infinities, 6U);
  EXPECT_TRUE(shape.census.is_constant);
  EXPECT_EQ(shape.integers, (std::vector<std::int64_t>{-1, 9}));
  EXPECT_EQ(read.observation.values[1].type, ElementType::Float4E2M1);
  EXPECT_FALSE(read.observation.values[1].integers);
  EXPECT_EQ(read.observation.values[2].kind, TypeKind::Sequence);
  EXPECT_EQ(read.observation.values[3].kind, TypeKind::Optional);
  EXPECT_EQ(read.observation.values[4].kind, TypeKind::Unknown);
}

TEST(RecordJson, WritesAMetricAsAValueOrAReason) {
  const Json metrics = written()["metrics"];
  EXPECT_EQ(metrics["latency_median_ns"].dump(),
            R"({"value":2050000,"low":1900000.5,"high":2200000,"n":3,"kind":"measured"})");
  EXPECT_EQ(metrics["latency_p99_ns"].dump(), R"({"absent":"needs 1000 samples, there are 3"})");
  EXPECT_EQ(metrics["macs"]["kind"], "estimated");
}

TEST(RecordJson, KeepsEveryMember) {
  // Equal text after a round trip, and the text holds every member with a value of its own.
  const std::string text = to_json(sample_record());
  EXPECT_EQ(to_json(record_from_json(text)), text);
  const Record read = record_from_json(text);
  EXPECT_EQ(read.host.quota_cpus, 2.5);
  EXPECT_EQ(read.host.caches.at(1).size, Bytes{32 << 20});
  EXPECT_EQ(read.host.memory_limit, Bytes{8ULL << 30});
  EXPECT_EQ(read.launches.at(1).sampling_start_ns, 5'000'000'001);
  EXPECT_EQ(read.launches.at(1).quiet.throttled_ns, 6U);
  EXPECT_EQ(read.samples.launch, (std::vector<std::int32_t>{0, 0, 1}));
  EXPECT_EQ(read.gate.outputs.at(0).max_rel, 2e-6);
  EXPECT_EQ(read.profile.nodes.at(0).mean_ns, 1'500'000.25);
  EXPECT_EQ(read.peak_flop_per_s, 100e9);
  EXPECT_EQ(read.plan_case.seed, 42U);
  EXPECT_EQ(read.is_quiet, true);
}

// What schema 1 wrote of nodes and of the profile; records of that form lie in stores.
TEST(RecordJson, ReadsSchema1) {
  Json json = written();
  json["schema"] = 1;
  for (Json& node : json["nodes"])
    for (const char* key : {"implementation", "precision", "layout", "role", "originals"})
      node.erase(key);
  for (const char* key : {"file_nodes", "folded", "removed"}) json["profile"].erase(key);
  const Record read = record_from_json(json.dump());
  EXPECT_EQ(read.profile.nodes.at(0).op, "Conv");
  EXPECT_EQ(read.profile.nodes.at(0).role, "");
  EXPECT_EQ(read.profile.file_nodes, 0U);
  EXPECT_EQ(Json::parse(to_json(read))["schema"], 2);
}

TEST(RecordJson, ReadsWhatItWritesWithIndent) {
  const std::string text = to_json(sample_record(), 2);
  EXPECT_EQ(Json::parse(text), written());
  EXPECT_EQ(to_json(record_from_json(text)), to_json(sample_record()));
  EXPECT_NE(text.find("\n  \"samples\": {"), std::string::npos);
}

TEST(RecordJson, KeepsAnEmptyRecord) {
  // As a worker gives it: no metrics, no samples, facts not filled.
  Record record;
  record.plan_case.threads = 1;
  const std::string text = to_json(record);
  EXPECT_EQ(to_json(record_from_json(text)), text);
  EXPECT_FALSE(Json::parse(text)["host"].contains("quiet"));
  EXPECT_FALSE(Json::parse(text)["case"].contains("batch"));
}

TEST(RecordJson, KeepsWhyThereIsNoPeak) {
  Record record = sample_record();
  record.peak_flop_per_s.reset();
  record.peak_absent = "the model is quantised";
  EXPECT_EQ(record_from_json(to_json(record)).peak_absent, "the model is quantised");
  EXPECT_FALSE(record_from_json(to_json(record)).peak_flop_per_s);
}

TEST(RecordJson, KeepsIntegersAboveTheRangeOfDoubles) {
  Record record = sample_record();
  record.model.macs = 9'007'199'254'740'993;  // 2^53 + 1
  EXPECT_EQ(record_from_json(to_json(record)).model.macs, 9'007'199'254'740'993);
}

TEST(RecordJson, LeavesOutADifferenceThatIsNotFinite) {
  Record record = sample_record();
  record.gate.outputs[0].max_abs = std::numeric_limits<double>::infinity();
  const std::string text = to_json(record);
  EXPECT_FALSE(Json::parse(text)["gate"]["outputs"][0].contains("max_abs"));
  EXPECT_TRUE(std::isinf(record_from_json(text).gate.outputs[0].max_abs));
}

TEST(RecordJson, RefusesToWriteAMetricThatIsNotFinite) {
  Record record = sample_record();
  record.metrics["load_ns"].value = std::nan("");
  EXPECT_THROW(to_json(record), Error);
}

TEST(RecordJson, NamesBothSchemasOfANewerRecord) {
  Json json = written();
  json["schema"] = 7;
  json["something_new"] = true;
  EXPECT_EQ(
      message_of(json, ErrorKind::Unsupported),
      "record: schema 7 is newer than 2, which this Headroom reads; use the version of Headroom "
      "that wrote it");
  json["schema"] = 0;
  EXPECT_EQ(message_of(json), "record.schema: 1 to 2 is needed, found 0");
}

TEST(RecordJson, NamesAMissingAnUnknownAndAWrongMember) {
  const Json whole = written();
  for (const auto& [key, value] : whole.items()) {
    Json without = whole;
    without.erase(key);
    EXPECT_NE(message_of(without).find("'" + key + "' is missing"), std::string::npos) << key;
  }
  Json json = written();
  json["launches"][1]["warmup_run"] = 3;
  EXPECT_EQ(message_of(json), "record.launches[1]: the member 'warmup_run' is not known");
  json = written();
  json["metrics"]["load_ns"] = {{"value", "fast"}, {"n", 1}, {"kind", "measured"}};
  EXPECT_EQ(message_of(json), "record.metrics.load_ns.value: a number is needed, found \"fast\"");
  json = written();
  json["outcome"]["status"] = "great";
  EXPECT_NE(message_of(json).find("record.outcome.status: one of ok, partial, noisy"),
            std::string::npos);
  json = written();
  json["case"]["threads"] = 0;
  EXPECT_EQ(message_of(json), "case.threads: at least 1 is needed, found 0");
}

TEST(RecordJson, RefusesTextThatIsNotARecord) {
  for (const char* text : {"", "[]", "3", "{\"id\":", "{\"schema\":1}", "null"})
    EXPECT_THROW(record_from_json(text), Error) << text;
}

}  // namespace
}  // namespace headroom
