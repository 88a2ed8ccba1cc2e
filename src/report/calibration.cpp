// SPDX-License-Identifier: Apache-2.0
// The text and JSON of `headroom calibrate`.
#include <headroom/base/text.h>
#include <headroom/report/calibration.h>

#include <array>
#include <cmath>
#include <ostream>
#include <string>

#include <fmt/format.h>

#include "base/json.h"
#include "report/table.h"

namespace headroom {
namespace {

using report::Align;
using report::Table;

std::string rate_text(FlopRate rate) {
  return format_count(rate.per_second) + "FLOP/s";
}

std::string range_text(const Peak& peak) {
  return fmt::format("{} to {}", format_count(peak.low.per_second),
                     format_count(peak.high.per_second));
}

// The median over the one of the same peak before, as a signed percentage.
std::string change_text(const Peak& peak, const std::optional<KnownCeilings>& previous) {
  if (!previous) return {};
  for (const Peak& before : previous->ceilings.peaks) {
    if (before.isa == peak.isa && before.type == peak.type && before.threads == peak.threads &&
        before.rate.per_second > 0)
      return fmt::format("{:+.1f} %", 100 * (peak.rate / before.rate - 1));
  }
  return "-";
}

void write_peaks(std::ostream& out, const CalibrationReport& report, const TextStyle& style) {
  Table table({{.title = "instructions", .align = Align::Left},
               {.title = "type", .align = Align::Left},
               {.title = "threads"},
               {.title = "median"},
               {.title = "95 % interval"},
               {.title = "fastest", .is_optional = true},
               {.title = report.previous ? "change" : "", .is_optional = true}});
  for (const Peak& peak : report.ceilings.peaks) {
    table.add_row({peak.isa, peak.type, std::to_string(peak.threads), rate_text(peak.rate),
                   range_text(peak), format_count(peak.best.per_second),
                   change_text(peak, report.previous)});
  }
  table.write(out, style, "  ");
  for (const AbsentPeak& peak : report.ceilings.absent) {
    out << "  ";
    report::write_wrapped(out, style,
                          fmt::format("{} {} on {} thread{}: absent, {}", peak.isa, peak.type,
                                      peak.threads, peak.threads == 1 ? "" : "s", peak.reason),
                          4);
  }
}

Json previous_json(const KnownCeilings& known) {
  Json json = parse_json(to_json(known.ceilings), "calibration");
  if (known.age) json["age_s"] = known.age->count();
  return json;
}

}  // namespace

std::string format_age(Seconds age) {
  struct Unit {
    double seconds;
    const char* name;
  };
  constexpr std::array kUnits = {Unit{86'400, "day"}, Unit{3'600, "hour"}, Unit{60, "minute"}};
  if (age.count() < 0) return "in the future";
  for (const Unit& unit : kUnits) {
    const double count = std::floor(age.count() / unit.seconds);
    if (count >= 1) return fmt::format("{:.0f} {}{} ago", count, unit.name, count == 1 ? "" : "s");
  }
  return "just now";
}

void write_calibration_text(std::ostream& out, const CalibrationReport& report,
                            const TextStyle& style) {
  report::write_heading(out, style, "Peaks of this machine");
  write_peaks(out, report, style);
  out << '\n';
  if (report.previous) {
    out << fmt::format("Compared with the calibration of {}{}.\n", report.previous->ceilings.time,
                       report.previous->age ? ", " + format_age(*report.previous->age) : "");
  }
  if (report.kept_in.empty()) {
    out << "Not kept: " << report.not_kept << ".\n";
  } else {
    out << fmt::format("Kept for platform {} in {}.\n", report.ceilings.fingerprint,
                       printable(report.kept_in));
  }
}

std::string calibration_json(const CalibrationReport& report) {
  Json json = parse_json(to_json(report.ceilings), "calibration");
  json["previous"] = report.previous ? previous_json(*report.previous)
                                     : Json{{"absent", "no calibration of this platform was kept"}};
  json["kept_in"] =
      report.kept_in.empty() ? Json{{"absent", report.not_kept}} : Json(report.kept_in);
  return dump_json(json, 2);
}

}  // namespace headroom
