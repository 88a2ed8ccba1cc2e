// SPDX-License-Identifier: Apache-2.0
// The text of `headroom run` and `headroom show`.
#include <headroom/base/text.h>
#include <headroom/report/run.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>

#include <fmt/format.h>

#include "report/run_operators.h"
#include "report/run_quantity.h"
#include "report/table.h"

namespace headroom {
namespace {

using report::Align;
using report::metric_text;
using report::Table;

constexpr std::string_view kIndent = "  ";
constexpr std::size_t kLabelWidth = 13;
constexpr std::size_t kMostInputs = 10;

/// Labelled lines under a heading, wrapped behind their label.
class Lines {
 public:
  Lines(std::ostream& out, const TextStyle& style) : out_(out), style_(style) {}

  void heading(std::string_view text) {
    out_ << '\n';
    report::write_heading(out_, style_, text);
  }
  void add(std::string_view label, const std::string& text) {
    const std::size_t gap = label.size() < kLabelWidth ? kLabelWidth - label.size() : 1;
    out_ << kIndent << label << std::string(gap, ' ');
    report::write_wrapped(out_, style_, text, kIndent.size() + kLabelWidth);
  }
  void bare(const std::string& text) {
    out_ << kIndent;
    report::write_wrapped(out_, style_, text, 2 * kIndent.size());
  }

 private:
  std::ostream& out_;
  const TextStyle& style_;
};

Metric metric_of(const Record& record, const char* key) {
  const auto found = record.metrics.find(key);
  return found != record.metrics.end() ? found->second : Metric{.absent = "not measured"};
}

std::string shape_of(const InputSpec& input) {
  if (input.shape.empty()) return "scalar";
  std::vector<std::string> sizes;
  for (const std::int64_t size : input.shape) sizes.push_back(std::to_string(size));
  return join(sizes, "x");
}

std::string model_text(const ModelFacts& model) {
  std::string text =
      fmt::format("opset {}, {} nodes, {} parameters", model.opset, format_exact(model.nodes),
                  format_count(static_cast<double>(model.parameters)));
  if (model.macs) {
    text += fmt::format(", {} MACs", format_count(static_cast<double>(*model.macs)));
  } else if (!model.macs_absent.empty()) {
    text += fmt::format(", MACs not counted: {}", printable(model.macs_absent));
  }
  return text;
}

std::string engine_text(const Record& record) {
  const Case& plan_case = record.plan_case;
  return fmt::format("{} {}, {} thread{}, {}", printable(record.engine.name),
                     printable(record.engine.version), plan_case.threads,
                     plan_case.threads == 1 ? "" : "s", printable(plan_case.precision));
}

// The options whose value ends with `suffix`, without it: `threads = 2, precision = f32`.
std::string options_with(const EngineFacts& engine, std::string_view suffix) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : engine.effective) {
    if (value.ends_with(suffix)) {
      parts.push_back(fmt::format("{} = {}", printable(key),
                                  printable(value.substr(0, value.size() - suffix.size()))));
    }
  }
  return join(parts, ", ");
}

// What took effect, and what was asked without anything else to show that it did.
void write_effective(Lines& lines, const EngineFacts& engine) {
  const std::string observed = options_with(engine, " (observed)");
  const std::string asked = options_with(engine, " (asked)");
  if (!observed.empty()) lines.add("observed", observed);
  if (!asked.empty()) lines.add("asked", asked);
}

std::string machine_text(const HostFacts& host) {
  std::string text = fmt::format("{}, {} of {} CPUs usable", printable(host.cpu_model),
                                 host.usable_cpus, host.logical_cpus);
  if (!host.hypervisor.empty()) text += fmt::format(", under {}", printable(host.hypervisor));
  return text;
}

std::string quiet_text(const Record& record) {
  double steal = 0;
  double busy = 0;
  for (const Launch& launch : record.launches) {
    steal = std::max(steal, launch.quiet.steal);
    busy = std::max(busy, launch.quiet.foreign_busy);
  }
  return fmt::format("{}: worst launch {:.1f} % stolen, {:.2f} CPUs busy with other work",
                     *record.is_quiet ? "quiet" : "not quiet", 100 * steal, busy);
}

