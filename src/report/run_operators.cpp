// SPDX-License-Identifier: Apache-2.0
#include "report/run_operators.h"

#include <headroom/base/text.h>
#include <headroom/report/run.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>
#include <set>
#include <string_view>

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

/// Executed nodes by what they are to the file's.
struct Roles {
  std::size_t kept = 0;
  std::size_t fused = 0;
  std::size_t fused_originals = 0;  ///< Each node of the file once.
  std::size_t in_parts = 0;         ///< Nodes of the file that several executed ones stand for.
  std::size_t untimed = 0;
  std::map<std::string, std::size_t> inserted{};
  std::map<std::string, std::size_t> untraced{};
};

Roles count_roles(const Profile& profile) {
  Roles roles;
  std::set<std::string_view> originals;
  std::map<std::string_view, std::size_t> uses;
  for (const NodeTime& node : profile.nodes) {
    for (const std::string& original : node.originals)
      if (++uses[original] == 2) ++roles.in_parts;
    if (node.runs == 0) ++roles.untimed;
    if (node.role == "kept") ++roles.kept;
    if (node.role == "inserted") ++roles.inserted[node.op];
    if (node.role == "untraced") ++roles.untraced[node.op];
    if (node.role != "fused") continue;
    ++roles.fused;
    originals.insert(node.originals.begin(), node.originals.end());
  }
  roles.fused_originals = originals.size();
  return roles;
}

std::string nodes_text(std::uint64_t count) {
  return fmt::format("{} node{}", format_exact(count), count == 1 ? "" : "s");
}

// `ReorderInput 14, Cast 2`, by name.
std::string counts_text(const std::map<std::string, std::size_t>& counts) {
  std::vector<std::string> parts;
  for (const auto& [op, count] : counts)
    parts.push_back(fmt::format("{} {}", printable(op), format_exact(count)));
  return join(parts, ", ");
}

std::string originals_text(const NodeTime& node) {
  if (node.role == "inserted") return "(inserted)";
  if (node.originals.empty()) return "(not traced back)";
  std::vector<std::string> names;
  for (const std::string& name : node.originals) names.push_back(printable(name));
  return join(names, ", ");
}

}  // namespace

std::vector<OperatorTime> times_by_operator(const Profile& profile) {
  std::map<std::string, OperatorTime> grouped;
  const double runs = profile.runs > 0 ? static_cast<double>(profile.runs) : 1;
  double all = 0;
  for (const NodeTime& node : profile.nodes) {
    if (node.runs == 0) continue;
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
  if (operators.empty()) {
    out << kIndent;
    write_wrapped(out, style,
                  "the engine tells no time of any node: all are shorter than it can tell",
                  kIndent.size());
    return;
  }
  if (profile.instrumented_ratio.value_or(1) > kWorthlessRatio) {
    write_counts(out, operators, style);
  } else {
    write_times(out, operators, profile, style);
  }
}

void write_graph(std::ostream& out, const Profile& profile, const TextStyle& style) {
  if (profile.file_nodes == 0 && profile.untraced.empty()) return;
  out << '\n';
  write_heading(out, style, "what the engine made of the file's nodes");
  const auto line = [&](const std::string& text) {
    out << kIndent;
    write_wrapped(out, style, text, kIndent.size());
  };
  if (profile.file_nodes == 0) {
    line(fmt::format("not traced: {}", printable(profile.untraced)));
    return;
  }
  const Roles roles = count_roles(profile);
  line(fmt::format(
      "{} in the file, {} executed: {} for one of the file's, {} for several, {} in all",
      nodes_text(profile.file_nodes), format_exact(profile.nodes.size()), format_exact(roles.kept),
      format_exact(roles.fused), format_exact(roles.fused_originals)));
  if (roles.in_parts > 0)
    line(fmt::format("executed in parts: {} of the file", nodes_text(roles.in_parts)));
  line(fmt::format("not executed: {} computed at load, {} without work left",
                   format_exact(profile.folded.size()), format_exact(profile.removed.size())));
  if (!roles.inserted.empty()) line("inserted: " + counts_text(roles.inserted));
  if (roles.untimed > 0) {
    line(
        fmt::format("without a time: {} of those executed; not reached, or shorter than the engine "
                    "can tell",
                    format_exact(roles.untimed)));
  }
  if (!roles.untraced.empty()) line("not traced back: " + counts_text(roles.untraced));
}

}  // namespace headroom::report

namespace headroom {

void write_executed_nodes(std::ostream& out, const Record& record, const TextStyle& style) {
  using namespace report;
  const Profile& profile = record.profile;
  out << '\n';
  write_heading(out, style, "executed nodes");
  if (profile.nodes.empty()) {
    out << kIndent << "none: there is no instrumented run\n";
    return;
  }
  Table table({{.title = "node", .align = Align::Left, .least = 16},
               {.title = "operator", .align = Align::Left, .least = 8},
               {.title = "time"},
               {.title = "share"},
               {.title = "of the file", .align = Align::Left, .least = 16},
               {.title = "type", .align = Align::Left, .is_optional = true},
               {.title = "layout", .align = Align::Left, .is_optional = true},
               {.title = "kernel", .align = Align::Left, .is_optional = true}});
  const double runs = profile.runs > 0 ? static_cast<double>(profile.runs) : 1;
  const bool is_timed = profile.instrumented_ratio.value_or(1) <= kWorthlessRatio;
  for (const NodeTime& node : profile.nodes) {
    const bool has_time = is_timed && node.runs > 0;
    const double time = node.mean_ns * static_cast<double>(node.runs) / runs;
    table.add_row({printable(node.name), printable(node.op), has_time ? time_text(time) : "-",
                   has_time ? fmt::format("{:.1f} %", 100 * node.share) : "-", originals_text(node),
                   printable(node.precision), printable(node.layout),
                   printable(node.implementation)});
  }
  table.write(out, style, kIndent);
}

}  // namespace headroom
