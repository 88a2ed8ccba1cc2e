// SPDX-License-Identifier: Apache-2.0
// The messages are those that version 1.32 gave for such models.
#include <gmock/gmock.h>

#include "engine/onnxruntime/session_options.h"
#include "engine/onnxruntime/status.h"

namespace headroom::onnxruntime {
namespace {

TEST(KindOf, TellsABadFileFromAMissingAbility) {
  EXPECT_EQ(kind_of(Stage::Read, ORT_NO_SUCHFILE, "File doesn't exist"), ErrorKind::NotFound);
  EXPECT_EQ(kind_of(Stage::Read, ORT_INVALID_PROTOBUF, "Protobuf parsing failed."),
            ErrorKind::BadInput);
  EXPECT_EQ(kind_of(Stage::Read, ORT_FAIL,
                    "Type Error: Type parameter (T) of Optype (Add) bound to "
                    "different types"),
            ErrorKind::BadInput);
  EXPECT_EQ(
      kind_of(Stage::Read, ORT_FAIL, "Fatal error: my.dom:Foo(-1) is not a registered function/op"),
      ErrorKind::Unsupported);
  EXPECT_EQ(kind_of(Stage::Read, ORT_INVALID_GRAPH,
                    "Error No Op registered for Frobnicate with domain_version of 17"),
            ErrorKind::Unsupported);
  EXPECT_EQ(kind_of(Stage::Read, ORT_FAIL,
                    "Unsupported model IR version: 99, max supported IR version: 14"),
            ErrorKind::Unsupported);
  EXPECT_EQ(kind_of(Stage::Create, ORT_NOT_IMPLEMENTED,
                    "Could not find an implementation for Identity(25) node with name ''"),
            ErrorKind::Unsupported);
  EXPECT_EQ(
      kind_of(
          Stage::Create, ORT_RUNTIME_EXCEPTION,
          "Batchwise recurrent operations (layout == 1) are not supported. If you need support"),
      ErrorKind::Unsupported);
  EXPECT_EQ(kind_of(Stage::Create, ORT_RUNTIME_EXCEPTION, "bad allocation"), ErrorKind::Engine);
}

TEST(KindOf, IsTheEngineInARun) {
  EXPECT_EQ(kind_of(Stage::Run, ORT_INVALID_ARGUMENT, "Got invalid dimensions"), ErrorKind::Engine);
  EXPECT_EQ(kind_of(Stage::Run, ORT_NOT_IMPLEMENTED, ""), ErrorKind::Engine);
}

TEST(MakeError, DropsThePlaceInTheEnginesSourceAndLineBreaks) {
  const Error error = make_error(
      Stage::Read, "'m.onnx'", ORT_FAIL,
      "Load model from m.onnx failed:/onnxruntime_src/onnxruntime/core/graph/model.cc:256 "
      "onnxruntime::Model::Model(onnx::ModelProto&&, const ModelOptions&) Unsupported model IR "
      "version: 99,\n max supported IR version: 14\n");
  EXPECT_STREQ(
      error.what(),
      "engine 'onnxruntime' could not read 'm.onnx': Load model from m.onnx failed:Unsupported "
      "model IR version: 99, max supported IR version: 14");
}

TEST(LevelShownBy, ReadsTheOptimisersThatTheLogNames) {
  EXPECT_EQ(level_shown_by("Initializing session."), "disable");
  EXPECT_EQ(
      level_shown_by("GraphTransformer Level1_RuleBasedTransformer modified: 0 with status: OK"),
      "basic");
  EXPECT_EQ(
      level_shown_by("GraphTransformer Level2_RuleBasedTransformer modified: 1 with status: OK"),
      "extended");
  EXPECT_EQ(level_shown_by("Saving initialized tensors."), "");
}

}  // namespace
}  // namespace headroom::onnxruntime
