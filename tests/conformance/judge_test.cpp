// SPDX-License-Identifier: Apache-2.0
// From records to verdicts.
#include <headroom/conformance.h>

#include <gtest/gtest.h>

namespace headroom {
namespace {

TestCase test_case(std::size_t data_sets = 1) {
  TestCase made{.name = "node/test_relu", .op = "Relu"};
  made.plan_case.model = "/cases/node/test_relu/model.onnx";
  for (std::size_t i = 0; i < data_sets; ++i)
    made.plan_case.conformance.data_sets.push_back({.name = "test_data_set_" + std::to_string(i)});
  return made;
}

DataSetCheck set_of(std::string name, bool is_equal, std::string reason = {}) {
  return {.name = std::move(name),
          .outputs = {{.name = "y", .is_equal = is_equal, .reason = std::move(reason)}}};
}

CaseResult verdict(const Record& record, std::size_t data_sets = 1) {
  return judge(test_case(data_sets), record).value();
}

TEST(Judge, PassesWhereEveryOutputOfEveryDataSetIsRight) {
  Record record;
  record.conformance.data_sets = {set_of("test_data_set_0", true), set_of("test_data_set_1", true)};
  const CaseResult result = verdict(record, 2);
  EXPECT_EQ(result.status, CaseStatus::Passed);
  EXPECT_EQ(result.name, "node/test_relu");
  EXPECT_EQ(result.op, "Relu");
  EXPECT_EQ(result.reason, "");
}

TEST(Judge, NamesTheFirstWrongOutput) {
  Record record;
  record.conformance.data_sets = {set_of("test_data_set_0", true),
                                  set_of("test_data_set_1", false, "far off")};
  const CaseResult result = verdict(record, 2);
  EXPECT_EQ(result.status, CaseStatus::Failed);
  EXPECT_EQ(result.reason, "test_data_set_1, output 'y': far off");
  record.conformance.data_sets.erase(record.conformance.data_sets.begin());
  EXPECT_EQ(verdict(record).reason, "output 'y': far off");
}

TEST(Judge, FailsWhereADataSetIsMissing) {
  EXPECT_EQ(verdict({}).status, CaseStatus::Failed);
  EXPECT_EQ(verdict({}).reason, "0 of 1 data sets were run");
}

TEST(Judge, KeepsTheEnginesWordsWithoutThePath) {
  Record record;
  record.outcome = {.status = Status::Unsupported,
                    .reason =
                        "engine 'e' could not read '/cases/node/test_relu/model.onnx': Load "
                        "of /cases/node/test_relu/model.onnx failed: no Relu"};
  EXPECT_EQ(verdict(record).status, CaseStatus::Unsupported);
  EXPECT_EQ(verdict(record).reason,
            "engine 'e' could not read the model: Load of the model failed: no Relu");
}

TEST(Judge, TellsAFailureFromACrashAndATimeout) {
  Record record;
  record.outcome = {.status = Status::Failed, .reason = "it said no", .error_kind = "engine"};
  EXPECT_EQ(verdict(record).status, CaseStatus::Failed);
  record.outcome.ended_by = "SIGSEGV";
  EXPECT_EQ(verdict(record).status, CaseStatus::Crashed);
  record.outcome.ended_by = "";
  record.outcome.status = Status::Timeout;
  EXPECT_EQ(verdict(record).status, CaseStatus::Timeout);
}

TEST(Judge, SaysNothingOfAnInterruptedCase) {
  Record record;
  record.outcome.status = Status::Partial;
  EXPECT_FALSE(judge(test_case(), record).has_value());
}

TEST(TotalsOf, CountsEachStatus) {
  const auto of = [](CaseStatus status) { return CaseResult{.status = status}; };
  const CaseTotals totals =
      totals_of({of(CaseStatus::Passed), of(CaseStatus::Passed), of(CaseStatus::Failed),
                 of(CaseStatus::Unsupported), of(CaseStatus::Crashed), of(CaseStatus::Timeout)});
  EXPECT_EQ(totals.cases, 6U);
  EXPECT_EQ(totals.passed, 2U);
  EXPECT_EQ(totals.failed, 1U);
  EXPECT_EQ(totals.unsupported, 1U);
  EXPECT_EQ(totals.crashed, 1U);
  EXPECT_EQ(totals.timeout, 1U);
}

}  // namespace
}  // namespace headroom
