// SPDX-License-Identifier: Apache-2.0
// The list of engines.
#include <headroom/engine.h>

#include <gmock/gmock.h>

#include "support/thrown.h"

namespace headroom {
namespace {

using test::message_of;
using testing::Contains;
using testing::HasSubstr;

TEST(EngineList, MakesEveryEngineThatItNames) {
  for (const std::string& name : engine_names()) {
    const std::unique_ptr<Engine> engine = make_engine(name);
    EXPECT_EQ(engine->name(), name);
    EXPECT_FALSE(engine->version().empty()) << name;
    EXPECT_FALSE(engine->build().empty()) << name;
  }
}

TEST(EngineList, HasTheEnginesThatNeedNothing) {
  EXPECT_THAT(engine_names(), Contains("null"));
  EXPECT_THAT(engine_names(), Contains("scripted"));
}

TEST(EngineList, KnowsOnnxRuntimeBuiltOrNot) {
  const bool is_built = testing::Value(engine_names(), Contains("onnxruntime"));
  EXPECT_NE(is_built, absent_engines().contains("onnxruntime"));
  if (is_built) {
    EXPECT_EQ(engine_names().front(), "onnxruntime");
  } else {
    EXPECT_THAT(message_of(ErrorKind::Unsupported, [] { make_engine("onnxruntime"); }),
                HasSubstr("ONNXRUNTIME_ROOT"));
  }
}

TEST(EngineList, KnowsOpenVinoBuiltOrNot) {
  const bool is_built = testing::Value(engine_names(), Contains("openvino"));
  EXPECT_NE(is_built, absent_engines().contains("openvino"));
  if (!is_built) {
    EXPECT_THAT(message_of(ErrorKind::Unsupported, [] { make_engine("openvino"); }),
                HasSubstr("OpenVINO_DIR"));
  }
}

TEST(EngineList, ChecksOpenVinoByOnnxRuntimeWhereBothAreBuilt) {
  const bool has_other = testing::Value(engine_names(), Contains("onnxruntime"));
  EXPECT_EQ(reference_engine("openvino"),
            has_other && testing::Value(engine_names(), Contains("openvino")) ? "onnxruntime" : "");
  EXPECT_EQ(reference_engine("onnxruntime"), "");
  EXPECT_EQ(reference_engine("scripted"), "");
}

TEST(EngineList, NamesTheNearestForAnUnknownEngine) {
  EXPECT_THAT(message_of(ErrorKind::Usage, [] { make_engine("scriptde"); }),
              HasSubstr("engine 'scriptde' is unknown; did you mean 'scripted'? choose one of: "));
  EXPECT_THAT(message_of(ErrorKind::Usage, [] { make_engine("tensorflow"); }),
              HasSubstr("engine 'tensorflow' is unknown; choose one of: "));
}

}  // namespace
}  // namespace headroom
