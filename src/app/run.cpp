// SPDX-License-Identifier: Apache-2.0
// Puts the modules together for `headroom run`.
#include <headroom/app/calibrate.h>
#include <headroom/app/observe.h>
#include <headroom/app/run.h>
#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/ceiling.h>
#include <headroom/cost.h>
#include <headroom/engine.h>
#include <headroom/model/model.h>

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "app/failing_node.h"
#include "app/load_inferred.h"
#include "app/observed_facts.h"

namespace headroom::app {
namespace {

std::vector<PortFacts> port_facts(const Graph& graph, const std::vector<ValueId>& ids) {
  std::vector<PortFacts> ports;
  for (const ValueId id : ids) {
    const Value& value = graph.values[id];
    ports.push_back({.name = value.name,
                     .type = std::string(to_string(value.type.element)),
                     .shape = value.type.shape ? to_string(*value.type.shape) : "?"});
  }
  return ports;
}

ModelFacts model_facts(const Model& model, const std::filesystem::path& path) {
  return {.path = path.string(),
          .sha256 = sha256_of_file(path),
          .name = model.graph.name,
          .opset = model.opset(),
          .nodes = model.graph.nodes.size(),
          .inputs = port_facts(model.graph, model.graph.required_inputs()),
          .outputs = port_facts(model.graph, model.graph.outputs)};
}

// What stands between the shapes that ran and a count of multiply-adds, if anything does: nodes
// that are not counted and may hold some. Strings, trees and the like hold none.
std::string why_uncounted(const Work& work) {
  std::map<std::pair<CountStatus, std::string>, std::size_t> counts;
  for (const NodeWork& node : work.nodes) {
    const std::string op = node.domain.empty() ? node.op : node.domain + "." + node.op;
    if (node.may_hold_macs) ++counts[{node.status, op}];
  }
  std::vector<std::string> reasons;
  for (const auto& [key, nodes] : counts) {
    reasons.push_back(fmt::format(
        "{} {} {}", nodes, printable(key.second),
        key.first == CountStatus::Uncounted ? "without a formula" : "of unknown shape"));
  }
  return join(reasons, ", ");
}

// Why the f32 peak is no ceiling of this model: the first multiply-adds of another type. Operands
// are told as `int8[64x3x7x7]`; quantised graphs in QDQ form run in 8 bits where the engine fuses
// them.
std::string other_arithmetic(const Work& work) {
  for (const NodeWork& node : work.nodes) {
    if (node.op == "DequantizeLinear" && node.status == CountStatus::Counted) {
      return fmt::format("the model is quantised (node '{}'), the f32 peak is no ceiling of it",
                         printable(node.name));
    }
    if (node.macs.value == 0) continue;
    for (const std::string& operand : node.inputs) {
      const auto type = element_type_from(operand.substr(0, operand.find('[')));
      const auto bits = type ? bits_of(*type) : std::nullopt;
      if (bits && *bits < 32) {
        return fmt::format("node '{}' multiplies {}, the f32 peak is no ceiling of it",
                           printable(node.name), to_string(*type));
      }
    }
  }
  return {};
}

struct Counted {
  Work work{};
  std::string problem{};  ///< Why there is none.
};

// What was measured is kept, also where the model or an input has gone or cannot be read.
template <class Options>
Counted count(const std::filesystem::path& path, Options&& options) {
  try {
    return {.work = count_work(load_inferred(path, options()))};
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Internal) throw;
    return {.problem = error.what()};
  }
}

// Counts the work of what really ran: at its shapes, with the values that decide branches and trip
// counts. Where inference leaves sizes open they are seen in one more run.
Work add_work(Record& record, const RunContext& context) {
  Case& ran = record.plan_case;
  Counted counted = count(ran.model, [&] { return fixed_by(ran); });
  const bool has_run =
      record.outcome.status == Status::Ok || record.outcome.status == Status::Noisy;
  if (counted.problem.empty() && !counted.work.unknown_shape.empty() && has_run) {
    const Record seen = run_observation({.plan_case = ran}, context.launcher, context.clock,
                                        context.stop, context.progress);
    if (seen.outcome.status == Status::Ok) {
      counted = count(ran.model, [&] { return seen_in(seen); });
      record.notes.emplace_back("sizes that follow from data were seen in one more run");
    } else {
      record.notes.push_back("sizes that follow from data could not be seen: " +
                             seen.outcome.reason);
    }
  }
  record.model.parameters = counted.work.parameters;
  record.model.macs_absent =
      counted.problem.empty() ? why_uncounted(counted.work) : counted.problem;
  if (record.model.macs_absent.empty()) record.model.macs = counted.work.macs.value;
  return std::move(counted.work);
}

Case make_case(const RunOptions& options, const HostFacts& host, const InputPlan& inputs) {
  return {.role = Role::Measure,
          .model = std::filesystem::absolute(options.model).lexically_normal().string(),
          .engine = options.engine,
          .threads = options.threads.value_or(host.usable_cpus),
          .precision = options.precision,
          .settings = options.settings,
          .seed = options.seed,
          .inputs = inputs.inputs,
          .inputs_from = inputs.source,
          .reference = inputs.reference,
          .limits = options.limits};
}

RunPlan make_plan(const RunOptions& options, const HostFacts& host, const Model& model,
                  std::vector<std::string>& notes) {
  const InputPlan inputs = plan_inputs(model, options.inputs);
  notes = inputs.notes;
  RunPlan plan{.plan_case = make_case(options, host, inputs),
               .launches = options.launches,
               .time = options.time};
  for (const InputPlan& other : alternative_inputs(model, options.inputs))
    plan.alternatives.push_back(make_case(options, host, other));
  return plan;
}

// A model whose weights are not there can be counted, not run.
void require_weights(const Model& model) {
  for (const Diagnostic& diagnostic : model.diagnostics) {
    if (diagnostic.code == "external_data_missing")
      throw Error(ErrorKind::NotFound, fmt::format("{}: {}", diagnostic.place, diagnostic.message));
  }
}

EngineFacts require_engine(const RunOptions& options) {
  if (options.threads && *options.threads < 1) {
    throw Error(ErrorKind::Usage,
                fmt::format("--threads: at least 1 is needed, found {}", *options.threads));
  }
  if (options.launches < 1) {
    throw Error(ErrorKind::Usage,
                fmt::format("--launches: at least 1 is needed, found {}", options.launches));
  }
  const std::unique_ptr<Engine> engine = make_engine(options.engine);
  return {.name = options.engine, .version = engine->version(), .build = engine->build()};
}

// A calibration that cannot be kept is measured again another time; the run goes on.
void keep_calibration(const RunContext& context, const std::string& fingerprint,
                      const std::string& json, std::vector<std::string>& warnings) {
  if (context.store == nullptr) return;
  try {
    context.store->append_calibration(fingerprint, json);
  } catch (const Error& error) {
    warnings.push_back(fmt::format("the measured peak is not kept: {}", error.what()));
  }
}

// The newest calibration may be of another thread count; one of these is likely to have this one.
constexpr std::size_t kCalibrationsSearched = 20;

// The measured f32 peak of this machine at `threads`; found now if it was never measured.
std::optional<Peak> find_peak(const RunContext& context, const HostFacts& host, int threads,
                              std::string& absent, std::vector<std::string>& warnings) {
  const std::string fingerprint = platform_fingerprint(host);
  if (context.store != nullptr) {
    for (const auto& stored : context.store->calibrations(fingerprint, kCalibrationsSearched)) {
      const Ceilings ceilings = ceilings_from_json(stored.json);
      if (const Peak* peak = ceilings.best("float32", threads)) return *peak;
    }
  }
  if (context.stop) return std::nullopt;
  if (context.progress) context.progress({.stage = "calibrate", .detail = "peak of float32"});
  try {
    const LoadSnapshot before = take_snapshot(context.host);
    const Ceilings ceilings = measure_ceilings(context.clock, host, threads);
    if (is_disturbed(compare(before, take_snapshot(context.host)))) {
      absent =
          "other work held the peak down while it was measured; `headroom calibrate` measures it "
          "on a quiet machine";
      return std::nullopt;
    }
    keep_calibration(context, fingerprint, to_json(ceilings), warnings);
    const Peak* peak = ceilings.best("float32", threads);
    return peak != nullptr ? std::optional(*peak) : std::nullopt;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Unsupported) throw;
    return std::nullopt;
  }
}

