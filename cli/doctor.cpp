// SPDX-License-Identifier: Apache-2.0
// `headroom doctor`.
#include <headroom/app/doctor.h>

#include <sstream>

#include "verbs.h"

namespace headroom::cli {
namespace {

struct DoctorArguments {
  CommonOptions common{};
  std::string store{};
};

int doctor(const DoctorArguments& arguments) {
  const DoctorReport report = app::examine({.store = arguments.store, .version = HEADROOM_VERSION},
                                           LinuxHost(), SteadyClock());
  write_json(arguments.common, doctor_json(report));
  std::ostringstream text;
  write_doctor_text(text, report, {.columns = stdout_columns(), .has_color = stdout_has_color()});
  write_text(arguments.common, text.str());
  return 0;
}

}  // namespace

void add_doctor(CLI::App& app, VerbContext& context) {
  CLI::App& verb = *app.add_subcommand(
      "doctor", "What this machine is, what can measure on it, what disturbs it now");
  auto& arguments = context.keep<DoctorArguments>();
  verb.add_option("--store", arguments.store, "The store to look at: a file, or none");
  add_common_options(verb, arguments.common);
  verb.footer("Example: headroom doctor --json doctor.json");
  verb.callback([&] { context.action = [&arguments] { return doctor(arguments); }; });
}

}  // namespace headroom::cli