// `2 asked, 2 busy on CPUs 0, 1`: the least and the most over the launches, where they differ.
std::string threads_text(const Record& record) {
  std::vector<std::uint64_t> busy;
  std::set<int> cpus;
  for (const Launch& launch : record.launches) {
    if (!launch.busy_threads) continue;
    busy.push_back(*launch.busy_threads);
    cpus.insert(launch.busy_cpus.begin(), launch.busy_cpus.end());
  }
  if (busy.empty()) return {};
  const auto [least, most] = std::minmax_element(busy.begin(), busy.end());
  std::vector<std::string> numbers;
  numbers.reserve(cpus.size());
  for (const int cpu : cpus) numbers.push_back(std::to_string(cpu));
  return fmt::format(
      "{} asked, {} busy on CPU{} {}", record.plan_case.threads,
      *least == *most ? std::to_string(*most) : fmt::format("{} to {}", *least, *most),
      numbers.size() == 1 ? "" : "s", join(numbers, ", "));
}

void write_header(std::ostream& out, const Record& record, const TextStyle& style) {
  const std::string file = std::filesystem::path(record.model.path).filename().string();
  report::write_heading(out, style, printable(file.empty() ? record.plan_case.model : file));
  Lines lines(out, style);
  if (!record.model.path.empty()) lines.add("model", model_text(record.model));
  lines.add("engine", engine_text(record));
  write_effective(lines, record.engine);
  const std::string threads = threads_text(record);
  if (!threads.empty()) lines.add("threads", threads);
  if (!record.host.cpu_model.empty()) lines.add("machine", machine_text(record.host));
  if (record.is_quiet) lines.add("noise", quiet_text(record));
  const auto& inputs = record.plan_case.inputs;
  for (std::size_t i = 0; i < std::min(inputs.size(), kMostInputs); ++i) {
    lines.add("input", fmt::format("{} {} {}{}", printable(inputs[i].name),
                                   to_string(inputs[i].type), shape_of(inputs[i]),
                                   inputs[i].reason.empty() ? std::string{}
                                                            : ": " + printable(inputs[i].reason)));
  }
  if (inputs.size() > kMostInputs)
    lines.add("", fmt::format("and {} more", inputs.size() - kMostInputs));
}

std::string cpu_text(const Record& record) {
  const Metric cpu = metric_of(record, "cpu_ns_per_inference");
  const Metric mean = metric_of(record, "latency_mean_ns");
  std::string text = metric_text(cpu, report::time_scale);
  if (cpu.value && mean.value && *mean.value > 0)
    text += fmt::format("; {:.2f} CPUs busy on average", *cpu.value / *mean.value);
  return text;
}

std::string achieved_text(const Record& record) {
  const Metric achieved = metric_of(record, "achieved_flop_per_s");
  const Metric share = metric_of(record, "peak_flop_share");
  std::string text = metric_text(achieved, report::flop_rate_scale);
  if (!achieved.value) return text;
  if (share.value && record.peak_flop_per_s) {
    text +=
        fmt::format("; {:.1f} % of the measured float32 peak, {}", 100 * *share.value,
                    report::value_text({.value = record.peak_flop_per_s}, report::flop_rate_scale));
  } else {
    text += "; " + printable(share.absent);
  }
  return text;
}

std::size_t measured_launches(const Record& record) {
  std::size_t count = 0;
  std::int32_t last = -1;
  for (const std::int32_t launch : record.samples.launch) {
    count += launch != last ? 1 : 0;
    last = launch;
  }
  return count;
}

void write_latency(std::ostream& out, const Record& record, const TextStyle& style) {
  Lines lines(out, style);
  const std::size_t launches = measured_launches(record);
  lines.heading(launches > 1
                    ? fmt::format("one inference [95 % interval over {} launches]", launches)
                    : std::string("one inference (one launch, so no interval)"));
  const auto time = [&](std::string_view label, const char* key) {
    lines.add(label, metric_text(metric_of(record, key), report::time_scale));
  };
  lines.add("samples", format_exact(record.samples.size()));
  time("median", "latency_median_ns");
  time("mean", "latency_mean_ns");
  time("min", "latency_min_ns");
  time("p90", "latency_p90_ns");
  time("p99", "latency_p99_ns");
  lines.add("throughput", metric_text(metric_of(record, "throughput_per_s"), report::rate_scale) +
                              " with one request at a time");
  lines.add("CPU time", cpu_text(record));
  lines.add("peak memory", metric_text(metric_of(record, "peak_memory_bytes"), report::byte_scale));
  lines.add("achieved", achieved_text(record));
}