void add_identity(Record& record, const RunOptions& options, const RunContext& context,
                  const HostFacts& host) {
  record.id = make_record_id();
  record.time = utc_timestamp();
  record.command = options.command;
  record.headroom_version = options.version;
  record.host = host;
  record.fingerprint = platform_fingerprint(host);
  record.warnings = find_warnings(context.host, host);
  compare_with_asked(record);
  record.engine.asked = options.settings;
  record.repeat = repeat_command(options, record.plan_case, options.launches);
}

void keep(const Record& record, const RunContext& context) {
  if (context.store == nullptr) return;
  try {
    context.store->append(record);
  } catch (const Error& error) {
    const std::filesystem::path rescue =
        std::filesystem::temp_directory_path() / fmt::format("headroom-{}.json", record.id);
    write_file_atomically(rescue, to_json(record));
    throw Error(error.kind(), fmt::format("{}; the record is kept in '{}'", error.what(),
                                          printable(rescue.string())));
  }
}

}  // namespace

std::vector<PreparedRun> prepare_runs(std::span<const RunOptions> runs, const Host& host) {
  std::vector<PreparedRun> prepared;
  for (const RunOptions& options : runs)
    prepared.push_back({.options = options, .engine = require_engine(options)});
  if (prepared.empty()) return prepared;
  const HostFacts facts = read_facts(host);
  const Model model = load_inferred(runs.front().model, {});
  require_weights(model);
  const ModelFacts model_of_all =
      model_facts(model, std::filesystem::absolute(runs.front().model).lexically_normal());
  for (PreparedRun& run : prepared) {
    run.host = facts;
    run.model = model_of_all;
    run.plan = make_plan(run.options, facts, model, run.notes);
  }
  return prepared;
}

