// SPDX-License-Identifier: Apache-2.0
// The text of `headroom inspect`.
#include <headroom/base/text.h>
#include <headroom/report/inspect.h>

#include <algorithm>
#include <numeric>
#include <ostream>
#include <vector>

#include <fmt/format.h>

#include "report/inspect_observed.h"
#include "report/open_dimensions.h"
#include "report/ports.h"
#include "report/table.h"

namespace headroom {
namespace {

using report::Align;
using report::Column;
using report::Table;

constexpr std::size_t kHeaviestNodes = 10;
constexpr std::size_t kMostCauses = 12;
constexpr std::string_view kIndent = "  ";
constexpr std::string_view kNone = "-";

std::uint64_t sum_of(const ArithmeticCounts& counts) {
  // For order and display only; each count is checked, their sum may saturate.
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts)
    if (__builtin_add_overflow(sum, count, &sum)) return UINT64_MAX;
  return sum;
}

std::string short_count(std::uint64_t value) {
  return format_count(static_cast<double>(value));
}

std::string share_text(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::string(kNone);
  return fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string opset_text(const Model& model) {
  std::vector<std::string> texts;
  for (const OpsetImport& opset : model.opsets) {
    texts.push_back(opset.domain.empty() || opset.domain == "ai.onnx"
                        ? fmt::format("{}", opset.version)
                        : fmt::format("{} {}", printable(opset.domain), opset.version));
  }
  return join(texts, ", ");
}

std::string nodes_text(const Work& work) {
  std::uint64_t constant = 0;
  for (const auto& [op, sums] : work.by_op) constant += sums.constant_nodes;
  std::string text = format_exact(work.nodes.size());
  if (constant > 0) text += fmt::format(", {} of them constant", format_exact(constant));
  return text;
}

void write_model(std::ostream& out, const Model& model, const Work& work, const TextStyle& style) {
  report::write_heading(out, style, printable(model.path.filename().string()));
  Table facts({{.align = Align::Left}, {.align = Align::Left, .least = 12}});
  facts.add_row({"graph", model.graph.name.empty() ? "-" : printable(model.graph.name)});
  facts.add_row({"format", fmt::format("IR {}, opset {}", model.ir_version, opset_text(model))});
  if (!model.producer.empty()) facts.add_row({"producer", printable(model.producer)});
  facts.add_row({"file", format_bytes({model.file.bytes().size()})});
  facts.add_row({"nodes", nodes_text(work)});
  facts.write(out, style, kIndent);
  report::write_ports(out, style, model.graph);
}

struct OpRow {
  std::string name;
  const OpWork* work;
};

// Most MACs first, then most other arithmetic, then most bytes.
template <class Counts>
std::array<std::uint64_t, 3> weight(const Counts& counts) {
  return {counts.macs.value, sum_of(counts.other), counts.read.value + counts.written.value};
}

std::vector<OpRow> sorted_ops(const Work& work) {
  std::vector<OpRow> rows;
  for (const auto& [name, op] : work.by_op) rows.push_back({name, &op});
  std::stable_sort(rows.begin(), rows.end(), [](const OpRow& a, const OpRow& b) {
    return weight(*a.work) > weight(*b.work);
  });
  return rows;
}

// A sum that leaves nodes out is a lower limit; one of nothing says nothing.
std::string sum_text(std::uint64_t value, const std::string& text, bool is_complete) {
  if (is_complete) return text;
  return value == 0 ? "unknown" : ">= " + text;
}

std::string cell_text(std::uint64_t value, const std::string& text, bool is_complete) {
  return value == 0 && is_complete ? std::string(kNone) : sum_text(value, text, is_complete);
}

std::vector<std::string> op_cells(const std::string& name, const OpWork& op,
                                  std::uint64_t all_macs) {
  const bool is_complete = op.unknown_nodes() == 0;
  const auto count = [&](std::uint64_t value) {
    return cell_text(value, short_count(value), is_complete);
  };
  const auto bytes = [&](Bytes value) {
    return cell_text(value.value, format_bytes(value), is_complete);
  };
  return {printable(name),
          format_exact(op.nodes),
          count(op.macs.value),
          op.macs.value == 0 ? std::string(kNone) : share_text(op.macs.value, all_macs),
          count(sum_of(op.other)),
          op.parameters == 0 ? std::string(kNone) : short_count(op.parameters),
          bytes(op.read),
          bytes(op.written)};
}

void write_operators(std::ostream& out, const Work& work, const TextStyle& style) {
  Table table({{.title = "operator", .align = Align::Left, .least = 14},
               {.title = "nodes"},
               {.title = "MACs"},
               {.title = "share"},
               {.title = "other ops", .is_optional = true},
               {.title = "parameters", .is_optional = true},
               {.title = "read", .is_optional = true},
               {.title = "written", .is_optional = true}});
  std::uint64_t unknown = 0;
  OpWork total{.macs = work.macs,
               .other = work.other,
               .read = work.read,
               .written = work.written,
               .parameters = work.parameters};
  for (const OpRow& row : sorted_ops(work)) {
    table.add_row(op_cells(row.name, *row.work, work.macs.value));
    unknown += row.work->unknown_nodes();
  }
  if (table.empty()) return;
  total.nodes = work.nodes.size();
  total.uncounted_nodes = unknown;
  table.add_rule();
  table.add_row(op_cells("total", total, work.macs.value));
  out << '\n';
  table.write(out, style);
}

std::vector<const NodeWork*> heaviest(const Work& work, std::size_t count) {
  std::vector<const NodeWork*> nodes;
  for (const NodeWork& node : work.nodes) nodes.push_back(&node);
  const auto is_heavier = [](const NodeWork* a, const NodeWork* b) {
    const auto left = weight(*a);
    const auto right = weight(*b);
    return left != right ? left > right : a < b;
  };
  count = std::min(count, nodes.size());
  std::partial_sort(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(count), nodes.end(),
                    is_heavier);
  nodes.resize(count);
  std::erase_if(nodes, [](const NodeWork* node) { return weight(*node) == weight(NodeWork{}); });
  return nodes;
}

std::vector<std::string> node_cells(const NodeWork& node, std::uint64_t all_macs) {
  const bool is_unknown =
      node.status == CountStatus::Uncounted || node.status == CountStatus::UnknownShape;
  const auto count = [&](std::uint64_t value) {
    return cell_text(value, short_count(value), !is_unknown);
  };
  std::string state;
  if (node.status != CountStatus::Counted) state = to_string(node.status);
  if (node.runs != 1) state = fmt::format("runs {} times", format_exact(node.runs));
  if (node.is_observed) state += state.empty() ? "observed" : ", observed";
  return {printable(node.name),
          printable(report::op_key(node)),
          count(node.macs.value),
          node.macs.value == 0 ? std::string(kNone) : share_text(node.macs.value, all_macs),
          count(sum_of(node.other)),
          node.parameters == 0 ? std::string(kNone) : short_count(node.parameters),
          node.outputs.empty() ? std::string{} : printable(node.outputs.front()),
          state};
}

void write_nodes(std::ostream& out, const Work& work, const InspectTextOptions& options) {
  std::vector<const NodeWork*> nodes;
  if (options.shows_all_nodes) {
    for (const NodeWork& node : work.nodes) nodes.push_back(&node);
  } else {
    nodes = heaviest(work, kHeaviestNodes);
  }
  if (nodes.empty()) return;
  Table table({{.title = "node", .align = Align::Left, .least = 16},
               {.title = "operator", .align = Align::Left, .least = 10},
               {.title = "MACs"},
               {.title = "share"},
               {.title = "other ops", .is_optional = true},
               {.title = "parameters", .is_optional = true},
               {.title = "output", .align = Align::Left, .is_optional = true},
               {.title = "", .align = Align::Left}});
  for (const NodeWork* node : nodes) table.add_row(node_cells(*node, work.macs.value));
  out << '\n';
  if (options.shows_all_nodes) {
    report::write_heading(out, options.style, "all nodes");
  } else {
    report::write_heading(out, options.style,
                          fmt::format("heaviest {} of {} nodes (--nodes shows all)", nodes.size(),
                                      format_exact(work.nodes.size())));
  }
  table.write(out, options.style, kIndent);
}

std::string other_text(const ArithmeticCounts& counts) {
  constexpr std::array<std::string_view, kArithmeticKinds> kWords = {
      "additions",    "multiplications", "divisions",      "comparisons",
      "exponentials", "square roots",    "bit operations", "conversions"};
  std::vector<std::string> parts;
  for (std::size_t kind = 0; kind < kArithmeticKinds; ++kind) {
    if (counts[kind] > 0)
      parts.push_back(fmt::format("{} {}", short_count(counts[kind]), kWords[kind]));
  }
  return join(parts, ", ");
}

std::string peak_text(const Work& work) {
  if (!work.activation_peak) return "unknown: " + printable(work.activation_peak_reason);
  std::string text = format_bytes(*work.activation_peak);
  if (!work.activation_peak_node.empty())
    text += fmt::format(" at node '{}'", printable(work.activation_peak_node));
  return text;
}

// ` (uint8 1,000, float32 234)`; nothing where all are float32.
std::string mac_types_text(const Work& work) {
  std::vector<std::string> parts;
  for (const auto& [type, macs] : work.macs_by_type)
    parts.push_back(fmt::format("{} {}", to_string(type), format_exact(macs.value)));
  const bool is_plain =
      parts.empty() || (parts.size() == 1 && work.macs_by_type.contains(ElementType::Float32));
  return is_plain ? std::string{} : " (" + join(parts, ", ") + ")";
}

void write_totals(std::ostream& out, const Work& work, const TextStyle& style) {
  out << '\n';
  report::write_heading(
      out, style, work.is_complete() ? "totals of one run" : "totals of one run, lower limits");
  constexpr std::size_t kLabelWidth = 16;
  const auto line = [&](std::string_view label, const std::string& text) {
    out << kIndent << label << std::string(kLabelWidth - label.size(), ' ');
    report::write_wrapped(out, style, text, kIndent.size() + kLabelWidth);
  };
  const bool is_complete = work.is_complete();
  const auto count = [&](std::uint64_t value, const std::string& text) {
    return sum_text(value, text, is_complete);
  };
  line("MACs", count(work.macs.value, format_exact(work.macs.value)) + mac_types_text(work));
  line("FLOPs", count(work.macs.value, format_exact(flops(work.macs).value)) +
                    " (one multiply-add is one MAC and two FLOPs)");
  const std::string other = other_text(work.other);
  line("other ops", count(sum_of(work.other), other.empty() ? "none" : other));
  line("parameters",
       fmt::format("{}, {}", format_exact(work.parameters), format_bytes(work.parameter_bytes)));
  line("read, written",
       count(work.read.value + work.written.value,
             fmt::format("{}, {}", format_bytes(work.read), format_bytes(work.written))));
  line("activation peak", peak_text(work));
}

// `Conv (52), Clip (35)`: the most nodes first.
std::string operators_text(const std::map<std::string, std::uint64_t>& operators) {
  std::vector<std::pair<std::string, std::uint64_t>> sorted(operators.begin(), operators.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> parts;
  parts.reserve(sorted.size());
  for (const auto& [op, nodes] : sorted)
    parts.push_back(fmt::format("{} ({})", printable(op), format_exact(nodes)));
  return join(parts, ", ");
}

// A line for each reason, those of unknown operators first: `StringSplit (2), StringConcat (1):
// strings have no arithmetic that is counted`.
std::vector<std::string> uncounted_lines(const Work& work) {
  std::map<std::string, std::map<std::string, std::uint64_t>> by_reason;
  for (const auto& [op, uncounted] : work.uncounted)
    by_reason[uncounted.reason][op] = uncounted.nodes;
  std::vector<std::string> lines;
  for (const auto& [reason, operators] : by_reason)
    lines.push_back(operators_text(operators) + (reason.empty() ? "" : ": " + reason));
  return lines;
}

void write_unknown(std::ostream& out, const Model& model, const Work& work,
                   const TextStyle& style) {
  if (work.is_complete()) return;
  const auto line = [&](const std::string& text) {
    out << kIndent;
    report::write_wrapped(out, style, text, 2 * kIndent.size());
  };
  out << '\n';
  report::write_heading(out, style, "not counted, nodes by operator");
  for (const std::string& text : uncounted_lines(work)) line("no formula: " + text);
  const std::vector<report::OpenCause> causes = report::open_causes(work);
  for (std::size_t i = 0; i < causes.size(); ++i) {
    const report::OpenCause& cause = causes[i];
    if (i < kMostCauses) {
      line(fmt::format("{}{}: {}", printable(cause.what), cause.is_dimension ? " is open" : "",
                       operators_text(cause.operators)));
    }
  }
  if (causes.size() > kMostCauses)
    line(fmt::format("and {} more; --json lists all", causes.size() - kMostCauses));
  const std::vector<std::string> options = report::input_options(model);
  if (!causes.empty() && !options.empty())
    line("to fix what is open, add for example: " + join(options, " "));
}

void write_diagnostics(std::ostream& out, const Model& model, const TextStyle& style) {
  if (model.diagnostics.empty()) return;
  out << '\n';
  report::write_heading(out, style, "diagnostics");
  for (const Diagnostic& diagnostic : model.diagnostics) {
    const std::string place =
        diagnostic.place.empty() ? std::string{} : printable(diagnostic.place) + ": ";
    out << kIndent;
    report::write_wrapped(out, style,
                          fmt::format("{}: {}{} [{}]", to_string(diagnostic.severity), place,
                                      printable(diagnostic.message), printable(diagnostic.code)),
                          2 * kIndent.size());
  }
}

}  // namespace

void write_inspect_text(std::ostream& out, const Model& model, const Work& work,
                        const InspectTextOptions& options) {
  write_model(out, model, work, options.style);
  write_operators(out, work, options.style);
  write_nodes(out, work, options);
  write_totals(out, work, options.style);
  write_unknown(out, model, work, options.style);
  if (!options.weights.empty()) report::write_weights(out, options.weights, options.style, kIndent);
  if (options.observed != nullptr)
    report::write_observed(out, *options.observed, options.style, kIndent);
  write_diagnostics(out, model, options.style);
}

}  // namespace headroom