void write_phases(std::ostream& out, const Record& record, const TextStyle& style) {
  Lines lines(out, style);
  lines.heading("before that, in each launch");
  const auto time = [&](std::string_view label, const char* key) {
    lines.add(label, metric_text(metric_of(record, key), report::time_scale));
  };
  time("read", "read_ns");
  time("create", "create_ns");
  time("first run", "first_run_ns");
  const Metric runs = metric_of(record, "warmup_runs");
  const Metric warmup = metric_of(record, "warmup_ns");
  lines.add("warm-up", runs.value ? fmt::format("{} run{}, {}", format_count(*runs.value),
                                                *runs.value == 1 ? "" : "s",
                                                metric_text(warmup, report::time_scale))
                                  : printable(runs.absent));
  const auto unsteady =
      std::count_if(record.launches.begin(), record.launches.end(), [](const Launch& launch) {
        return !launch.warmup_ended_by.empty() && launch.warmup_ended_by != "steady";
      });
  if (unsteady > 0) {
    lines.add("", fmt::format("{} of {} launches ended it by their limit of time, not because the "
                              "times were steady",
                              unsteady, record.launches.size()));
  }
  lines.add("memory", "after the load " + metric_text(metric_of(record, "memory_loaded_bytes"),
                                                      report::byte_scale));
}

std::string gate_text(const Gate& gate) {
  switch (gate.status) {
    case GateStatus::Passed:
      return fmt::format("right: {} output{} within the tolerance of {}{}", gate.outputs.size(),
                         gate.outputs.size() == 1 ? "" : "s", printable(gate.reference),
                         gate.reason.empty() ? "" : "; " + printable(gate.reason));
    case GateStatus::Failed:
      return fmt::format("WRONG against {}: {}", printable(gate.reference), printable(gate.reason));
    case GateStatus::Insensitive:
      return fmt::format("insensitive: {}; so nothing is proved by their being equal to {}",
                         printable(gate.reason), printable(gate.reference));
    case GateStatus::NotRun:
      break;
  }
  return fmt::format("not checked: {}",
                     printable(gate.reason.empty() ? "the gate did not run" : gate.reason));
}

void write_gate(std::ostream& out, const Gate& gate, const TextStyle& style) {
  Lines lines(out, style);
  lines.heading("outputs");
  lines.bare(gate_text(gate));
  for (const OutputCheck& check : gate.outputs) {
    if (!check.is_equal || !check.reason.empty()) {
      lines.bare(fmt::format("{} {} {}: {}", printable(check.name), printable(check.type),
                             printable(check.shape), printable(check.reason)));
    }
  }
}

void write_remarks(std::ostream& out, const Record& record, const TextStyle& style) {
  Lines lines(out, style);
  if (!record.notes.empty()) lines.heading("notes");
  for (const std::string& note : record.notes) lines.bare(printable(note));
  if (!record.warnings.empty()) lines.heading("warnings");
  for (const HostWarning& warning : record.warnings) {
    lines.bare(fmt::format("{}: {}; {}; {}", printable(warning.code), printable(warning.found),
                           printable(warning.effect), printable(warning.remedy)));
  }
}

void write_outcome(std::ostream& out, const Record& record, const TextStyle& style) {
  const Outcome& outcome = record.outcome;
  Lines lines(out, style);
  lines.heading(fmt::format("outcome: {}", to_string(outcome.status)));
  if (!outcome.reason.empty()) lines.bare(printable(outcome.reason));
  if (!record.id.empty()) lines.bare("record " + printable(record.id));
  if (!record.repeat.empty()) {
    lines.bare("repeat it with");
    out << printable(record.repeat) << '\n';  // in one line, to be copied
  }
}

}  // namespace

void write_run_text(std::ostream& out, const Record& record, const TextStyle& style) {
  write_header(out, record, style);
  if (record.samples.size() > 0) {
    write_latency(out, record, style);
    write_phases(out, record, style);
    write_gate(out, record.gate, style);
    report::write_operators(out, record.profile, style);
    report::write_graph(out, record.profile, style);
  }
  write_remarks(out, record, style);
  write_outcome(out, record, style);
}

}  // namespace headroom
