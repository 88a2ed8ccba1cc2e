// SPDX-License-Identifier: Apache-2.0
// The text and JSON of `headroom history`.
#include <headroom/base/text.h>
#include <headroom/report/history.h>

#include <algorithm>
#include <filesystem>
#include <ostream>

#include <fmt/format.h>

#include "base/json.h"
#include "report/table.h"

namespace headroom {
namespace {

using report::Align;
using report::Table;

constexpr std::string_view kElsewhere = "*";

std::string time_text(double nanoseconds) {
  return format_time(Nanoseconds{static_cast<std::int64_t>(nanoseconds)});
}

std::string interval_text(const Metric& median) {
  if (!median.low || !median.high) return "-";
  return fmt::format("{} to {}", time_text(*median.low), time_text(*median.high));
}

bool is_elsewhere(const RecordSummary& record, const HistoryReport& report) {
  return record.fingerprint != report.fingerprint;
}

std::vector<std::string> cells_of(const RecordSummary& record, const HistoryReport& report) {
  const std::filesystem::path path(record.model);
  const std::string_view mark = is_elsewhere(record, report) ? kElsewhere : "";
  return {fmt::format("{}{}", printable(record.id), mark),
          printable(path.filename().string()),
          printable(record.engine),
          std::to_string(record.threads),
          record.median.value ? time_text(*record.median.value) : "-",
          interval_text(record.median),
          std::string(to_string(record.outcome.status)),
          printable(record.time)};
}

void write_nothing(std::ostream& out, const HistoryReport& report) {
  if (report.sought.empty()) {
    out << fmt::format("No records: nothing is recorded yet in {}; `headroom run MODEL` records.\n",
                       printable(report.store));
  } else {
    out << fmt::format("No record of {} in {}; `headroom history` lists all.\n",
                       printable(report.sought), printable(report.store));
  }
}

Json metric_json(const Metric& metric) {
  if (!metric.value) return {{"absent", metric.absent}};
  Json json = {{"value", *metric.value}};
  if (metric.low) json["low"] = *metric.low;
  if (metric.high) json["high"] = *metric.high;
  json["n"] = metric.n;
  json["kind"] = to_string(metric.kind);
  return json;
}

Json record_json(const RecordSummary& record, const HistoryReport& report) {
  return {{"id", record.id},
          {"time", record.time},
          {"model", record.model},
          {"sha256", record.sha256},
          {"engine", record.engine},
          {"engine_version", record.engine_version},
          {"threads", record.threads},
          {"hostname", record.hostname},
          {"fingerprint", record.fingerprint},
          {"is_this_platform", !is_elsewhere(record, report)},
          {"outcome",
           {{"status", to_string(record.outcome.status)}, {"reason", record.outcome.reason}}},
          {"latency_median_ns", metric_json(record.median)}};
}

}  // namespace

void write_history_text(std::ostream& out, const HistoryReport& report, const TextStyle& style) {
  if (report.records.empty()) return write_nothing(out, report);
  // The id holds the time too, so on a narrow terminal that column is the first to go.
  Table table({{.title = "id", .align = Align::Left},
               {.title = "model", .align = Align::Left, .least = 12},
               {.title = "engine", .align = Align::Left, .is_optional = true},
               {.title = "threads", .is_optional = true},
               {.title = "median"},
               {.title = "95 % interval", .is_optional = true},
               {.title = "status", .align = Align::Left},
               {.title = "time", .align = Align::Left, .is_optional = true}});
  for (const RecordSummary& record : report.records) table.add_row(cells_of(record, report));
  table.write(out, style);
  const bool has_others =
      std::any_of(report.records.begin(), report.records.end(),
                  [&](const RecordSummary& record) { return is_elsewhere(record, report); });
  if (has_others) {
    report::write_wrapped(
        out, style,
        fmt::format("{} measured on another platform: not comparable with this machine.",
                    kElsewhere),
        2);
  }
}

std::string history_json(const HistoryReport& report) {
  Json records = Json::array();
  for (const RecordSummary& record : report.records) records.push_back(record_json(record, report));
  return dump_json({{"store", report.store},
                    {"fingerprint", report.fingerprint},
                    {"records", std::move(records)}},
                   2);
}

}  // namespace headroom
