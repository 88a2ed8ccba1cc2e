// SPDX-License-Identifier: Apache-2.0
// The activation peak by hand: bytes alive while each node runs. All tensors are float32 vectors,
// so [25] is 100 bytes.
#include <gtest/gtest.h>

#include "cost/counted.h"

namespace headroom::test {
namespace {

TEST(ActivationPeak, HoldsInputAndOutputOfAChain) {
  // x (the caller's) stays. Relu: x + a = 200. Relu: x + a + b = 300, then a goes. Relu: x + b + y
  // = 300.
  ModelBuilder builder;
  builder.input("x", kF32, {{25}})
      .node("Relu", {"x"}, {"a"}, {}, "", "first")
      .node("Relu", {"a"}, {"b"}, {}, "", "second")
      .node("Relu", {"b"}, {"y"}, {}, "", "third")
      .output("y", kF32);
  const Work work = count(builder);
  EXPECT_EQ(work.activation_peak, Bytes{300});
  EXPECT_EQ(work.activation_peak_node, "second");
}

TEST(ActivationPeak, HoldsBothSidesOfADiamond) {
  // x 100; a 400 (Concat of 4 x); b = Relu(a) 400, c = Relu(a) 400: x + a + b + c = 1300. Then a
  // goes: Add: x + b + c + y = 1300.
  ModelBuilder builder;
  builder.input("x", kF32, {{25}})
      .node("Concat", {"x", "x", "x", "x"}, {"a"}, {attr("axis", 0)}, "", "grow")
      .node("Relu", {"a"}, {"b"}, {}, "", "left")
      .node("Relu", {"a"}, {"c"}, {}, "", "right")
      .node("Add", {"b", "c"}, {"y"}, {}, "", "join")
      .output("y", kF32);
  const Work work = count(builder);
  EXPECT_EQ(work.activation_peak, Bytes{1300});
  EXPECT_EQ(work.activation_peak_node, "right");
}

TEST(ActivationPeak, GivesAViewNoBufferOfItsOwn) {
  // x 100 + big 400 = 500; the view adds none; its maximum is 4 bytes more.
  ModelBuilder builder;
  builder.input("x", kF32, {{25}})
      .initializer("shape", {2}, std::vector<std::int64_t>{10, 10})
      .node("Concat", {"x", "x", "x", "x"}, {"big"}, {attr("axis", 0)})
      .node("Reshape", {"big", "shape"}, {"v"})
      .node("ReduceMax", {"v"}, {"y"}, {attr("keepdims", 0)}, "", "last")
      .output("y", kF32);
  const Work work = count(builder);
  EXPECT_EQ(work.activation_peak, Bytes{504});
  EXPECT_EQ(work.activation_peak_node, "last");
}

TEST(ActivationPeak, KeepsWhatIsViewedAsLongAsTheView) {
  // The view is used last: x 100 + a 100 + b 100 + y 100, a being alive as v.
  ModelBuilder builder;
  builder.input("x", kF32, {{25}})
      .initializer("shape", {1}, std::vector<std::int64_t>{25})
      .node("Relu", {"x"}, {"a"})
      .node("Reshape", {"a", "shape"}, {"v"})
      .node("Relu", {"x"}, {"b"})
      .node("Add", {"b", "v"}, {"y"})
      .output("y", kF32);
  EXPECT_EQ(count(builder).activation_peak, Bytes{400});
}

TEST(ActivationPeak, LeavesOutParameters) {
  ModelBuilder builder;
  builder.input("x", kF32, {{1, 25}})
      .initializer(zero_tensor("w", kF32, {25, 25}))
      .node("MatMul", {"x", "w"}, {"y"})
      .output("y", kF32);
  EXPECT_EQ(count(builder).activation_peak, Bytes{200});
}

TEST(ActivationPeak, KeepsOutputsOfTheGraphToTheEnd) {
  // a is an output, so the last node holds x + a + b + y.
  ModelBuilder builder;
  builder.input("x", kF32, {{25}})
      .node("Relu", {"x"}, {"a"})
      .node("Relu", {"a"}, {"b"})
      .node("Relu", {"b"}, {"y"})
      .output("a", kF32)
      .output("y", kF32);
  EXPECT_EQ(count(builder).activation_peak, Bytes{400});
}

TEST(ActivationPeak, FreesAnOutputThatNothingUses) {
  // x + the two halves of 50 = 200, then one of them goes: x + b + y = 200.
  ModelBuilder builder;
  builder.input("x", kF32, {{25}})
      .initializer("parts", {2}, std::vector<std::int64_t>{12, 13})
      .node("Split", {"x", "parts"}, {"a", "b"}, {attr("axis", 0)})
      .node("Relu", {"b"}, {"y"})
      .output("y", kF32);
  EXPECT_EQ(count(builder).activation_peak, Bytes{204});  // 100 + 52 + 52 in the last node.
}

TEST(ActivationPeak, KeepsWhatABranchCaptures) {
  // a [25] is used only inside the branch: x + a; big [100]: x + a + big = 600; If: x + a + big + y
  // and the branch's own t: the branch holds t 100 and its result 100, which is y.
  GraphBuilder branch("b");
  branch.node("Relu", {"a"}, {"t"})
      .node("Relu", {"t"}, {"r"}, {}, "", "deep")
      .output("r", kF32, {{25}});
  GraphBuilder plain("p");
  plain.node("Identity", {"x"}, {"q"}).output("q", kF32, {{25}});
  ModelBuilder builder;
  builder.input("x", kF32, {{25}})
      .input("c", ElementType::Bool, std::vector<DimSpec>{})
      .node("Relu", {"x"}, {"a"})
      .node("Concat", {"x", "x", "x", "x"}, {"big"}, {attr("axis", 0)})
      .node("If", {"c"}, {"y"}, {attr("then_branch", branch), attr("else_branch", plain)}, "", "if")
      .node("ReduceMax", {"big"}, {"m"}, {attr("keepdims", 1)})
      .node("Add", {"y", "m"}, {"z"})
      .output("z", kF32);
  const Work work = count(builder);
  // x 100 + c 1 + a 100 + big 400 + t 100 + r 100.
  EXPECT_EQ(work.activation_peak, Bytes{801});
  EXPECT_EQ(work.activation_peak_node, "if/then_branch/deep");
}

TEST(ActivationPeak, IsAbsentWithAReasonWhenASizeIsOpen) {
  ModelBuilder builder;
  builder.input("x", kF32, {{"batch", 25}}).node("Relu", {"x"}, {"y"}).output("y", kF32);
  const Work work = count(builder);
  EXPECT_FALSE(work.activation_peak);
  EXPECT_EQ(work.activation_peak_reason,
            "the size of value 'x' is not known: dimension 0 is open: batch");
  EXPECT_EQ(count(builder, {.dims = {{"batch", 2}}}).activation_peak, Bytes{400});
}

}  // namespace
}  // namespace headroom::test
