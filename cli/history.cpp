// SPDX-License-Identifier: Apache-2.0
// `headroom history`.
#include <headroom/app/history.h>

#include <sstream>

#include "verbs.h"

namespace headroom::cli {
namespace {

struct HistoryArguments {
  CommonOptions common{};
  app::HistoryOptions history{};
};

int history(const HistoryArguments& arguments) {
  const HistoryReport report = app::history(arguments.history, LinuxHost());
  write_json(arguments.common, history_json(report));
  std::ostringstream text;
  write_history_text(text, report, {.columns = stdout_columns(), .has_color = stdout_has_color()});
  write_text(arguments.common, text.str());
  return 0;
}

}  // namespace

void add_history(CLI::App& app, VerbContext& context) {
  CLI::App& verb = *app.add_subcommand("history", "What was measured, the newest first");
  auto& arguments = context.keep<HistoryArguments>();
  verb.add_option("MODEL", arguments.history.model,
                  "Only this model: a path, a file name, or the beginning of its SHA-256");
  verb.add_option("--engine", arguments.history.engine, "Only this engine");
  verb.add_option("--limit", arguments.history.limit, "At most so many")->capture_default_str();
  verb.add_option("--store", arguments.history.store, "The store to look at: a file");
  add_common_options(verb, arguments.common);
  verb.footer("Example: headroom history model.onnx --limit 5");
  verb.callback([&] { context.action = [&arguments] { return history(arguments); }; });
}

}  // namespace headroom::cli
