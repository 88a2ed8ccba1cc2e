// SPDX-License-Identifier: Apache-2.0
// `headroom run`.
#include <headroom/app/arguments.h>
#include <headroom/app/sweep.h>
#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/report/run.h>
#include <headroom/report/sweep.h>

#include <sstream>

#include "progress.h"
#include "verbs.h"

namespace headroom::cli {
namespace {

struct RunArguments {
  CommonOptions common{};
  ShapeArguments shapes{};
  app::RunOptions run{};
  app::SweepAxes axes{};
  std::string model{};
  std::string engines = "onnxruntime";
  std::string threads{};
  std::vector<std::string> inputs{};
  std::vector<std::string> fills{};
  std::vector<std::string> settings{};
  std::string time = "10s";
  std::string timeout{};
  std::string memory{};
};

void fill_axes(RunArguments& arguments) {
  app::SweepAxes& axes = arguments.axes;
  axes.engines = app::parse_names(arguments.engines, "--engine");
  if (!arguments.threads.empty()) axes.threads = app::parse_threads(arguments.threads);
  axes.shapes = app::parse_shape_axes(arguments.shapes.shapes, arguments.shapes.dims);
}

void fill_options(RunArguments& arguments, const VerbContext& context) {
  app::RunOptions& run = arguments.run;
  run.model = arguments.model;
  run.command = context.command;
  run.version = HEADROOM_VERSION;
  fill_axes(arguments);
  for (const auto& [name, file] : app::parse_pairs(arguments.inputs, "--input"))
    run.inputs.files[name] = file;
  app::parse_fills(arguments.fills, run.inputs);
  run.settings = app::parse_pairs(arguments.settings, "--set");
  run.time = parse_time(arguments.time, "--time");
  if (!arguments.timeout.empty()) run.limits.time = parse_time(arguments.timeout, "--timeout");
  if (!arguments.memory.empty()) run.limits.memory = parse_bytes(arguments.memory, "--memory");
}

// One record is shown whole, several as a table.
void write_results(const RunArguments& arguments, const std::vector<Record>& records,
                   const std::vector<Record>& memory, bool are_stored) {
  std::ostringstream text;
  const TextStyle style{.columns = stdout_columns(), .has_color = stdout_has_color()};
  if (records.size() == 1) {
    write_json(arguments.common, to_json(records.front(), 2));
    write_run_text(text, records.front(), style);
  } else {
    write_json(arguments.common, sweep_json(records, memory, 2));
    write_sweep_text(text, records, {.style = style, .is_stored = are_stored, .memory = memory});
  }
  write_text(arguments.common, text.str());
}

int execute(RunArguments& arguments, const VerbContext& context) {
  const std::unique_ptr<Store> store = open_store(arguments.run.store);
  ChildLauncher launcher(own_program());
  const LinuxHost host;
  const SteadyClock clock;
  ProgressLine progress;
  const app::RunContext around{.launcher = launcher,
                               .host = host,
                               .clock = clock,
                               .store = store.get(),
                               .stop = context.stop,
                               .progress = [&](const Progress& step) { progress.show(step); }};
  std::vector<app::RunResult> results =
      app::sweep(app::prepare_runs(app::expand(arguments.run, arguments.axes), host), around);
  const std::vector<Record> memory = app::shape_memory(results, around);
  progress.clear();
  std::vector<Record> records;
  const int status = app::exit_status(results);
  for (app::RunResult& result : results) {
    for (const std::string& warning : result.warnings) write_warning(warning);
    records.push_back(std::move(result.record));
  }
  write_results(arguments, records, memory, store != nullptr);
  for (const Record& record : records) {
    if (app::exit_status(record.outcome) > 1)
      throw Error(error_kind_from(record.outcome.error_kind), record.outcome.reason);
  }
  return status;
}

}  // namespace

void add_run(CLI::App& app, VerbContext& context) {
  auto& arguments = context.keep<RunArguments>();
  CLI::App* verb = app.add_subcommand("run", "Measure a model on this machine");
  verb->add_option("MODEL", arguments.model, "ONNX file")->required();
  verb->add_option("--engine", arguments.engines,
                   "Engine, or several: `headroom doctor` lists them")
      ->type_name("E[,E]")
      ->capture_default_str();
  verb->add_option(
          "--threads", arguments.threads,
          "Threads inside an operator, or several counts: 1,2,4 or 1..8*2 (default: the CPUs "
          "that this process may use)")
      ->type_name("N[,N]");
  verb->add_option("--precision", arguments.run.precision,
                   "Arithmetic of the engine: f32; openvino also bf16, f16")
      ->capture_default_str();
  add_shape_options(*verb, arguments.shapes, "; several make several runs");
  verb->add_option("--input", arguments.inputs,
                   "Values of an input: a .npy or TensorProto .pb file")
      ->type_name("NAME=FILE")
      ->allow_extra_args(false);
  verb->add_option("--fill", arguments.fills,
                   "What floats are filled with, or one input: random, zeros, ones, denormal, "
                   "sparse:0.5 (half of it zeros)")
      ->type_name("[NAME=]KIND")
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
  verb->footer(
      "Examples: headroom run model.onnx --dim batch=1 --threads 2\n"
      "          headroom run model.onnx --dim batch=1,4,16 --engine onnxruntime,openvino");
  verb->callback([&arguments, &context] {
    fill_options(arguments, context);
    context.action = [&arguments, &context] { return execute(arguments, context); };
  });
}

}  // namespace headroom::cli
