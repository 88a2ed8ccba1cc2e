// SPDX-License-Identifier: Apache-2.0
// The text of `headroom conformance`.
#include <headroom/base/text.h>
#include <headroom/report/conformance.h>

#include <map>
#include <ostream>

#include <fmt/format.h>

#include "report/table.h"

namespace headroom {
namespace {

using report::Align;
using report::Table;

std::string share_of(std::size_t part, std::size_t whole) {
  return whole == 0 ? ""
                    : fmt::format("{:.1f} %",
                                  100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

void write_totals(std::ostream& out, const ConformanceReport& report, const TextStyle& style) {
  const CaseTotals totals = totals_of(report.cases);
  report::write_heading(out, style,
                        fmt::format("{} {} on the cases of {}", report.engine,
                                    report.engine_version, printable(report.folder)));
  Table table({{.title = "", .align = Align::Left}, {.title = ""}, {.title = ""}});
  const auto add = [&](CaseStatus status, std::size_t count) {
    table.add_row(
        {std::string(to_string(status)), format_exact(count), share_of(count, totals.cases)});
  };
  add(CaseStatus::Passed, totals.passed);
  add(CaseStatus::Failed, totals.failed);
  add(CaseStatus::Unsupported, totals.unsupported);
  add(CaseStatus::Crashed, totals.crashed);
  add(CaseStatus::Timeout, totals.timeout);
  table.add_rule();
  table.add_row({"cases", format_exact(totals.cases), ""});
  table.write(out, style, "  ");
  if (report.cases.size() < report.planned) {
    out << fmt::format("  partial: interrupted after {} of {} cases\n",
                       format_exact(report.cases.size()), format_exact(report.planned));
  }
}

// Zeros only make a table harder to read.
std::string count_text(std::size_t count) {
  return count == 0 ? "" : format_exact(count);
}

void write_operators(std::ostream& out, const ConformanceReport& report, const TextStyle& style) {
  std::map<std::string, std::vector<CaseResult>> by_op;
  for (const CaseResult& result : report.cases)
    by_op[result.op].push_back({.status = result.status});
  Table table({{.title = "operator", .align = Align::Left, .least = 16},
               {.title = "cases"},
               {.title = "passed"},
               {.title = "failed"},
               {.title = "unsupported"},
               {.title = "crashed", .is_optional = true},
               {.title = "timeout", .is_optional = true}});
  for (const auto& [op, results] : by_op) {
    const CaseTotals totals = totals_of(results);
    table.add_row({printable(op), count_text(totals.cases), count_text(totals.passed),
                   count_text(totals.failed), count_text(totals.unsupported),
                   count_text(totals.crashed), count_text(totals.timeout)});
  }
  out << '\n';
  report::write_heading(out, style, "by operator");
  table.write(out, style, "  ");
}

bool is_failure(const CaseResult& result) {
  return result.status != CaseStatus::Passed && result.status != CaseStatus::Unsupported;
}

void write_failures(std::ostream& out, const ConformanceReport& report, const TextStyle& style) {
  bool has_heading = false;
  for (const CaseResult& result : report.cases) {
    if (!is_failure(result)) continue;
    if (!has_heading) {
      out << '\n';
      report::write_heading(out, style, "what does not hold");
      has_heading = true;
    }
    out << fmt::format("  {} {} ({}): {}\n", to_string(result.status), printable(result.name),
                       printable(result.op), printable(result.reason));
  }
  if (totals_of(report.cases).unsupported > 0)
    out << "\nWhat the engine says of the unsupported cases is in the JSON (--json FILE|-).\n";
}

}  // namespace

void write_conformance_text(std::ostream& out, const ConformanceReport& report,
                            const TextStyle& style) {
  write_totals(out, report, style);
  if (report.cases.empty()) return;
  write_operators(out, report, style);
  write_failures(out, report, style);
}

}  // namespace headroom
