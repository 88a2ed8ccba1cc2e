// SPDX-License-Identifier: Apache-2.0
// Text and JSON of `headroom inspect` over the same models.
#include <headroom/report/inspect.h>

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"
#include "report/golden.h"
#include "report/table.h"
#include "support/model_builder.h"

namespace headroom::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr ElementType kF32 = ElementType::Float32;

struct Inspected {
  Model model;
  Work work;
};

Inspected inspected(const ModelBuilder& builder, const ShapeOptions& options = {}) {
  Model model = builder.parse();
  model.path = "folder/small.onnx";
  inline_functions(model);
  infer_shapes(model, options);
  Work work = count_work(model);
  return {std::move(model), std::move(work)};
}

std::string text_of(const Inspected& result, const InspectTextOptions& options = {}) {
  std::ostringstream out;
  write_inspect_text(out, result.model, result.work, options);
  return out.str();
}

// A convolution, its bias, a constant that is made, a classifier.
ModelBuilder small_network() {
  ModelBuilder builder;
  builder.input("image", kF32, {{1, 3, 8, 8}})
      .initializer(zero_tensor("w", kF32, {4, 3, 3, 3}))
      .initializer("shape", {2}, std::vector<std::int64_t>{4, 10})
      .node("Conv", {"image", "w"}, {"c"}, {ints("pads", {1, 1, 1, 1})}, "", "conv")
      .node("Relu", {"c"}, {"r"}, {}, "", "relu")
      .node("GlobalAveragePool", {"r"}, {"p"}, {}, "", "pool")
      .node("Flatten", {"p"}, {"f"}, {}, "", "flatten")
      .node("ConstantOfShape", {"shape"}, {"k"}, {}, "", "make")
      .node("Gemm", {"f", "k"}, {"y"}, {}, "", "classify")
      .output("y", kF32);
  return builder;
}

// A symbolic batch, an unnamed open dimension, an operator that nobody knows.
ModelBuilder open_network() {
  ModelBuilder builder;
  builder.opset("", 21).opset("acme", 1);
  builder.input("x", kF32, {{"batch", 5}})
      .input("z", kF32, {{std::nullopt, 5}})
      .initializer(zero_tensor("w", kF32, {5, 7}))
      .node("MatMul", {"x", "w"}, {"a"}, {}, "", "first")
      .node("MatMul", {"z", "w"}, {"b"}, {}, "", "second")
      .node("Mystery", {"a"}, {"m"}, {}, "acme", "odd")
      .output("b", kF32)
      .output("m", kF32, {{"batch", 7}});
  return builder;
}

TEST(InspectText, ShowsWhatIsCounted) {
  expect_golden("inspect/small_network.txt", text_of(inspected(small_network())));
}

TEST(InspectText, ShowsEveryNodeWhenAsked) {
  expect_golden("inspect/small_network_nodes.txt",
                text_of(inspected(small_network()), {.shows_all_nodes = true}));
}

TEST(InspectText, SaysWhatIsOpenAndHowToFixIt) {
  expect_golden("inspect/open_network.txt", text_of(inspected(open_network())));
}

TEST(InspectText, SaysOnceWhyOperatorsHaveNoFormula) {
  ModelBuilder builder;
  builder.opset("", 21).opset("acme", 1);
  builder.input("s", ElementType::String, {{4}})
      .input("x", kF32, {{4}})
      .node("StringConcat", {"s", "s"}, {"a"})
      .node("StringConcat", {"a", "s"}, {"b"})
      .node("RegexFullMatch", {"b"}, {"c"}, {attr("pattern", "a")})
      .node("Bernoulli", {"x"}, {"d"})
      .node("Mystery", {"x"}, {"e"}, {}, "acme")
      .output("c", ElementType::Bool)
      .output("d", kF32)
      .output("e", kF32, {{4}});
  const Inspected result = inspected(builder);
  const std::string text = text_of(result, {.style = {.columns = 100}});
  EXPECT_THAT(text, HasSubstr("no formula: acme.Mystery (1)\n"));
  EXPECT_THAT(text, HasSubstr("no formula: StringConcat (2), RegexFullMatch (1): strings have no "
                              "arithmetic that is counted\n"));
  const Json json = parse_json(inspect_json(result.model, result.work), "inspect");
  ASSERT_EQ(json["uncounted"].size(), 4U);
  EXPECT_EQ(json["uncounted"][0]["op"], "Bernoulli");
  EXPECT_EQ(json["uncounted"][0]["reason"],
            "the algorithm of a random number generator is the engine's");
  EXPECT_EQ(json["uncounted"][3]["reason"], "the operator is not known");
  EXPECT_EQ(json["nodes"][0]["reason"], "strings have no arithmetic that is counted");
}

