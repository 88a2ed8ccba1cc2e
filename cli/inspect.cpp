// SPDX-License-Identifier: Apache-2.0
// `headroom inspect`.
#include <headroom/app/arguments.h>
#include <headroom/app/inspect.h>
#include <headroom/base/text.h>
#include <headroom/report/inspect.h>

#include <sstream>

#include "verbs.h"

namespace headroom::cli {
namespace {

struct InspectArguments {
  std::string model{};
  ShapeArguments shapes{};
  CommonOptions common{};
  std::vector<std::string> inputs{};
  std::vector<std::string> fills{};
  app::ObserveOptions observing{};
  std::string timeout = "10min";
  std::string memory{};
  bool observes = false;
  bool scans = false;
  bool shows_all_nodes = false;
};

app::Inspection inspected(InspectArguments& arguments, const StopFlag& stop) {
  const app::InspectOptions options{
      .model = arguments.model,
      .shapes = app::parse_shape_options(arguments.shapes.shapes, arguments.shapes.dims),
      .scans = arguments.scans};
  if (!arguments.observes) return app::inspect(options);
  app::ObserveOptions& observing = arguments.observing;
  for (const auto& [name, file] : app::parse_pairs(arguments.inputs, "--input"))
    observing.given.files[name] = file;
  app::parse_fills(arguments.fills, observing.given);
  observing.given.shapes = options.shapes;
  observing.limits.time = parse_time(arguments.timeout, "--timeout");
  if (!arguments.memory.empty())
    observing.limits.memory = parse_bytes(arguments.memory, "--memory");
  ChildLauncher launcher(own_program());
  return app::inspect_observed(options, observing, launcher, SteadyClock{}, stop);
}

int inspect(InspectArguments& arguments, const StopFlag& stop) {
  const app::Inspection result = inspected(arguments, stop);
  const Record* const observed = result.observed ? &*result.observed : nullptr;
  if (!arguments.common.json.empty())
    write_json(arguments.common, inspect_json(result.model, result.work, observed, result.weights));
  std::ostringstream text;
  write_inspect_text(text, result.model, result.work,
                     {.style = {.columns = stdout_columns(), .has_color = stdout_has_color()},
                      .shows_all_nodes = arguments.shows_all_nodes,
                      .observed = observed,
                      .weights = result.weights});
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
  verb.add_flag("--scan", arguments.scans,
                "Read the weights and show those with denormals, NaN, infinities or many zeros");
  CLI::Option* const observe = verb.add_flag(
      "--observe", arguments.observes,
      "Run the model once and show what every value is: shapes that inference leaves open, "
      "denormals, NaN, zeros");
  verb.add_option("--engine", arguments.observing.engine, "Engine of that run")
      ->capture_default_str()
      ->needs(observe);
  verb.add_option("--input", arguments.inputs,
                  "Values of an input in that run: a .npy or TensorProto .pb file")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false)
      ->needs(observe);
  verb.add_option("--fill", arguments.fills,
                  "What floats are filled with in that run, as `run` has it")
      ->type_name("[NAME=]KIND")
      ->allow_extra_args(false)
      ->needs(observe);
  verb.add_option("--seed", arguments.observing.seed, "Seed of the generated inputs")
      ->capture_default_str()
      ->needs(observe);
  verb.add_option("--timeout", arguments.timeout, "Time limit of that run")
      ->capture_default_str()
      ->needs(observe);
  verb.add_option("--memory", arguments.memory, "Memory limit of that run, such as 2GiB")
      ->needs(observe);
  add_common_options(verb, arguments.common);
  verb.footer("Example: headroom inspect model.onnx --dim batch=1 --json work.json");
  verb.callback([&] {
    context.action = [&arguments, &context] { return inspect(arguments, context.stop); };
  });
}

}  // namespace headroom::cli
