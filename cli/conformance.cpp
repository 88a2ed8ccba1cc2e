// SPDX-License-Identifier: Apache-2.0
// `headroom conformance`.
#include <headroom/app/conformance.h>
#include <headroom/base/file.h>
#include <headroom/base/text.h>
#include <headroom/report/conformance.h>

#include <sstream>

#include <fmt/format.h>

#include "progress.h"
#include "verbs.h"

namespace headroom::cli {
namespace {

struct ConformanceArguments {
  CommonOptions common{};
  app::ConformanceOptions conformance{};
  std::string timeout{};
  std::string junit{};
};

ConformanceReport run_cases(const ConformanceArguments& arguments, const VerbContext& context) {
  ChildLauncher launcher(own_program());
  ProgressLine progress;
  progress.show({.stage = "conformance", .detail = "looking for cases"});
  const std::vector<TestCase> cases = app::plan_conformance(arguments.conformance, own_program());
  const CaseObserver observer = [&](const CaseResult& result, std::size_t done) {
    progress.show({.stage = "conformance",
                   .detail = fmt::format("{} of {}: {} {}", done, cases.size(), result.name,
                                         to_string(result.status))});
  };
  return app::conformance(arguments.conformance, cases,
                          {.launcher = launcher, .stop = context.stop, .observer = observer});
}

int execute(ConformanceArguments& arguments, const VerbContext& context) {
  if (!arguments.timeout.empty())
    arguments.conformance.timeout = parse_time(arguments.timeout, "--timeout");
  const ConformanceReport report = run_cases(arguments, context);
  write_json(arguments.common, conformance_json(report));
  if (!arguments.junit.empty())
    write_file_atomically(arguments.junit, conformance_junit(report) + "\n");
  std::ostringstream text;
  write_conformance_text(text, report,
                         {.columns = stdout_columns(), .has_color = stdout_has_color()});
  write_text(arguments.common, text.str());
  return app::exit_status(report);
}

}  // namespace

void add_conformance(CLI::App& app, VerbContext& context) {
  CLI::App& verb =
      *app.add_subcommand("conformance", "Which test cases an engine computes as ONNX says");
  auto& arguments = context.keep<ConformanceArguments>();
  verb.add_option("DIR", arguments.conformance.folder,
                  "A folder of cases in ONNX's layout, or the word standard for ONNX's own")
      ->required();
  verb.add_option("--engine", arguments.conformance.engine, "Engine; `headroom doctor` lists them")
      ->capture_default_str();
  verb.add_option("--only", arguments.conformance.only,
                  "Only cases whose name or path matches, such as 'test_conv_*'")
      ->type_name("GLOB");
  verb.add_option("--jobs", arguments.conformance.jobs, "Cases at a time")->capture_default_str();
  verb.add_option("--timeout", arguments.timeout, "Time limit of each case (default: 60s)");
  verb.add_option("--junit", arguments.junit, "Write the result as JUnit XML")->type_name("FILE");
  add_common_options(verb, arguments.common);
  verb.footer("Example: headroom conformance standard --only 'test_conv_*' --json conv.json");
  verb.callback(
      [&] { context.action = [&arguments, &context] { return execute(arguments, context); }; });
}

}  // namespace headroom::cli
