// SPDX-License-Identifier: Apache-2.0
// From a worker's record to passed, failed, unsupported, crashed or timeout.
#include <headroom/base/text.h>
#include <headroom/conformance.h>

#include <array>
#include <utility>

#include <fmt/format.h>

namespace headroom {
namespace {

constexpr std::array kNames = {
    std::pair<CaseStatus, std::string_view>{CaseStatus::Passed, "passed"},
    std::pair<CaseStatus, std::string_view>{CaseStatus::Failed, "failed"},
    std::pair<CaseStatus, std::string_view>{CaseStatus::Unsupported, "unsupported"},
    std::pair<CaseStatus, std::string_view>{CaseStatus::Crashed, "crashed"},
    std::pair<CaseStatus, std::string_view>{CaseStatus::Timeout, "timeout"},
};

// The first output that is wrong, in words; empty if all are right.
std::string difference_in(const TestCase& test_case, const Conformance& found) {
  const bool has_several = test_case.plan_case.conformance.data_sets.size() > 1;
  for (const DataSetCheck& set : found.data_sets) {
    for (const OutputCheck& check : set.outputs) {
      if (!check.is_equal) {
        return fmt::format("{}output '{}': {}", has_several ? set.name + ", " : "",
                           printable(check.name), check.reason);
      }
    }
  }
  return {};
}

std::string disagreement(const TestCase& test_case, const Record& record) {
  const std::size_t wanted = test_case.plan_case.conformance.data_sets.size();
  const std::size_t ran = record.conformance.data_sets.size();
  if (ran != wanted) return fmt::format("{} of {} data sets were run", ran, wanted);
  return difference_in(test_case, record.conformance);
}

}  // namespace

std::string_view to_string(CaseStatus status) noexcept {
  for (const auto& [entry, name] : kNames)
    if (entry == status) return name;
  return "unknown";
}

std::optional<CaseResult> judge(const TestCase& test_case, const Record& record) {
  // The case's name tells the model; its path only lengthens the line and ties it to a machine.
  CaseResult result{
      .name = test_case.name,
      .op = test_case.op,
      .reason = reason_without_path(record.outcome.reason, test_case.plan_case.model)};
  switch (record.outcome.status) {
    case Status::Partial:
      return std::nullopt;
    case Status::Timeout:
      result.status = CaseStatus::Timeout;
      return result;
    case Status::Unsupported:
      result.status = CaseStatus::Unsupported;
      return result;
    case Status::Failed:
      result.status = record.outcome.ended_by.empty() ? CaseStatus::Failed : CaseStatus::Crashed;
      return result;
    case Status::Ok:
    case Status::Noisy:
    case Status::Mistrusted:
      break;
  }
  result.reason = disagreement(test_case, record);
  result.status = result.reason.empty() ? CaseStatus::Passed : CaseStatus::Failed;
  return result;
}

CaseTotals totals_of(const std::vector<CaseResult>& results) {
  CaseTotals totals{.cases = results.size()};
  for (const CaseResult& result : results) {
    switch (result.status) {
      case CaseStatus::Passed:
        ++totals.passed;
        break;
      case CaseStatus::Failed:
        ++totals.failed;
        break;
      case CaseStatus::Unsupported:
        ++totals.unsupported;
        break;
      case CaseStatus::Crashed:
        ++totals.crashed;
        break;
      case CaseStatus::Timeout:
        ++totals.timeout;
        break;
    }
  }
  return totals;
}

}  // namespace headroom