RunResult run(PreparedRun prepared, const RunContext& context) {
  RunResult result;
  std::string peak_absent;
  const std::optional<Peak> peak = find_peak(
      context, prepared.host, prepared.plan.plan_case.threads, peak_absent, result.warnings);
  result.record = run_experiment(prepared.plan, context.launcher, context.stop, context.progress);
  Record& record = result.record;
  if (record.engine.version.empty()) record.engine = std::move(prepared.engine);
  record.notes.insert(record.notes.begin(), prepared.notes.begin(), prepared.notes.end());
  record.model = std::move(prepared.model);
  record.peak_absent = other_arithmetic(add_work(record, context));
  if (record.peak_absent.empty()) record.peak_absent = peak_absent;
  add_identity(record, prepared.options, context, prepared.host);
  if (peak && record.peak_absent.empty()) record.peak_flop_per_s = peak->best.per_second;
  summarize(record);
  std::string note = note_on_failing_node(prepared.options, record, context);
  if (!note.empty()) record.notes.push_back(std::move(note));
  keep(record, context);
  return result;
}

RunResult run(const RunOptions& options, const RunContext& context) {
  return run(std::move(prepare_runs({&options, 1}, context.host).front()), context);
}

int exit_status(const Outcome& outcome) noexcept {
  switch (outcome.status) {
    case Status::Ok:
    case Status::Noisy:
      return 0;
    case Status::Mistrusted:
      return 1;
    case Status::Unsupported:
      return headroom::exit_status(ErrorKind::Unsupported);
    case Status::Timeout:
      return headroom::exit_status(ErrorKind::Limit);
    case Status::Partial:  // Some launches failed, or the user interrupted: the kind tells.
    case Status::Failed:
      return headroom::exit_status(error_kind_from(outcome.error_kind));
  }
  return headroom::exit_status(ErrorKind::Internal);
}

std::string repeat_command(const RunOptions& options, const Case& plan, int launches) {
  std::vector<std::string> words = {"headroom", "run", shell_quote(plan.model)};
  const auto add = [&](std::string_view option, const std::string& value) {
    words.emplace_back(option);
    words.push_back(shell_quote(value));
  };
  add("--engine", plan.engine);
  add("--threads", std::to_string(plan.threads));
  add("--precision", plan.precision);
  for (const InputSpec& input : plan.inputs) {
    if (input.fill == FillKind::File) {
      add("--input", input.name + "=" + input.path);
    } else {
      add("--shape", input.name + "=" + shape_text(input.shape));
    }
  }
  if (options.inputs.fill) add("--fill", to_string(*options.inputs.fill));
  for (const auto& [name, fill] : options.inputs.fills)
    add("--fill", fmt::format("{}={}", name, to_string(fill)));
  for (const auto& [key, value] : plan.settings) add("--set", fmt::format("{}={}", key, value));
  add("--seed", std::to_string(plan.seed));
  add("--time", exact_time(options.time));
  add("--launches", std::to_string(launches));
  if (options.limits.time && *options.limits.time != kDefaultTimeout)
    add("--timeout", exact_time(*options.limits.time));
  if (options.limits.memory) add("--memory", fmt::format("{}B", options.limits.memory->value));
  if (!options.store.empty()) add("--store", options.store);
  return join(words, " ");
}

}  // namespace headroom::app
