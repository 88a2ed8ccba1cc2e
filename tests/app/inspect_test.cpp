// SPDX-License-Identifier: Apache-2.0
// `headroom inspect` end to end, from a file.
#include <headroom/app/inspect.h>
#include <headroom/base/error.h>
#include <headroom/report/inspect.h>

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/golden.h"
#include "support/model_builder.h"

namespace headroom::test {
namespace {

using ::testing::HasSubstr;

constexpr ElementType kF32 = ElementType::Float32;

ModelBuilder one_product(const DimSpec& batch) {
  ModelBuilder builder;
  builder.input("x", kF32, {{batch, 5}})
      .initializer(external_tensor("w", kF32, {5, 7}, "w.bin", 0, 140))
      .node("MatMul", {"x", "w"}, {"y"})
      .output("y", kF32);
  return builder;
}

TEST(Inspect, CountsAModelWhoseDataFileIsMissing) {
  const TemporaryFolder folder;
  one_product(3).write(folder.path() / "m.onnx");
  const app::Inspection result = app::inspect({.model = folder.path() / "m.onnx"});
  EXPECT_EQ(result.work.macs.value, 105U);
  EXPECT_EQ(result.work.parameter_bytes.value, 140U);
  ASSERT_FALSE(result.model.diagnostics.empty());
  std::ostringstream text;
  write_inspect_text(text, result.model, result.work);
  EXPECT_THAT(text.str(), HasSubstr("w.bin"));
}

TEST(Inspect, FixesWhatIsOpen) {
  const TemporaryFolder folder;
  one_product("batch").write(folder.path() / "m.onnx");
  EXPECT_FALSE(app::inspect({.model = folder.path() / "m.onnx"}).work.is_complete());
  const app::Inspection fixed =
      app::inspect({.model = folder.path() / "m.onnx", .shapes = {.dims = {{"batch", 2}}}});
  EXPECT_EQ(fixed.work.macs.value, 70U);
}

TEST(Inspect, RefusesWhatIsNoModel) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "text.onnx") << "this is not a model\n";
  try {
    app::inspect({.model = folder.path() / "text.onnx"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    EXPECT_THAT(error.what(), HasSubstr("text.onnx"));
  }
}

TEST(Inspect, RefusesADimensionThatNoInputHas) {
  const TemporaryFolder folder;
  one_product("batch").write(folder.path() / "m.onnx");
  try {
    app::inspect({.model = folder.path() / "m.onnx", .shapes = {.dims = {{"bach", 2}}}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Usage);
    EXPECT_THAT(error.what(), HasSubstr("batch"));
  }
}

TEST(Inspect, ShowsSqueezeNetAsRecorded) {
  const std::filesystem::path path =
      std::filesystem::path(HEADROOM_CORPUS) / "light/light_squeezenet/light_squeezenet.onnx";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no corpus: run tools/corpus";
  app::Inspection result = app::inspect({.model = path});
  result.model.path = path.filename();
  std::ostringstream text;
  write_inspect_text(text, result.model, result.work);
  expect_golden("inspect/light_squeezenet.txt", text.str());
  expect_golden("inspect/light_squeezenet.json", inspect_json(result.model, result.work) + "\n");
}

TEST(Inspect, ScansInitializersAndConstantsBodiesIncluded) {
  const TemporaryFolder folder;
  test::GraphBuilder body("body");
  body.initializer("inner", {2}, std::vector<float>{0, 0})
      .node("Add", {"x", "inner"}, {"b"})
      .output("b", ElementType::Float32, {{2}});
  test::ModelBuilder model;
  model.input("x", ElementType::Float32, {{2}})
      .input("c", ElementType::Bool, std::vector<test::DimSpec>{})
      .initializer("w", {2}, std::vector<float>{1e-40F, 1})
      .node("Constant", {}, {"k"}, {test::attr("value", test::float_tensor("", {2}, {3, 3}))})
      .node("If", {"c"}, {"i"}, {test::attr("then_branch", body), test::attr("else_branch", body)})
      .node("Sum", {"i", "w", "k"}, {"y"})
      .output("y", ElementType::Float32, {{2}});
  model.write(folder.path() / "model.onnx");
  EXPECT_TRUE(app::inspect({.model = folder.path() / "model.onnx"}).weights.empty());
  const auto weights = app::inspect({.model = folder.path() / "model.onnx", .scans = true}).weights;
  ASSERT_EQ(weights.size(), 4U);
  EXPECT_EQ(weights[0].name, "w");
  EXPECT_EQ(weights[0].census.denormals, 1U);
  EXPECT_EQ(weights[1].name, "k");
  EXPECT_TRUE(weights[1].census.is_constant);
  EXPECT_EQ(weights[2].name, "inner");
  EXPECT_EQ(weights[3].census.zeros, 2U);
}

}  // namespace
}  // namespace headroom::test
