// SPDX-License-Identifier: Apache-2.0
// ONNX's own test cases as the oracle of counting: an operator takes the multiply-adds of the
// function that ONNX writes out for it, and no operator of theirs goes without formula or reason.
// Needs `./dev cases`.
#include <headroom/cost.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/onnx_cases.h"

namespace headroom::test {
namespace {

using CountingOracle = OnnxCases;
using Names = std::set<std::string>;

// What differs, and why it may.
const std::map<std::string, std::string> kMayDiffer = {
    {"node/test_affine_grid_2d_expanded",
     "written out, the plane is a space of depth 1: [3, 4] times 4 coordinates, not [2, 3] times "
     "3"},
    {"node/test_affine_grid_2d_align_corners_expanded", "the same"},
};

Work work_of(const TestCase& test_case) {
  Model model = load_model(test_case.plan_case.model);
  inline_functions(model);
  const std::vector<DataSet>& sets = test_case.plan_case.conformance.data_sets;
  infer_shapes(model, sets.empty() ? ShapeOptions{} : options_of(sets.front()));
  return count_work(model);
}

struct Comparison {
  std::size_t pairs = 0;
  std::size_t equal = 0;
  std::size_t with_macs = 0;  ///< Of the equal ones, those that are not zero.
  std::size_t of_attention = 0;
  std::size_t equal_attention = 0;
  Names different{};
  Names incomplete{};  ///< Something of either is not counted.
};

void compare(const TestCase& whole, const TestCase& written_out, Comparison& result) {
  const Work left = work_of(whole);
  const Work right = work_of(written_out);
  const bool is_attention = whole.op.find("Attention") != std::string::npos;
  ++result.pairs;
  if (is_attention) ++result.of_attention;
  if (!left.is_complete() || !right.is_complete()) {
    result.incomplete.insert(written_out.name);
  } else if (left.macs.value != right.macs.value) {
    result.different.insert(written_out.name);
  } else {
    ++result.equal;
    if (left.macs.value == 0) return;
    ++result.with_macs;
    if (is_attention) ++result.equal_attention;
  }
}

Comparison compare_all() {
  const std::vector<TestCase> cases = find_test_cases(HEADROOM_ONNX_CASES);
  std::map<std::string, const TestCase*> by_name;
  for (const TestCase& test_case : cases) by_name[test_case.name] = &test_case;
  Comparison result;
  for (const TestCase& test_case : cases) {
    const auto found = by_name.find(test_case.name.substr(0, test_case.name.find("_expanded")));
    if (found != by_name.end() && found->second != &test_case)
      compare(*found->second, test_case, result);
  }
  return result;
}

TEST_F(CountingOracle, CountsAFunctionWrittenOutTheSame) {
  const Comparison result = compare_all();
  Names may_differ;
  for (const auto& [name, reason] : kMayDiffer) may_differ.insert(name);
  EXPECT_EQ(lines_of(result.different), lines_of(may_differ));
  // Three draw random numbers, six map sequences whose length only the data says, two ask a 16-bit
  // float, which inference does not read, for a trip count.
  EXPECT_EQ(result.incomplete.size(), 11U) << lines_of(result.incomplete);
  EXPECT_EQ(result.pairs, 480U);
  EXPECT_EQ(result.equal, 467U);
  EXPECT_EQ(result.with_macs, 133U);
  EXPECT_EQ(result.of_attention, 118U);
  EXPECT_EQ(result.equal_attention, result.of_attention);
}

TEST_F(CountingOracle, HasAFormulaOrAReasonForEachOperator) {
  Names unlisted;
  Names listed;
  Names silent;
  std::size_t complete = 0;
  for (const TestCase& test_case : find_test_cases(HEADROOM_ONNX_CASES)) {
    const Work work = work_of(test_case);
    for (const auto& [op, uncounted] : work.uncounted)
      (uncounted.reason.empty() ? unlisted : listed).insert(op);
    for (const NodeWork& node : work.nodes) {
      const bool is_counted =
          node.status != CountStatus::Uncounted && node.status != CountStatus::UnknownShape;
      if (!is_counted && node.reason.empty()) silent.insert(test_case.name + ": " + node.name);
    }
    if (work.is_complete()) ++complete;
  }
  EXPECT_EQ(lines_of(unlisted), "");
  EXPECT_EQ(lines_of(silent), "");
  EXPECT_THAT(listed,
              testing::ElementsAre("Bernoulli", "ImageDecoder", "NonMaxSuppression",
                                   "RandomUniformLike", "RegexFullMatch", "StringConcat",
                                   "StringNormalizer", "StringSplit", "TfIdfVectorizer",
                                   "ai.onnx.ml.TreeEnsemble", "ai.onnx.preview.training.Gradient"));
  EXPECT_EQ(complete, 1948U);
}

}  // namespace
}  // namespace headroom::test
