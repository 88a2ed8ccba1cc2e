// SPDX-License-Identifier: Apache-2.0
// Several records as one table.
#include <headroom/base/text.h>
#include <headroom/model/tensor.h>
#include <headroom/report/sweep.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "base/json.h"
#include "report/run_quantity.h"
#include "report/table.h"

namespace headroom {
namespace {

using report::Align;
using report::Table;

constexpr std::string_view kIndent = "  ";
constexpr std::size_t kMostOutputs = 5;

/// A column that says what sets the records apart, and its text for each of them.
struct Label {
  std::string title{};
  std::vector<std::string> texts{};
};

template <class Text>
Label label_of(std::string title, std::span<const Record> records, Text&& text) {
  Label label{.title = std::move(title)};
  for (const Record& record : records) label.texts.push_back(text(record));
  return label;
}

bool differs(const Label& label) {
  return std::set<std::string>(label.texts.begin(), label.texts.end()).size() > 1;
}

std::string shape_of_input(const Record& record, const std::string& name) {
  for (const InputSpec& input : record.plan_case.inputs) {
    if (input.name == name) return shape_text(input.shape);
  }
  return "-";
}

// Engine, threads and the inputs' shapes, as far as they differ; the engine where nothing does.
std::vector<Label> labels_of(std::span<const Record> records) {
  std::vector<Label> labels;
  for (const InputSpec& input : records.front().plan_case.inputs) {
    labels.push_back(label_of(printable(input.name), records, [&](const Record& record) {
      return shape_of_input(record, input.name);
    }));
  }
  labels.push_back(label_of("threads", records, [](const Record& record) {
    return std::to_string(record.plan_case.threads);
  }));
  labels.push_back(label_of(
      "engine", records, [](const Record& record) { return printable(record.plan_case.engine); }));
  const Label engine = labels.back();
  std::erase_if(labels, [](const Label& label) { return !differs(label); });
  if (labels.empty()) labels.push_back(engine);
  return labels;
}

Metric metric_of(const Record& record, const char* key) {
  const auto found = record.metrics.find(key);
  return found != record.metrics.end() ? found->second : Metric{.absent = "not measured"};
}

// `12.3 ms [12.1, 12.6]`, or `-`: the reason stands in the outcome.
std::string median_text(const Record& record) {
  const Metric median = metric_of(record, "latency_median_ns");
  return median.value ? report::metric_text(median, report::time_scale) : "-";
}

std::string outcome_text(const Outcome& outcome) {
  if (outcome.status == Status::Ok) return {};
  return outcome.reason.empty()
             ? std::string(to_string(outcome.status))
             : fmt::format("{}: {}", to_string(outcome.status), printable(outcome.reason));
}

void write_outcomes(std::ostream& out, std::span<const Record> records,
                    const std::vector<Label>& labels, const TextStyle& style) {
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::string text = outcome_text(records[i].outcome);
    if (text.empty()) continue;
    std::vector<std::string> words;
    words.reserve(labels.size());
    for (const Label& label : labels) words.push_back(label.texts[i]);
    out << kIndent;
    report::write_wrapped(out, style, fmt::format("{}: {}", join(words, ", "), text),
                          2 * kIndent.size());
  }
}

void write_table(std::ostream& out, std::span<const Record> records,
                 const std::vector<Label>& labels, const SweepTextOptions& options) {
  std::vector<report::Column> columns;
  for (const Label& label : labels) {
    const bool is_number = label.title == "threads";
    columns.push_back({.title = label.title, .align = is_number ? Align::Right : Align::Left});
  }
  for (const char* title : {"median", "per second", "CPU", "peak memory"})
    columns.push_back({.title = title});
  columns.push_back({.title = "outputs", .align = Align::Left});
  columns.push_back({.title = "status", .align = Align::Left});
  if (options.is_stored)
    columns.push_back({.title = "record", .align = Align::Left, .is_optional = true});
  const std::size_t width = columns.size();
  Table table(std::move(columns));
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Record& record = records[i];
    std::vector<std::string> cells;
    cells.reserve(width);
    for (const Label& label : labels) cells.push_back(label.texts[i]);
    cells.push_back(median_text(record));
    cells.push_back(report::value_text(metric_of(record, "throughput_per_s"), report::rate_scale));
    cells.push_back(
        report::value_text(metric_of(record, "cpu_ns_per_inference"), report::time_scale));
    cells.push_back(report::value_text(metric_of(record, "peak_memory_bytes"), report::byte_scale));
    cells.emplace_back(to_string(record.gate.status));
    cells.emplace_back(to_string(record.outcome.status));
    if (options.is_stored) cells.push_back(record.id);
    table.add_row(std::move(cells));
  }
  table.write(out, options.style, kIndent);
}

