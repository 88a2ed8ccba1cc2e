// SPDX-License-Identifier: Apache-2.0
// `headroom inspect`.
#include <headroom/app/arguments.h>
#include <headroom/app/inspect.h>
#include <headroom/report/inspect.h>

#include <sstream>

#include "verbs.h"

namespace headroom::cli {
namespace {

struct InspectArguments {
  std::string model{};
  ShapeArguments shapes{};
  CommonOptions common{};
  bool shows_all_nodes = false;
};

int inspect(const InspectArguments& arguments) {
  const app::Inspection result = app::inspect(
      {.model = arguments.model,
       .shapes = app::parse_shape_options(arguments.shapes.shapes, arguments.shapes.dims)});
  if (!arguments.common.json.empty())
    write_json(arguments.common, inspect_json(result.model, result.work));
  std::ostringstream text;
  write_inspect_text(text, result.model, result.work,
                     {.style = {.columns = stdout_columns(), .has_color = stdout_has_color()},
                      .shows_all_nodes = arguments.shows_all_nodes});
  write_text(arguments.common, text.str());
  return 0;
}

}  // namespace

void add_inspect(CLI::App& app, VerbContext& context) {
  CLI::App& verb =
      *app.add_subcommand("inspect", "How much work and memory is in a model, from the file alone");
  auto& arguments = context.keep<InspectArguments>();
  verb.add_option("MODEL", arguments.model, "An ONNX file")->required();
  add_shape_options(verb, arguments.shapes);
  verb.add_flag("--nodes", arguments.shows_all_nodes, "List every node, not only the heaviest");
  add_common_options(verb, arguments.common);
  verb.footer("Example: headroom inspect model.onnx --dim batch=1 --json work.json");
  verb.callback([&] { context.action = [&arguments] { return inspect(arguments); }; });
}

}  // namespace headroom::cli
