// SPDX-License-Identifier: Apache-2.0
// The text and JSON of `headroom extract`.
#include <headroom/base/text.h>
#include <headroom/report/extract.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "report/ports.h"
#include "report/table.h"

namespace headroom {
namespace {

using report::Align;
using report::Table;

constexpr int kSchema = 1;
constexpr std::size_t kMostNamed = 8;

std::string node_name(const Graph& graph, const Node& node) {
  if (!node.name.empty()) return node.name;
  for (const ValueId id : node.outputs) {
    if (id != kNoValue) return fmt::format("{} of {}", node.op, graph.values[id].name);
  }
  return node.op;
}

/// Strings have no fixed size: what they take in the file.
std::uint64_t bytes_of(const StoredTensor& tensor) {
  const auto size = packed_size(tensor.type, element_count(tensor.dims));
  return size ? size->value : tensor.message.size();
}

std::vector<StoredTensor> stored_tensors(const Graph& graph) {
  std::vector<StoredTensor> tensors = graph.initializers;
  for (const StoredSparseTensor& sparse : graph.sparse_initializers)
    tensors.push_back(sparse.values);
  return tensors;
}

std::string nodes_text(const ExtractReport& report) {
  const Graph& graph = report.model.graph;
  std::vector<std::string> names;
  for (const Node& node : graph.nodes) {
    if (names.size() == kMostNamed) {
      names.emplace_back("…");
      break;
    }
    const std::string name = printable(node_name(graph, node));
    names.push_back(node.name.empty() ? name : fmt::format("{} ({})", name, printable(node.op)));
  }
  return fmt::format("{} of {}: {}", format_exact(graph.nodes.size()),
                     format_exact(report.source_nodes), join(names, ", "));
}

std::string initializers_text(const Graph& graph) {
  const std::vector<StoredTensor> tensors = stored_tensors(graph);
  std::uint64_t bytes = 0;
  for (const StoredTensor& tensor : tensors) bytes += bytes_of(tensor);
  return fmt::format("{}, {}", format_exact(tensors.size()), format_bytes(Bytes{bytes}));
}

Json initializers_json(const Graph& graph) {
  Json initializers = Json::array();
  for (const StoredTensor& tensor : stored_tensors(graph)) {
    initializers.push_back({{"name", valid_utf8(tensor.name)},
                            {"type", to_string(tensor.type)},
                            {"shape", tensor.dims},
                            {"bytes", bytes_of(tensor)}});
  }
  return initializers;
}

Json nodes_json(const Graph& graph) {
  Json nodes = Json::array();
  for (const Node& node : graph.nodes) {
    nodes.push_back({{"name", valid_utf8(node_name(graph, node))},
                     {"op", valid_utf8(node.op)},
                     {"domain", valid_utf8(node.domain)}});
  }
  return nodes;
}

Json data_json(const WrittenPart& written) {
  if (!written.data) return report::absent("no external data had to be copied");
  return {{"path", valid_utf8(written.data->path.string())}, {"bytes", written.data->bytes}};
}

}  // namespace

void write_extract_text(std::ostream& out, const ExtractReport& report, const TextStyle& style) {
  const Graph& graph = report.model.graph;
  report::write_heading(out, style, printable(report.model.path.string()));
  Table facts({{.align = Align::Left}, {.align = Align::Left, .least = 12}});
  facts.add_row({"nodes", nodes_text(report)});
  facts.add_row({"initializers", initializers_text(graph)});
  if (!report.model.functions.empty())
    facts.add_row({"functions", format_exact(report.model.functions.size())});
  facts.add_row({"file", format_bytes(Bytes{report.written.bytes})});
  if (report.written.data) {
    facts.add_row(
        {"data", fmt::format("{} in '{}'", format_bytes(Bytes{report.written.data->bytes}),
                             printable(report.written.data->path.string()))});
  }
  facts.write(out, style, "  ");
  report::write_ports(out, style, graph);
  for (const std::string& name : report.written.incomplete) {
    report::write_wrapped(
        out, style,
        fmt::format("  the file does not tell the type or the rank of '{}'; ONNX's checker wants "
                    "both, engines mostly do not",
                    printable(name)),
        2);
  }
}

std::string extract_json(const ExtractReport& report) {
  const Graph& graph = report.model.graph;
  Json incomplete = Json::array();
  for (const std::string& name : report.written.incomplete) incomplete.push_back(valid_utf8(name));
  Json functions = Json::array();
  for (const Function& function : report.model.functions)
    functions.push_back(valid_utf8(function.name));
  const Json json = {{"schema", kSchema},
                     {"source", valid_utf8(report.source.string())},
                     {"output", valid_utf8(report.model.path.string())},
                     {"nodes", nodes_json(graph)},
                     {"inputs", report::ports_json(graph, graph.required_inputs())},
                     {"outputs", report::ports_json(graph, graph.outputs)},
                     {"incomplete", std::move(incomplete)},
                     {"initializers", initializers_json(graph)},
                     {"functions", std::move(functions)},
                     {"bytes", report.written.bytes},
                     {"data", data_json(report.written)}};
  return dump_json(json, 2);
}

}  // namespace headroom
