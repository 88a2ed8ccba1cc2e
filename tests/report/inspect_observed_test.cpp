// SPDX-License-Identifier: Apache-2.0
// What `inspect --observe` shows of a run.
#include "report/inspect_observed.h"

#include <headroom/report/inspect.h>

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "support/model_builder.h"

namespace headroom {
namespace {

using testing::HasSubstr;
using testing::Not;

ObservedValue tensor(std::string name, ElementCensus census) {
  return {.name = std::move(name),
          .kind = TypeKind::Tensor,
          .type = ElementType::Float32,
          .shape = {static_cast<std::int64_t>(census.elements)},
          .census = census};
}

Record record_of(std::vector<ObservedValue> values) {
  Record record;
  record.engine = {.name = "onnxruntime", .version = "1.32.0"};
  record.plan_case.inputs_from = "generated";
  record.plan_case.seed = 7;
  record.observation.values = std::move(values);
  return record;
}

std::string text_of(const Record& record) {
  std::ostringstream out;
  report::write_observed(out, record, {}, "  ");
  return out.str();
}

TEST(InspectObserved, ShowsOddValuesTheWorstFirst) {
  const std::string text =
      text_of(record_of({tensor("plain", {.elements = 10, .zeros = 4}),
                         tensor("sparse", {.elements = 10, .zeros = 5}),
                         tensor("slow", {.elements = 1000, .denormals = 92}),
                         tensor("broken", {.elements = 4, .nans = 1}),
                         tensor("level", {.elements = 16, .is_constant = true}),
                         tensor("strides", {.elements = 2, .is_constant = true})}));
  EXPECT_EQ(text,
            "\n"
            "seen in one run on onnxruntime 1.32.0, inputs generated, seed 7\n"
            "  value   shape   zeros  denormals     NaN  infinite  all equal\n"
            "  broken  4           -          -  25.0 %         -  -\n"
            "  slow    1000        -      9.2 %       -         -  -\n"
            "  sparse  10     50.0 %          -       -         -  -\n"
            "  level   16          -          -       -         -  yes\n");
}

TEST(InspectObserved, SaysThatNothingIsOdd) {
  // A single zero is no share of anything, and neither is an empty tensor.
  EXPECT_THAT(
      text_of(record_of({tensor("zero", {.elements = 1, .zeros = 1}), tensor("empty", {})})),
      HasSubstr("2 values: none has a denormal, a NaN or an infinity, zeros in half of it, or is "
                "all equal"));
}

TEST(InspectObserved, SaysHowManyItLeavesOut) {
  std::vector<ObservedValue> values;
  for (int i = 0; i < 12; ++i)
    values.push_back(tensor("v" + std::to_string(i), {.elements = 2, .nans = 2}));
  EXPECT_THAT(text_of(record_of(std::move(values))), HasSubstr("and 2 more; --json lists all"));
}

TEST(InspectObserved, ShowsWeightsThatWereLookedAt) {
  const std::vector<ObservedValue> weights = {tensor("w", {.elements = 4, .denormals = 2})};
  std::ostringstream out;
  report::write_weights(out, weights, {}, "");
  EXPECT_THAT(out.str(), HasSubstr("1 weights\nvalue"));
  EXPECT_THAT(out.str(), HasSubstr("50.0 %"));
  const Json json = Json::parse(inspect_json({}, {}, nullptr, weights));
  EXPECT_EQ(json["weights"][0]["denormals"], 2);
}

TEST(InspectObserved, PutsEveryValueIntoTheJson) {
  test::ModelBuilder builder;
  builder.input("x", ElementType::Float32, {{2}}).node("Relu", {"x"}, {"y"}).output("y");
  Model model = builder.parse();
  infer_shapes(model, {});
  const Work work = count_work(model);
  EXPECT_FALSE(Json::parse(inspect_json(model, work)).contains("observation"));
  const Record record = record_of({tensor("y", {.elements = 2, .zeros = 1, .denormals = 1}),
                                   {.name = "s", .kind = TypeKind::Sequence}});
  const Json json = Json::parse(inspect_json(model, work, &record));
  EXPECT_EQ(json["nodes"][0]["shapes"], "inferred");
  const Json& seen = json["observation"];
  EXPECT_EQ(seen["engine"]["version"], "1.32.0");
  EXPECT_EQ(seen["seed"], 7);
  EXPECT_EQ(seen["values"][0]["shape"], Json({2}));
  EXPECT_EQ(seen["values"][0]["denormals"], 1);
  EXPECT_EQ(seen["values"][1]["type"], "sequence");
  EXPECT_FALSE(seen["values"][1].contains("zeros"));
}

TEST(InspectObserved, MarksNodesWhoseShapesWereSeen) {
  test::ModelBuilder builder;
  builder.input("x", ElementType::Float32, {{2}}).node("NonZero", {"x"}, {"y"}).output("y");
  Model model = builder.parse();
  const ObservedType seen{.type = {.kind = TypeKind::Tensor,
                                   .element = ElementType::Int64,
                                   .shape = Shape{Dim{.size = 1}, Dim{.size = 2}}}};
  infer_shapes(model, {.observed = {{"y", seen}}});
  const Work work = count_work(model);
  EXPECT_EQ(Json::parse(inspect_json(model, work))["nodes"][0]["shapes"], "observed");
  std::ostringstream out;
  write_inspect_text(out, model, work, {.shows_all_nodes = true});
  EXPECT_THAT(out.str(), HasSubstr("int64[1x2]  observed"));
  EXPECT_THAT(out.str(), Not(HasSubstr("seen in one run")));
}

}  // namespace
}  // namespace headroom
