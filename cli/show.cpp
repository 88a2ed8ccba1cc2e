// SPDX-License-Identifier: Apache-2.0
// `headroom show`.
#include <headroom/app/history.h>
#include <headroom/report/run.h>

#include <sstream>

#include "verbs.h"

namespace headroom::cli {
namespace {

struct ShowArguments {
  CommonOptions common{};
  std::string id{};
  std::string store{};
  bool shows_repeat = false;
  bool shows_nodes = false;
};

std::string text_of(const Record& record, const ShowArguments& arguments) {
  if (arguments.shows_repeat) return record.repeat + "\n";
  const TextStyle style{.columns = stdout_columns(), .has_color = stdout_has_color()};
  std::ostringstream text;
  if (arguments.shows_nodes) {
    write_executed_nodes(text, record, style);
  } else {
    write_run_text(text, record, style);
  }
  return text.str();
}

int show(const ShowArguments& arguments) {
  const Record record = app::show(arguments.id, arguments.store);
  write_json(arguments.common, to_json(record, 2));
  write_text(arguments.common, text_of(record, arguments));
  return 0;
}

}  // namespace

void add_show(CLI::App& app, VerbContext& context) {
  CLI::App& verb = *app.add_subcommand("show", "One record: as text, as JSON, or how to repeat it");
  auto& arguments = context.keep<ShowArguments>();
  verb.add_option("ID", arguments.id, "An id, the beginning of one, or 'last'")->required();
  verb.add_flag("--repeat", arguments.shows_repeat, "Only the command line that repeats it");
  verb.add_flag("--nodes", arguments.shows_nodes,
                "Only the executed nodes, with the nodes of the file that each stands for");
  verb.add_option("--store", arguments.store, "The store to look at: a file");
  add_common_options(verb, arguments.common);
  verb.footer("Example: headroom show last --repeat");
  verb.callback([&] { context.action = [&arguments] { return show(arguments); }; });
}

}  // namespace headroom::cli