// How far each engine's outputs are from their reference, at the first shapes and threads that it
// ran with.
void write_differences(std::ostream& out, std::span<const Record> records, const TextStyle& style) {
  Table table({{.title = "engine", .align = Align::Left},
               {.title = "output", .align = Align::Left, .least = 8},
               {.title = "largest difference"},
               {.title = "relative"},
               {.title = "allowed"},
               {.title = "", .align = Align::Left},
               {.title = "reference", .align = Align::Left, .is_optional = true}});
  std::set<std::string> shown;
  for (const Record& record : records) {
    if (record.gate.outputs.empty() || !shown.insert(record.plan_case.engine).second) continue;
    const std::size_t most = std::min(record.gate.outputs.size(), kMostOutputs);
    for (const OutputCheck& check : std::span(record.gate.outputs).first(most)) {
      table.add_row(
          {printable(record.plan_case.engine), printable(check.name),
           fmt::format("{:.2g}", check.max_abs), fmt::format("{:.2g}", check.max_rel),
           fmt::format("{:.2g} + {:.2g} relative", check.abs_tolerance, check.rel_tolerance),
           check.is_equal ? "within" : "beyond", printable(record.gate.reference)});
    }
  }
  if (table.empty()) return;
  out << '\n';
  report::write_heading(out, style, "outputs against their reference");
  table.write(out, style, kIndent);
}

std::string shapes_text(const std::vector<InputSpec>& inputs) {
  std::vector<std::string> texts;
  texts.reserve(inputs.size());
  for (const InputSpec& input : inputs)
    texts.push_back(fmt::format("{}={}", printable(input.name), shape_text(input.shape)));
  return join(texts, " ");
}

std::string growth_text(std::uint64_t before, std::uint64_t after) {
  if (after >= before) return "+" + format_bytes(Bytes{after - before});
  return "-" + format_bytes(Bytes{before - after});
}

void write_memory(std::ostream& out, const Record& session, const TextStyle& style) {
  const Case& plan_case = session.plan_case;
  const ShapeMemory& memory = session.shape_memory;
  out << '\n';
  report::write_heading(out, style,
                        fmt::format("memory of one session that meets the shapes in turn, {}, {} "
                                    "thread{}",
                                    printable(plan_case.engine), plan_case.threads,
                                    plan_case.threads == 1 ? "" : "s"));
  if (session.outcome.status != Status::Ok) {
    out << kIndent;
    report::write_wrapped(out, style, outcome_text(session.outcome), 2 * kIndent.size());
    return;
  }
  Table table({{.title = "", .align = Align::Left, .least = 12},
               {.title = "resident"},
               {.title = "growth"}});
  table.add_row({"loaded", format_bytes(Bytes{memory.loaded_bytes}), ""});
  std::uint64_t before = memory.loaded_bytes;
  const auto inputs = inputs_in_turn(plan_case);
  for (std::size_t i = 0; i < memory.after_bytes.size(); ++i) {
    table.add_row({shapes_text(inputs[i]), format_bytes(Bytes{memory.after_bytes[i]}),
                   growth_text(before, memory.after_bytes[i])});
    before = memory.after_bytes[i];
  }
  table.write(out, style, kIndent);
}

Json session_json(const Record& session) {
  Json json = {{"engine", session.plan_case.engine}, {"threads", session.plan_case.threads}};
  if (session.outcome.status != Status::Ok) {
    json["absent"] = session.outcome.reason;
    return json;
  }
  json["loaded_bytes"] = session.shape_memory.loaded_bytes;
  json["shapes"] = Json::array();
  const auto inputs = inputs_in_turn(session.plan_case);
  for (std::size_t i = 0; i < session.shape_memory.after_bytes.size(); ++i) {
    Json shapes = Json::object();
    for (const InputSpec& input : inputs[i]) shapes[input.name] = input.shape;
    json["shapes"].push_back(
        {{"shapes", shapes}, {"after_bytes", session.shape_memory.after_bytes[i]}});
  }
  return json;
}

}  // namespace

void write_sweep_text(std::ostream& out, std::span<const Record> records,
                      const SweepTextOptions& options) {
  if (records.empty()) return;
  const TextStyle& style = options.style;
  const Record& first = records.front();
  report::write_heading(out, style,
                        printable(std::filesystem::path(first.model.path).filename().string()));
  const std::vector<Label> labels = labels_of(records);
  write_table(out, records, labels, options);
  write_outcomes(out, records, labels, style);
  write_differences(out, records, style);
  for (const Record& session : options.memory) write_memory(out, session, style);
  out << '\n' << kIndent;
  report::write_wrapped(
      out, style,
      fmt::format("Runs of one table follow each other and are not interleaved: small "
                  "differences may be the machine's.{}",
                  options.is_stored ? " `headroom show RECORD` shows one whole." : ""),
      kIndent.size());
}

std::string sweep_json(std::span<const Record> records, std::span<const Record> memory,
                       int indent) {
  std::string text = fmt::format("{{\"schema\": {}, \"records\": [", kRecordSchema);
  for (const Record& record : records) {
    if (&record != records.data()) text += ",";
    text += "\n" + to_json(record, indent);
  }
  Json sessions = Json::array();
  for (const Record& record : memory) sessions.push_back(session_json(record));
  return fmt::format("{}\n],\n\"shape_memory\": {}}}", text, dump_json(sessions, indent));
}

}  // namespace headroom
