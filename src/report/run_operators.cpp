// SPDX-License-Identifier: Apache-2.0
#include "report/run_operators.h"

#include <headroom/base/text.h>
#include <headroom/report/run.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>

#include <fmt/format.h>

#include "report/run_quantity.h"
#include "report/table.h"

namespace headroom::report {
namespace {

constexpr std::string_view kIndent = "  ";

std::string time_text(double ns) {
  return value_text({.value = ns}, time_scale);
}

// 1 as `1`, 0.5 as `0.50`.
std::string calls_text(double calls) {
  return calls == std::floor(calls) ? fmt::format("{:.0f}", calls) : fmt::format("{:.2f}", calls);
}

void write_ratio(std::ostream& out, const Profile& profile, const TextStyle& style) {
  const auto line = [&](const std::string& text) {
    out << kIndent;
    write_wrapped(out, style, text, kIndent.size());
  };
  if (!profile.instrumented_median_ns) return;
  if (!profile.instrumented_ratio) {
    line(fmt::format("instrumented run {}; there is no plain run to compare it with",
                     time_text(*profile.instrumented_median_ns)));
    return;
  }
  const double ratio = *profile.instrumented_ratio;
  line(fmt::format("instrumented run {}, {:.2f} times the plain one; {} runs",
                   time_text(*profile.instrumented_median_ns), ratio, profile.runs));
  if (ratio > kWorthlessRatio) {
    line("times and shares are not shown: measuring the operators costs more than running them");
  } else if (ratio > kDistortedRatio) {
    line("the instrumentation distorts these times and shares: small operators look too large");
  }
}

void write_counts(std::ostream& out, const std::vector<OperatorTime>& operators,
                  const TextStyle& style) {
  Table table({{.title = "operator", .align = Align::Left, .least = 12},
               {.title = "nodes"},
               {.title = "calls a run"}});
  for (const OperatorTime& row : operators)
    table.add_row({printable(row.op), format_exact(row.nodes), calls_text(row.calls)});
  table.write(out, style, kIndent);
}

void write_times(std::ostream& out, const std::vector<OperatorTime>& operators,
                 const Profile& profile, const TextStyle& style) {
  Table table({{.title = "operator", .align = Align::Left, .least = 12},
               {.title = "nodes"},
               {.title = "calls a run", .is_optional = true},
               {.title = "time"},
               {.title = "share"}});
  double sum = 0;
  for (const OperatorTime& row : operators) {
    sum += row.time_ns;
    table.add_row({printable(row.op), format_exact(row.nodes), calls_text(row.calls),
                   time_text(row.time_ns), fmt::format("{:.1f} %", 100 * row.share)});
  }
  table.add_rule();
  table.add_row({"all operators", "", "", time_text(sum), "100.0 %"});
  if (profile
          .instrumented_median_ns) {  // signed: operators side by side add up to more than the run
    table.add_row(
        {"outside operators", "", "", time_text(*profile.instrumented_median_ns - sum), ""});
  }
  table.write(out, style, kIndent);
}

}  // namespace

std::vector<OperatorTime> times_by_operator(const Profile& profile) {
  std::map<std::string, OperatorTime> grouped;
  const double runs = profile.runs > 0 ? static_cast<double>(profile.runs) : 1;
  double all = 0;
  for (const NodeTime& node : profile.nodes) {
    OperatorTime& row = grouped[node.op];
    row.op = node.op;
    ++row.nodes;
    const double calls = static_cast<double>(node.runs) / runs;
    row.calls += calls;
    row.time_ns += node.mean_ns * calls;
    all += node.mean_ns * calls;
  }
  std::vector<OperatorTime> rows;
  for (auto& [op, row] : grouped) {
    row.share = all > 0 ? row.time_ns / all : 0;
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const OperatorTime& a, const OperatorTime& b) {
    return a.time_ns > b.time_ns;
  });
  return rows;
}

void write_operators(std::ostream& out, const Profile& profile, const TextStyle& style) {
  if (profile.nodes.empty() && profile.outcome.status == Status::Ok) return;
  out << '\n';
  write_heading(out, style, "times by operator, from an instrumented run of its own");
  if (profile.nodes.empty()) {
    out << kIndent;
    write_wrapped(out, style,
                  fmt::format("none ({}): {}", to_string(profile.outcome.status),
                              printable(profile.outcome.reason)),
                  kIndent.size());
    return;
  }
  write_ratio(out, profile, style);
  const auto operators = times_by_operator(profile);
  if (profile.instrumented_ratio.value_or(1) > kWorthlessRatio) {
    write_counts(out, operators, style);
  } else {
    write_times(out, operators, profile, style);
  }
}

}  // namespace headroom::report
