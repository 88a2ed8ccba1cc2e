// SPDX-License-Identifier: Apache-2.0
// The Case as JSON: nothing is lost on the way, and what is wrong is named.
#include <headroom/base/error.h>
#include <headroom/plan.h>

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "base/json.h"

namespace headroom {
namespace {

Case full_case() {
  return {.role = Role::Gate,
          .model = "/models/a \"b\".onnx",
          .engine = "null",
          .threads = 3,
          .precision = "bf16",
          .settings = {{"session.x", "1"}, {"y", "two"}},
          .scenario = "single",
          .seed = std::numeric_limits<std::uint64_t>::max(),
          .inputs = {{.name = "ids",
                      .type = ElementType::Int64,
                      .shape = {1, 128},
                      .fill = FillKind::Integers,
                      .low = std::numeric_limits<std::int64_t>::min(),
                      .high = 9007199254740993,  // 2^53 + 1: a double would lose it
                      .reason = "index into 30522 rows"},
                     {.name = "scale", .type = ElementType::Float16, .fill = FillKind::Zeros},
                     {.name = "image",
                      .type = ElementType::Float32,
                      .shape = {1, 3, 8, 8},
                      .fill = FillKind::File,
                      .path = "/x/input_0.pb"}},
          .inputs_from = "files",
          .reference = {"/x/output_0.pb"},
          .stop = {.min_samples = 7, .max_samples = 70, .max_time = Nanoseconds{11}},
          .warmup = {.min_runs = 2, .max_time = Nanoseconds{13}},
          .limits = {.time = Nanoseconds{17}, .memory = Bytes{19}}};
}

// The message of the Error that reading `json` gives; empty if it is accepted.
std::string message_of(const Json& json) {
  try {
    case_from_json(json.dump());
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return {};
}

Json valid() {
  return Json::parse(to_json(full_case()));
}

Case conform_case() {
  Case plan_case = full_case();
  plan_case.role = Role::Conform;
  plan_case.conformance = {
      .data_sets = {{.name = "test_data_set_0",
                     .inputs = {{.name = "s", .kind = TypeKind::Sequence, .path = "/c/input_0.pb"},
                                {.name = "o", .kind = TypeKind::Optional, .path = "/c/input_1.pb"}},
                     .outputs = {{.name = "y", .path = "/c/output_0.pb"}}},
                    {.name = "test_data_set_1"}},
      .abs_tolerance = 0.25,
      .rel_tolerance = 0.125};
  return plan_case;
}

TEST(CaseJson, KeepsTheDataSetsOfATestCase) {
  const std::string text = to_json(conform_case());
  const Case read = case_from_json(text);
  EXPECT_EQ(to_json(read), text);
  ASSERT_EQ(read.conformance.data_sets.size(), 2U);
  EXPECT_EQ(read.conformance.data_sets[0].inputs.at(0).kind, TypeKind::Sequence);
  EXPECT_EQ(read.conformance.data_sets[0].inputs.at(1).kind, TypeKind::Optional);
  EXPECT_EQ(read.conformance.data_sets[0].outputs.at(0).path, "/c/output_0.pb");
  EXPECT_EQ(read.conformance.abs_tolerance, 0.25);
  EXPECT_EQ(read.conformance.rel_tolerance, 0.125);
}

TEST(CaseJson, HasDataSetsForTestCasesOnly) {
  EXPECT_FALSE(valid().contains("conformance"));
  Json json = Json::parse(to_json(conform_case()));
  json["conformance"]["data_sets"][0]["inputs"][0]["kind"] = "matrix";
  EXPECT_EQ(message_of(json),
            "case.conformance.data_sets[0].inputs[0].kind: one of unknown, tensor, sparse_tensor, "
            "sequence, optional, map is needed, found 'matrix'");
  json.erase("conformance");
  EXPECT_NE(message_of(json).find("conformance"), std::string::npos);
}

TEST(CaseJson, HasLaterInputsForThatRoleOnly) {
  EXPECT_FALSE(valid().contains("later_inputs"));
  Case plan_case = full_case();
  plan_case.role = Role::Shapes;
  plan_case.later_inputs = {{{.name = "x", .type = ElementType::Float32, .shape = {4}}}, {}};
  const std::string text = to_json(plan_case);
  const Case read = case_from_json(text);
  EXPECT_EQ(to_json(read), text);
  ASSERT_EQ(read.later_inputs.size(), 2U);
  EXPECT_EQ(read.later_inputs[0].at(0).shape, std::vector<std::int64_t>{4});
  Json json = Json::parse(text);
  json["later_inputs"][1] = 7;
  EXPECT_EQ(message_of(json), "case.later_inputs[1]: an array is needed");
  json.erase("later_inputs");
  EXPECT_NE(message_of(json).find("later_inputs"), std::string::npos);
}

TEST(CaseJson, KeepsEveryMember) {
  const Case read = case_from_json(to_json(full_case()));
  EXPECT_EQ(to_json(read), to_json(full_case()));
  EXPECT_EQ(read.role, Role::Gate);
  EXPECT_EQ(read.model, "/models/a \"b\".onnx");
  EXPECT_EQ(read.threads, 3);
  EXPECT_EQ(read.settings.at("y"), "two");
  EXPECT_EQ(read.seed, std::numeric_limits<std::uint64_t>::max());
  ASSERT_EQ(read.inputs.size(), 3U);
  EXPECT_EQ(read.inputs[0].type, ElementType::Int64);
  EXPECT_EQ(read.inputs[0].shape, (std::vector<std::int64_t>{1, 128}));
  EXPECT_EQ(read.inputs[0].low, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(read.inputs[0].high, 9007199254740993);
  EXPECT_EQ(read.inputs[0].reason, "index into 30522 rows");
  EXPECT_TRUE(read.inputs[1].shape.empty());
  EXPECT_EQ(read.inputs[2].path, "/x/input_0.pb");
  EXPECT_EQ(read.reference, (std::vector<std::string>{"/x/output_0.pb"}));
  EXPECT_EQ(read.stop.max_time, Nanoseconds{11});
  EXPECT_EQ(read.stop.min_samples, 7U);
  EXPECT_EQ(read.stop.max_samples, 70U);
  EXPECT_EQ(read.warmup.min_runs, 2U);
  EXPECT_EQ(read.warmup.max_time, Nanoseconds{13});
  EXPECT_EQ(read.limits.time, Nanoseconds{17});
  EXPECT_EQ(read.limits.memory, Bytes{19});
}

TEST(CaseJson, LeavesOutLimitsThatAreNotSet) {
  Case plan_case = full_case();
  plan_case.limits = {};
  const Case read = case_from_json(to_json(plan_case));
  EXPECT_FALSE(read.limits.time);
  EXPECT_FALSE(read.limits.memory);
}

TEST(CaseJson, KeepsEachRoleAndFill) {
  for (const Role role : {Role::Probe, Role::Measure, Role::Gate, Role::Profile, Role::Conform,
                          Role::Shapes, Role::Observe}) {
    Case plan_case = full_case();
    plan_case.role = role;
    EXPECT_EQ(case_from_json(to_json(plan_case)).role, role) << to_string(role);
  }
  for (const FillKind fill :
       {FillKind::Normal, FillKind::Integers, FillKind::Booleans, FillKind::Zeros, FillKind::Ones,
        FillKind::Denormal, FillKind::Sparse, FillKind::Words, FillKind::File}) {
    Case plan_case = full_case();
    plan_case.inputs[0].fill = fill;
    plan_case.inputs[0].zeros = 0.25;
    const InputSpec read = case_from_json(to_json(plan_case)).inputs[0];
    EXPECT_EQ(read.fill, fill) << to_string(fill);
    EXPECT_EQ(read.zeros, fill == FillKind::Sparse ? 0.25 : 0);
  }
}

TEST(CaseJson, NamesAMissingMember) {
  for (const char* key :
       {"role", "model", "engine", "threads", "precision", "settings", "scenario", "seed", "inputs",
        "inputs_from", "reference", "stop", "warmup", "limits"}) {
    Json json = valid();
    json.erase(key);
    EXPECT_NE(message_of(json).find("'" + std::string(key) + "' is missing"), std::string::npos)
        << key << ": " << message_of(json);
  }
}

TEST(CaseJson, NamesAnUnknownMember) {
  Json json = valid();
  json["thread"] = 2;
  EXPECT_EQ(message_of(json), "case: the member 'thread' is not known");
  json = valid();
  json["stop"]["max_tim_ns"] = 2;
  EXPECT_EQ(message_of(json), "case.stop: the member 'max_tim_ns' is not known");
  json = valid();
  json["inputs"][1]["low"] = 2;  // belongs to `integers` only
  EXPECT_EQ(message_of(json), "case.inputs[1]: the member 'low' is not known");
}

TEST(CaseJson, NamesAMemberOfTheWrongType) {
  Json json = valid();
  json["threads"] = "2";
  EXPECT_EQ(message_of(json), "case.threads: an integer is needed, found \"2\"");
  json = valid();
  json["threads"] = 0;
  EXPECT_EQ(message_of(json), "case.threads: at least 1 is needed, found 0");
  json = valid();
  json["seed"] = -1;
  EXPECT_EQ(message_of(json), "case.seed: an integer from 0 is needed, found -1");
  json = valid();
  json["settings"]["y"] = 2;
  EXPECT_EQ(message_of(json), "case.settings: an object of texts is needed, found 2");
  json = valid();
  json["inputs"][0]["shape"][1] = 1.5;
  EXPECT_EQ(message_of(json), "case.inputs[0].shape: an array of integers is needed, found 1.5");
  json = valid();
  json["warmup"]["max_time_ns"] = 1e30;
  EXPECT_EQ(message_of(json), "case.warmup.max_time_ns: an integer is needed, found 1e+30");
  json = valid();
  json["stop"] = 3;
  EXPECT_EQ(message_of(json), "case.stop: an object is needed, found number");
}

TEST(CaseJson, NamesAWordThatIsNotOneOfTheList) {
  Json json = valid();
  json["role"] = "gates";
  EXPECT_EQ(message_of(json),
            "case.role: one of probe, measure, gate, profile, conform, observe, shapes is needed, "
            "found 'gates'");
  json = valid();
  json["inputs"][0]["type"] = "int65";
  EXPECT_EQ(message_of(json), "case.inputs[0].type: 'int65' is not an element type");
}

TEST(CaseJson, RefusesTextThatIsNotJson) {
  EXPECT_THROW(case_from_json("{\"role\": "), Error);
  EXPECT_THROW(case_from_json(""), Error);
  EXPECT_THROW(case_from_json("[]"), Error);
}

}  // namespace
}  // namespace headroom
