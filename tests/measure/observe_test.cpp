// SPDX-License-Identifier: Apache-2.0
// What is asked of an engine to see every value, and what is kept of it.
#include "measure/observe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/fake_engine.h"
#include "measure/tensors.h"
#include "support/model_builder.h"
#include "support/temp_folder.h"

namespace headroom {
namespace {

using test::FakeEngine;
using test::TempFolder;
using testing::ElementsAre;

// x -> a -> y, and b, which nothing uses.
Case chain(const TempFolder& folder) {
  test::ModelBuilder model;
  model.input("x", ElementType::Float32, {{2}})
      .node("Relu", {"x"}, {"a"})
      .node("Neg", {"a"}, {"y"})
      .node("Abs", {"a"}, {"b"})
      .output("y", ElementType::Float32, {{2}});
  model.write(folder / "model.onnx");
  return {.role = Role::Observe,
          .model = (folder / "model.onnx").string(),
          .engine = "fake",
          .inputs = {{.name = "x", .type = ElementType::Float32, .shape = {2}}}};
}

TEST(Observe, AsksForEveryValueOfAnUnoptimisedGraph) {
  const TempFolder folder;
  FakeEngine engine;
  const Observation seen = measure::observe(chain(folder), engine);
  ASSERT_EQ(engine.sources.size(), 1U);
  EXPECT_THAT(engine.sources[0].exposed, ElementsAre("a", "b"));
  EXPECT_FALSE(engine.asked[0].is_optimized);
  EXPECT_TRUE(seen.values.empty());
}

TEST(Observe, KeepsTypesAndSmallIntegers) {
  const TempFolder folder;
  FakeEngine engine;
  engine.behaviour.outputs = [](const auto&, std::uint64_t run, bool) {
    EXPECT_EQ(run, 1U);
    return test::list_of(test::floats({0, 1, 0}, "f"),
                         test::tensor_of<std::int32_t>(ElementType::Int32, {1, 2}, {7, -3}, "i"),
                         test::tensor_of<std::uint8_t>(ElementType::Bool, {}, {1}, "b"),
                         make_tensor("many", ElementType::Int64, {65}), Tensor{.name = "sequence"});
  };
  const std::vector<ObservedValue> seen = measure::observe(chain(folder), engine).values;
  ASSERT_EQ(seen.size(), 5U);
  EXPECT_EQ(seen[0].name, "f");
  EXPECT_EQ(seen[0].kind, TypeKind::Tensor);
  EXPECT_EQ(seen[0].type, ElementType::Float32);
  EXPECT_THAT(seen[0].shape, ElementsAre(3));
  EXPECT_EQ(seen[0].census.zeros, 2U);
  EXPECT_FALSE(seen[0].integers);
  EXPECT_THAT(seen[1].shape, ElementsAre(1, 2));
  EXPECT_THAT(seen[1].integers.value(), ElementsAre(7, -3));
  EXPECT_THAT(seen[2].integers.value(), ElementsAre(1));
  EXPECT_FALSE(seen[3].integers);
  EXPECT_EQ(seen[4].kind, TypeKind::Unknown);
}

}  // namespace
}  // namespace headroom