TEST(InspectText, ShowsMacsByTypeWhereNotAllAreFloats) {
  ModelBuilder builder;
  builder.input("a", ElementType::Uint8, {{2, 3}})
      .input("x", kF32, {{2, 3}})
      .initializer(zero_tensor("w", ElementType::Int8, {3, 4}))
      .initializer(zero_tensor("v", kF32, {3, 5}))
      .node("MatMulInteger", {"a", "w"}, {"b"})
      .node("MatMul", {"x", "v"}, {"y"})
      .output("b", ElementType::Int32)
      .output("y", kF32);
  const Inspected result = inspected(builder);
  EXPECT_THAT(text_of(result), HasSubstr("54 (float32 30, uint8 24)\n"));
  const Json json = parse_json(inspect_json(result.model, result.work), "inspect");
  EXPECT_EQ(json["totals"]["macs_by_type"]["uint8"], 24);
  EXPECT_EQ(json["totals"]["macs_by_type"]["float32"], 30);
  EXPECT_EQ(json["nodes"][0]["mac_type"], "uint8");
}

TEST(InspectText, StaysWithinTheTerminal) {
  for (const int columns : {60, 80, 100}) {
    std::istringstream lines(text_of(inspected(small_network()), {.style = {.columns = columns}}));
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(report::display_width(line), static_cast<std::size_t>(columns)) << line;
  }
}

TEST(InspectText, EscapesNamesThatCouldSteerTheTerminal) {
  ModelBuilder builder;
  builder.input("x\x1b[2J", kF32, {{4}})
      .node("Relu", {"x\x1b[2J"}, {"y"}, {}, "", "evil\x07\xFF")
      .output("y", kF32);
  const std::string text = text_of(inspected(builder), {.shows_all_nodes = true});
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr("x\\x1b[2J"));
  EXPECT_THAT(text, HasSubstr("evil\\x07\\xff"));
}

TEST(InspectText, ShowsDiagnostics) {
  Inspected result = inspected(small_network());
  result.model.diagnostics.push_back({.severity = Severity::Warning,
                                      .code = "external_data_missing",
                                      .place = "tensor 'w'",
                                      .message = "the file 'w.bin' does not exist"});
  EXPECT_THAT(text_of(result), HasSubstr("warning: tensor 'w': the file 'w.bin' does not exist "
                                         "[external_data_missing]"));
}

TEST(InspectJson, HoldsTheWholeResult) {
  const Inspected result = inspected(small_network());
  expect_golden("inspect/small_network.json", inspect_json(result.model, result.work) + "\n");
}

TEST(InspectJson, IsValidAndAgreesWithTheWork) {
  const Inspected result = inspected(small_network());
  const Json json = parse_json(inspect_json(result.model, result.work), "inspect");
  // 4 x 64 outputs of 27 products; 10 of 4.
  EXPECT_EQ(json["totals"]["macs"], 256 * 27 + 40);
  EXPECT_EQ(json["totals"]["flops"], 2 * (256 * 27 + 40));
  EXPECT_EQ(json["totals"]["parameters"], 108 + 40);
  EXPECT_EQ(json["totals"]["complete"], true);
  EXPECT_EQ(json["by_op"]["Conv"]["macs"], 256 * 27);
  EXPECT_EQ(json["by_op"]["ConstantOfShape"]["constant_elements"], 40);
  ASSERT_EQ(json["nodes"].size(), 6U);
  EXPECT_EQ(json["nodes"][0]["name"], "conv");
  EXPECT_EQ(json["nodes"][0]["outputs"][0], "float32[1x4x8x8]");
  EXPECT_EQ(json["nodes"][4]["status"], "constant");
  EXPECT_TRUE(json["uncounted"].empty());
}

TEST(InspectJson, LeavesOutWhatIsNotKnownAndSaysWhy) {
  const Inspected result = inspected(open_network());
  const Json json = parse_json(inspect_json(result.model, result.work), "inspect");
  EXPECT_EQ(json["totals"]["complete"], false);
  EXPECT_TRUE(json["totals"]["macs"].contains("absent"));
  EXPECT_TRUE(json["totals"]["activation_peak_bytes"].contains("absent"));
  EXPECT_EQ(json["totals"]["parameters"], 35);
  const Json& first = json["nodes"][0];
  EXPECT_EQ(first["status"], "unknown_shape");
  EXPECT_FALSE(first.contains("macs"));
  EXPECT_EQ(first["open_dimension"], "batch");
  EXPECT_EQ(json["uncounted"][0]["op"], "acme.Mystery");
  EXPECT_EQ(json["uncounted"][0]["nodes"], 1);
  EXPECT_EQ(json["unknown_shape"][0]["options"][0], "--dim batch=1");
  EXPECT_EQ(json["model"]["inputs"][0]["shape"][0], "batch");
}

TEST(InspectJson, ReplacesBytesThatAreNotUtf8) {
  ModelBuilder builder;
  builder.input("x", kF32, {{4}})
      .node("Relu", {"x"}, {"y"}, {}, "", "a\xFF\"\n\\b")
      .output("y", kF32);
  const Inspected result = inspected(builder);
  const Json json = parse_json(inspect_json(result.model, result.work), "inspect");
  EXPECT_EQ(json["nodes"][0]["name"], "a\xEF\xBF\xBD\"\n\\b");
}

TEST(InspectJson, IsTheSameForTheSameModel) {
  const Inspected once = inspected(small_network());
  const Inspected again = inspected(small_network());
  EXPECT_EQ(inspect_json(once.model, once.work), inspect_json(again.model, again.work));
}

}  // namespace
}  // namespace headroom::test
