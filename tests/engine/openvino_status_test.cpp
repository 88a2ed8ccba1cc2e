// SPDX-License-Identifier: Apache-2.0
// The messages are those that version 2026.4.1 gave for such models.
#include <gmock/gmock.h>

#include "engine/openvino/status.h"

namespace headroom::openvino {
namespace {

TEST(OpenvinoKindOf, TellsABadFileFromAMissingAbility) {
  EXPECT_EQ(kind_of(Stage::Read, "-- No conversion rule found for operations: Frob-17"),
            ErrorKind::Unsupported);
  EXPECT_EQ(kind_of(Stage::Read, "Loading input model\nUnsupported type"), ErrorKind::Unsupported);
  EXPECT_EQ(kind_of(Stage::Read, "Loading input model\nUnsupported value_info type: probabilities"),
            ErrorKind::Unsupported);
  EXPECT_EQ(kind_of(Stage::Read, "Input tensor isn't found for node \"w\""), ErrorKind::BadInput);
  EXPECT_EQ(kind_of(Stage::Create, "could not create a primitive"), ErrorKind::Engine);
}

// Of models that ONNX's own checker passes and other engines run.
TEST(OpenvinoKindOf, IsUnsupportedWhateverKeepsAValidModelFromBeingConverted) {
  for (const char* message :
       {"FrontEnd API failed with OpConversionFailure:\nModel wasn't fully converted. Failed "
        "operations detailed log:\n-- Split-20 with a message:\nWhile validating ONNX node "
        "'<Node(Split): N_else>': Check 'false' failed at "
        "src/frontends/onnx/frontend/src/op/split.cpp:29:\nFrontEnd API failed with "
        "GeneralFailure:\nThe split number is invalid\n",
        "While validating node 'util::SequenceInsert SequenceInsert_12 (…) -> (dynamic[...])' with "
        "friendly_name 'SequenceInsert_12':\nInput descriptor for SequenceInsert_12 node has been "
        "changed:\nBefore: [3], i64\nAfter: [], i64\nPlease specify OpenVINO Extensions to "
        "support this case."})
    EXPECT_EQ(kind_of(Stage::Read, message), ErrorKind::Unsupported) << message;
}

TEST(OpenvinoKindOf, IsUnsupportedWhereTheCompilerLacksSomething) {
  for (const char* message :
       {"Unexpected: CPU plug-in doesn't support Unsqueeze operation with dynamic rank. Operation "
        "name: y",
        "unsupported src_prc: string",
        "[CPU] GatherND node with name 'y' has unsupported 'data' input precision: string",
        "CPU plugin does not support string for use with oneDNN.",
        "Unsupported operation of type: Convert name: y\nDetails: \nNot Implemented: cpu_convert "
        "can't convert from: dynamic precision to: f32"})
    EXPECT_EQ(kind_of(Stage::Create, message), ErrorKind::Unsupported) << message;
}

TEST(OpenvinoKindOf, IsTheEngineInARun) {
  EXPECT_EQ(kind_of(Stage::Run, "this is not supported"), ErrorKind::Engine);
  EXPECT_EQ(kind_of(Stage::Bind, "Unsupported type"), ErrorKind::Engine);
}

TEST(PlainMessage, DropsThePlacesInTheEnginesSource) {
  EXPECT_EQ(
      plain_message(
          "Exception from src/inference/src/cpp/core.cpp:84:\nCheck 'false' failed at "
          "src/frontends/common_translators/src/unconverted_ops_report.cpp:151:\nFrontEnd "
          "API failed with OpConversionFailure:\nModel wasn't fully "
          "converted.\nSummary:\n-- No conversion rule found for operations: "
          "my.domain.Foo\n\n"),
      "FrontEnd API failed with OpConversionFailure: Model wasn't fully converted. Summary: -- No "
      "conversion rule found for operations: my.domain.Foo");
}

TEST(PlainMessage, KeepsTheNodeAndTheCheckThatItFailed) {
  EXPECT_EQ(
      plain_message("Exception from src/plugins/intel_cpu/src/node.cpp:794:\n[CPU] Concat "
                    "node with name 'y' Check 'TRShape::merge_into(output_shape, in_copy)' "
                    "failed at src/core/shape_inference/include/concat_shape_inference.hpp:43:"
                    "\nArgument shapes are inconsistent"),
      "[CPU] Concat node with name 'y' Check 'TRShape::merge_into(output_shape, in_copy)' "
      "failed: Argument shapes are inconsistent");
  EXPECT_EQ(plain_message("Check 'a == b' failed at src/core/a.cpp:7:\n"), "Check 'a == b' failed:")
      << "it is all that there is";
  EXPECT_EQ(plain_message("the load failed at noon"), "the load failed at noon");
}

}  // namespace
}  // namespace headroom::openvino
