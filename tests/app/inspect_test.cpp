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

}  // namespace
}  // namespace headroom::test
