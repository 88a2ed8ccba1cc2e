// SPDX-License-Identifier: Apache-2.0
// `headroom conformance`: which test cases an engine computes as ONNX says.
#pragma once

#include <headroom/conformance.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace headroom::app {

/// Source: ours; the slowest case of ONNX's own takes two seconds.
inline constexpr Nanoseconds kDefaultCaseTimeout{60'000'000'000};

struct ConformanceOptions {
  std::string engine = "onnxruntime";
  std::string folder{};  ///< A folder of cases, or `standard`.
  std::string only{};    ///< A pattern of names, with * ? [ ]; empty: all.
  int jobs = 2;
  Nanoseconds timeout = kDefaultCaseTimeout;  ///< Of one case.
};

struct ConformanceContext {
  Launcher& launcher;
  const StopFlag& stop;
  CaseObserver observer{};
};

/// Where ONNX's own cases are: $HEADROOM_ONNX_CASES, else `.deps/onnx-cases` in the current folder
/// or in one above the program. Errors: NotFound, saying how to make them.
std::filesystem::path standard_cases(const std::filesystem::path& program);

/// The cases of the options, ready to run. Errors: Usage for options and for a pattern that no name
/// matches, Unsupported for an engine that this build lacks, and those of find_test_cases.
std::vector<TestCase> plan_conformance(const ConformanceOptions& options,
                                       const std::filesystem::path& program);

/// Runs them. Errors: those of run_test_cases and make_engine.
ConformanceReport conformance(const ConformanceOptions& options, const std::vector<TestCase>& cases,
                              const ConformanceContext& context);

/// 0 if every case that the engine supports passed, else 1.
int exit_status(const ConformanceReport& report);

}  // namespace headroom::app
