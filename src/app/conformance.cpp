// SPDX-License-Identifier: Apache-2.0
// Puts the modules together for `headroom conformance`.
#include <headroom/app/conformance.h>
#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/engine.h>

#include <cstdlib>

#include <fmt/format.h>
#include <fnmatch.h>

namespace headroom::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStandard = "standard";
constexpr std::string_view kFolder = ".deps/onnx-cases";
constexpr const char* kVariable = "HEADROOM_ONNX_CASES";
/// More workers than this many help nobody and exhaust descriptors.
constexpr int kMostJobs = 256;

void check(const ConformanceOptions& options) {
  if (options.jobs < 1 || options.jobs > kMostJobs) {
    throw Error(ErrorKind::Usage,
                fmt::format("--jobs: 1 to {} is possible, found {}", kMostJobs, options.jobs));
  }
  if (options.timeout <= Nanoseconds{0})
    throw Error(ErrorKind::Usage, "--timeout: a time above zero is needed, such as 60s");
}

bool matches(const std::string& pattern, const std::string& name) {
  const std::string last = fs::path(name).filename().string();
  return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0 ||
         ::fnmatch(pattern.c_str(), last.c_str(), 0) == 0;
}

void keep_only(const std::string& pattern, std::vector<TestCase>& cases) {
  if (pattern.empty()) return;
  const std::string example = cases.front().name;
  const std::size_t before = cases.size();
  std::erase_if(cases, [&](const TestCase& found) { return !matches(pattern, found.name); });
  if (cases.empty()) {
    throw Error(ErrorKind::Usage,
                fmt::format("--only '{}' matches none of {} cases, the first of which is '{}'; "
                            "* stands for any characters, ? for one",
                            printable(pattern), format_exact(before), printable(example)));
  }
}

}  // namespace

fs::path standard_cases(const fs::path& program) {
  const char* const variable = std::getenv(kVariable);
  std::error_code ignored;
  if (variable != nullptr && *variable != '\0') {
    if (fs::is_directory(variable, ignored)) return variable;
    throw Error(ErrorKind::NotFound,
                fmt::format("{} names '{}', which is no folder; ./dev cases makes ONNX's own test "
                            "cases in {}; name that, or unset the variable",
                            kVariable, printable(variable), kFolder));
  }
  fs::path folder = fs::current_path(ignored);
  if (fs::is_directory(folder / kFolder, ignored)) return folder / kFolder;
  for (folder = program.parent_path(); !folder.empty(); folder = folder.parent_path()) {
    if (fs::is_directory(folder / kFolder, ignored)) return folder / kFolder;
    if (folder == folder.root_path()) break;
  }
  throw Error(ErrorKind::NotFound,
              fmt::format("ONNX's own test cases are not here: neither {} names them, nor is there "
                          "a {} in this folder or above the program; make them with ./dev cases",
                          kVariable, kFolder));
}

std::vector<TestCase> plan_conformance(const ConformanceOptions& options, const fs::path& program) {
  check(options);
  make_engine(options.engine);  // refuses a name before the folders are searched
  const fs::path folder =
      options.folder == kStandard ? standard_cases(program) : fs::path(options.folder);
  std::vector<TestCase> cases = find_test_cases(folder);
  keep_only(options.only, cases);
  for (TestCase& found : cases) {
    found.plan_case.engine = options.engine;
    found.plan_case.limits.time = options.timeout;
  }
  return cases;
}

ConformanceReport conformance(const ConformanceOptions& options, const std::vector<TestCase>& cases,
                              const ConformanceContext& context) {
  ConformanceReport report{.engine = options.engine,
                           .engine_version = make_engine(options.engine)->version(),
                           .folder = options.folder,
                           .planned = cases.size()};
  report.cases =
      run_test_cases(cases, context.launcher, options.jobs, context.stop, context.observer);
  return report;
}

int exit_status(const ConformanceReport& report) {
  const CaseTotals totals = totals_of(report.cases);
  return totals.failed + totals.crashed + totals.timeout == 0 ? 0 : 1;
}

}  // namespace headroom::app
