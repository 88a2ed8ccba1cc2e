// SPDX-License-Identifier: Apache-2.0
// Which folders are cases, and what each says of its inputs, outputs, tolerances and operator.
#include <headroom/base/error.h>
#include <headroom/conformance.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/test_folder.h"
#include "support/thrown.h"

namespace headroom {
namespace {

using test::message_of;
using test::TestFolder;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names_of(const std::vector<TestCase>& cases) {
  std::vector<std::string> names;
  for (const TestCase& found : cases) names.push_back(found.name);
  return names;
}

TEST(FindTestCases, FindsThemAtAnyDepthByName) {
  TestFolder folder;
  folder.add("node/test_b", 1, 1);
  folder.add("node/test_a", 1, 1);
  folder.add("x/y/z/test_c", 1, 1);
  folder.write("no_data/model.onnx", "a model without data sets is no case");
  folder.write("node/README", "");
  EXPECT_THAT(names_of(find_test_cases(folder.path())),
              ElementsAre("node/test_a", "node/test_b", "x/y/z/test_c"));
  EXPECT_THAT(names_of(find_test_cases(folder.path() / "node/")), ElementsAre("test_a", "test_b"));
  EXPECT_THAT(names_of(find_test_cases(folder.path() / "node/test_a")), ElementsAre("test_a"));
}

TEST(FindTestCases, SaysWhatIsFedAndWhatMustComeOut) {
  TestFolder folder;
  folder.add("test_relu", -1, 0);
  const TestCase found = find_test_cases(folder.path()).at(0);
  EXPECT_EQ(found.op, "Relu");
  EXPECT_EQ(found.problem, "");
  EXPECT_EQ(found.plan_case.role, Role::Conform);
  EXPECT_EQ(found.plan_case.model, (folder.path() / "test_relu/model.onnx").string());
  const ConformancePlan& plan = found.plan_case.conformance;
  EXPECT_EQ(plan.abs_tolerance, 1e-7);
  EXPECT_EQ(plan.rel_tolerance, 1e-3);
  ASSERT_EQ(plan.data_sets.size(), 1U);
  EXPECT_EQ(plan.data_sets[0].name, "test_data_set_0");
  EXPECT_EQ(plan.data_sets[0].inputs.at(0).name, "x");
  EXPECT_EQ(plan.data_sets[0].outputs.at(0).name, "y");
  EXPECT_EQ(plan.data_sets[0].inputs.at(0).path,
            (folder.path() / "test_relu/test_data_set_0/input_0.pb").string());
}

TEST(FindTestCases, ReadsKindsFromTheModelAndLeavesInitializersOut) {
  TestFolder folder;
  test::ModelBuilder model;
  model.input("w", ElementType::Float32, {{1}})
      .input("s", test::sequence_type(test::tensor_type(ElementType::Float32)))
      .input("o", test::optional_type(test::tensor_type(ElementType::Float32)))
      .initializer("w", {1}, std::vector<float>{1})
      .node("F", {"s", "o", "w"}, {"t"}, {}, "local")
      .node("Relu", {"t"}, {"y"})
      .output("y", ElementType::Float32, {{1}});
  folder.write("c/model.onnx", model.bytes());
  folder.write("c/test_data_set_0/input_0.pb", "");
  folder.write("c/test_data_set_0/input_1.pb", "");
  const TestCase found = find_test_cases(folder.path()).at(0);
  EXPECT_EQ(found.op, "several");
  const DataSet& set = found.plan_case.conformance.data_sets.at(0);
  ASSERT_EQ(set.inputs.size(), 2U);
  EXPECT_EQ(set.inputs[0].name, "s");
  EXPECT_EQ(set.inputs[0].kind, TypeKind::Sequence);
  EXPECT_EQ(set.inputs[1].name, "o");
  EXPECT_EQ(set.inputs[1].kind, TypeKind::Optional);
}

TEST(FindTestCases, TakesDataSetsInTheOrderOfTheirNumbers) {
  TestFolder folder;
  folder.add("c", 1, 1);
  for (const int number : {10, 9, 2})
    folder.write("c/test_data_set_" + std::to_string(number) + "/input_0.pb", "");
  std::vector<std::string> names;
  const TestCase found = find_test_cases(folder.path()).at(0);
  for (const DataSet& set : found.plan_case.conformance.data_sets) names.push_back(set.name);
  EXPECT_THAT(names, ElementsAre("test_data_set_0", "test_data_set_2", "test_data_set_9",
                                 "test_data_set_10"));
}

TEST(FindTestCases, TakesToleranceAndOperatorFromTheNotes) {
  TestFolder folder;
  folder.add("c", 1, 1);
  folder.write("c/case.json", R"({"rtol": 0.5, "op": "Selu"})");
  const TestCase found = find_test_cases(folder.path()).at(0);
  EXPECT_EQ(found.op, "Selu");
  EXPECT_EQ(found.plan_case.conformance.rel_tolerance, 0.5);
  EXPECT_EQ(found.plan_case.conformance.abs_tolerance, 1e-7);
}

TEST(FindTestCases, KeepsACaseThatItCannotRead) {
  TestFolder folder;
  folder.add("a", 1, 1);
  folder.write("a/model.onnx", "no model");
  folder.add("b", 1, 1);
  folder.write("b/case.json", R"({"rtool": 0.5})");
  folder.add("c", 1, 1);
  folder.write("c/case.json", R"({"atol": -1})");
  folder.add("d", 1, 1);
  folder.write("d/test_data_set_0/input_1.pb", "");
  const std::vector<TestCase> cases = find_test_cases(folder.path());
  ASSERT_EQ(cases.size(), 4U);
  EXPECT_THAT(cases[0].problem, HasSubstr("a/model.onnx"));
  EXPECT_THAT(cases[1].problem, HasSubstr("rtool"));
  EXPECT_THAT(cases[2].problem, HasSubstr("a tolerance cannot be negative"));
  EXPECT_THAT(cases[3].problem, HasSubstr("input_1.pb' is one more than the 1 inputs"));
}

TEST(FindTestCases, SaysWhatIsWantedWhereThereIsNothing) {
  TestFolder folder;
  EXPECT_THAT(message_of(ErrorKind::NotFound, [&] { find_test_cases(folder.path()); }),
              HasSubstr("holds no test case: a folder with model.onnx and test_data_set_0"));
  EXPECT_THAT(message_of(ErrorKind::NotFound, [&] { find_test_cases(folder.path() / "none"); }),
              HasSubstr("none' is no folder"));
}

}  // namespace
}  // namespace headroom
