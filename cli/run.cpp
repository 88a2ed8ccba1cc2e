// SPDX-License-Identifier: Apache-2.0
// `headroom run`.
#include <headroom/app/arguments.h>
#include <headroom/app/run.h>
#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/report/run.h>

#include <sstream>

#include "progress.h"
#include "verbs.h"

namespace headroom::cli {
namespace {

struct RunArguments {
  CommonOptions common{};
  ShapeArguments shapes{};
  app::RunOptions run{};
  std::string model{};
  std::vector<std::string> inputs{};
  std::vector<std::string> settings{};
  std::string time = "10s";
  std::string timeout{};
  std::string memory{};
  int threads = 0;
};

void fill_options(RunArguments& arguments, const CLI::App& verb, const VerbContext& context) {
  app::RunOptions& run = arguments.run;
  run.model = arguments.model;
  run.command = context.command;
  run.version = HEADROOM_VERSION;
  if (verb.count("--threads") > 0) run.threads = arguments.threads;
  run.inputs.shapes = app::parse_shape_options(arguments.shapes.shapes, arguments.shapes.dims);
  for (const auto& [name, file] : app::parse_pairs(arguments.inputs, "--input"))
    run.inputs.files[name] = file;
  run.settings = app::parse_pairs(arguments.settings, "--set");
  run.time = parse_time(arguments.time, "--time");
  if (!arguments.timeout.empty()) run.limits.time = parse_time(arguments.timeout, "--timeout");
  if (!arguments.memory.empty()) run.limits.memory = parse_bytes(arguments.memory, "--memory");
}

int execute(RunArguments& arguments, const VerbContext& context) {
  const std::unique_ptr<Store> store = open_store(arguments.run.store);
  ChildLauncher launcher(own_program());
  const LinuxHost host;
  const SteadyClock clock;
  ProgressLine progress;
  app::RunResult result =
      app::run(arguments.run, {.launcher = launcher,
                               .host = host,
                               .clock = clock,
                               .store = store.get(),
                               .stop = context.stop,
                               .progress = [&](const Progress& step) { progress.show(step); }});
  progress.clear();
  for (const std::string& warning : result.warnings) write_warning(warning);
  write_json(arguments.common, to_json(result.record, 2));
  std::ostringstream text;
  write_run_text(text, result.record,
                 {.columns = stdout_columns(), .has_color = stdout_has_color()});
  write_text(arguments.common, text.str());
  const Outcome& outcome = result.record.outcome;
  if (app::exit_status(outcome) > 1)
    throw Error(error_kind_from(outcome.error_kind), outcome.reason);
  return app::exit_status(outcome);
}

}  // namespace

void add_run(CLI::App& app, VerbContext& context) {
  auto& arguments = context.keep<RunArguments>();
  CLI::App* verb = app.add_subcommand("run", "Measure a model on this machine");
  verb->add_option("MODEL", arguments.model, "ONNX file")->required();
  verb->add_option("--engine", arguments.run.engine, "Engine; `headroom doctor` lists them")
      ->capture_default_str();
  verb->add_option("--threads", arguments.threads,
                   "Threads inside an operator (default: the CPUs that this process may use)");
  verb->add_option("--precision", arguments.run.precision,
                   "Arithmetic of the engine: f32; openvino also bf16, f16")
      ->capture_default_str();
  add_shape_options(*verb, arguments.shapes);
  verb->add_option("--input", arguments.inputs,
                   "Values of an input: a .npy or TensorProto .pb file")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  verb->add_option("--seed", arguments.run.seed, "Seed of the generated inputs")
      ->capture_default_str();
  verb->add_option("--time", arguments.time, "Budget of the timed launches")->capture_default_str();
  verb->add_option("--launches", arguments.run.launches,
                   "Processes that measure, one after another")
      ->capture_default_str();
  verb->add_option("--set", arguments.settings, "An option of the engine's own, checked")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  verb->add_option("--timeout", arguments.timeout, "Time limit of each process (default: 10min)");
  verb->add_option("--memory", arguments.memory, "Memory limit of each process, such as 2GiB");
  verb->add_option("--store", arguments.run.store, "Where the record goes: a file, or none");
  add_common_options(*verb, arguments.common);
  verb->footer("Example: headroom run model.onnx --dim batch=1 --threads 2");
  verb->callback([&arguments, &context, verb] {
    fill_options(arguments, *verb, context);
    context.action = [&arguments, &context] { return execute(arguments, context); };
  });
}

}  // namespace headroom::cli
