// SPDX-License-Identifier: Apache-2.0
// Intermediate values as further outputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/inferred.h"

namespace headroom {
namespace {

using test::ModelBuilder;
using testing::ElementsAre;

ModelBuilder chain() {
  ModelBuilder model;
  model.input("x", ElementType::Float32, {{2}})
      .initializer("w", {2}, std::vector<float>{1, 2})
      .node("Mul", {"x", "w"}, {"a"})
      .node("Split", {"a"}, {"b", ""}, {test::attr("num_outputs", 2)})
      .node("Neg", {"b"}, {"y"})
      .output("y", ElementType::Float32);
  return model;
}

TEST(IntermediateValues, AreThoseThatNodesMakeAndNobodyGetsYet) {
  EXPECT_THAT(intermediate_values(chain().parse().graph), ElementsAre("a", "b"));
}

TEST(ExposingBytes, AreAGraphWithNamedOutputsOnly) {
  // By hand from onnx.proto: field 7 (graph) of 5 bytes, in it field 12 (output) of 3, its name.
  EXPECT_EQ(exposing_bytes({"a"}), std::string("\x3a\x05\x62\x03\x0a\x01"
                                               "a"));
}

}  // namespace
}  // namespace headroom
