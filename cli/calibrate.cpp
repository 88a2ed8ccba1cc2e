// SPDX-License-Identifier: Apache-2.0
// `headroom calibrate`.
#include <headroom/app/calibrate.h>

#include <sstream>

#include "progress.h"
#include "verbs.h"

namespace headroom::cli {
namespace {

struct CalibrateArguments {
  CommonOptions common{};
  app::CalibrateOptions calibrate{};
};

int calibrate(const CalibrateArguments& arguments) {
  ProgressLine progress;
  progress.show({.stage = "calibrate", .detail = "peaks of float32, a second each"});
  const CalibrationReport report = app::calibrate(arguments.calibrate, LinuxHost(), SteadyClock());
  progress.clear();
  write_json(arguments.common, calibration_json(report));
  std::ostringstream text;
  write_calibration_text(text, report,
                         {.columns = stdout_columns(), .has_color = stdout_has_color()});
  write_text(arguments.common, text.str());
  return 0;
}

}  // namespace

void add_calibrate(CLI::App& app, VerbContext& context) {
  CLI::App& verb =
      *app.add_subcommand("calibrate", "Measure the peaks of this machine and keep them");
  auto& arguments = context.keep<CalibrateArguments>();
  verb.add_option("--threads", arguments.calibrate.threads,
                  "Threads beside one (default: the CPUs that this process may use)");
  verb.add_option("--store", arguments.calibrate.store, "Where the peaks go: a file, or none");
  add_common_options(verb, arguments.common);
  verb.footer("Example: headroom calibrate --threads 2");
  verb.callback([&] { context.action = [&arguments] { return calibrate(arguments); }; });
}

}  // namespace headroom::cli
