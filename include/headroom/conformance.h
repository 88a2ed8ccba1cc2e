// SPDX-License-Identifier: Apache-2.0
// Test cases in the layout of ONNX's own: folders with a model and data sets, each case run in a
// process of its own and judged.
#pragma once

#include <headroom/plan.h>
#include <headroom/record.h>
#include <headroom/worker.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// A folder that holds `model.onnx` and at least one `test_data_set_K`.
struct TestCase {
  std::string name{};  ///< Its path below the folder that was searched: `node/test_abs`.
  /// What the case is about: `op` of its `case.json`, else the operator of a model of one node,
  /// else `several`.
  std::string op{};
  Case plan_case{};       ///< role Conform; engine and limits are the caller's to set.
  std::string problem{};  ///< Why it cannot be run: the model or case.json cannot be read.
};

/// Every case below `folder`, at any depth, by name. Inputs are matched with `input_J.pb` in the
/// model's order, without its initializers. `rtol` and `atol` of a `case.json` beside the model
/// replace ONNX's 1e-3 and 1e-7. Errors: NotFound if there is no such folder or no case in it.
/// Source: onnx/backend/test/loader and runner of the onnx wheel, 1.23.
std::vector<TestCase> find_test_cases(const std::filesystem::path& folder);

enum class CaseStatus : std::uint8_t { Passed, Failed, Unsupported, Crashed, Timeout };
std::string_view to_string(CaseStatus status) noexcept;

struct CaseResult {
  std::string name{};
  std::string op{};
  CaseStatus status = CaseStatus::Passed;
  std::string reason{};  ///< Empty when passed.
};

/// What a worker's record says of a case; nothing if an interrupt came before it could say. Pure.
std::optional<CaseResult> judge(const TestCase& test_case, const Record& record);

struct CaseTotals {
  std::size_t cases = 0;
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t unsupported = 0;
  std::size_t crashed = 0;
  std::size_t timeout = 0;
};
CaseTotals totals_of(const std::vector<CaseResult>& results);

/// Called after each case, by one thread at a time, with the number of those that are done.
using CaseObserver = std::function<void(const CaseResult& result, std::size_t done)>;

/// Runs the cases, `jobs` at a time, and gives the results in their order. `stop` ends it early:
/// cases that were not finished are left out. The launcher is called by several threads at once.
/// Errors: Internal if no worker can be started.
std::vector<CaseResult> run_test_cases(const std::vector<TestCase>& cases, Launcher& launcher,
                                       int jobs, const StopFlag& stop,
                                       const CaseObserver& observer);

/// All that `headroom conformance` found.
struct ConformanceReport {
  std::string engine{};
  std::string engine_version{};
  std::string folder{};
  std::vector<CaseResult> cases{};
  std::size_t planned = 0;  ///< More than cases.size() where an interrupt came first.
};

}  // namespace headroom
