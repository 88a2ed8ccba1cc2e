// SPDX-License-Identifier: Apache-2.0
// Traces open sizes to the inputs of the model.
#include "report/open_dimensions.h"

#include <headroom/base/text.h>

#include <map>
#include <utility>

#include <fmt/format.h>

namespace headroom::report {
namespace {

using Symbols = std::set<std::string, std::less<>>;

// Open dimensions of inputs, which `--dim` takes.
Symbols input_symbols(const Graph& graph) {
  Symbols symbols;
  for (const ValueId id : graph.required_inputs()) {
    const ValueType& type = graph.values[id].type;
    if (!type.shape) continue;
    for (const Dim& dim : *type.shape)
      if (!dim.size && !dim.symbol.empty()) symbols.insert(dim.symbol);
  }
  return symbols;
}

std::string root_text(const NodeWork& node) {
  return std::string(root_of(Dim{.symbol = node.open_dimension}));
}

std::string dim_option(const Symbols& symbols, const std::string& root) {
  if (!symbols.contains(root)) return {};
  return fmt::format("--dim {}=1", shell_quote(printable(root)));
}

}  // namespace

std::string op_key(const NodeWork& node) {
  return node.domain.empty() || node.domain == "ai.onnx" ? node.op : node.domain + "." + node.op;
}

std::vector<OpenOperator> open_operators(const Model& model, const Work& work) {
  std::vector<OpenOperator> operators;
  std::map<std::string, std::size_t> places;
  for (const auto& [op, nodes] : work.unknown_shape) {
    places[op] = operators.size();
    operators.push_back({.op = op, .nodes = nodes});
  }
  if (operators.empty()) return operators;
  const Symbols symbols = input_symbols(model.graph);
  for (const NodeWork& node : work.nodes) {
    if (node.status != CountStatus::UnknownShape) continue;
    OpenOperator& open = operators[places.at(op_key(node))];
    if (open.reason.empty()) {
      open.reason = node.reason;
      open.node = node.name;
    }
    if (node.open_dimension.empty()) continue;
    const std::string root = root_text(node);
    if (const std::string option = dim_option(symbols, root); !option.empty())
      open.options.insert(option);
    open.dimensions.insert(root);
  }
  return operators;
}

std::vector<OpenCause> open_causes(const Work& work) {
  std::map<std::pair<bool, std::string>, OpenCause> causes;
  for (const NodeWork& node : work.nodes) {
    if (node.status != CountStatus::UnknownShape) continue;
    const bool is_dimension = !node.open_dimension.empty();
    const std::string what = is_dimension ? root_text(node) : node.reason;
    OpenCause& cause = causes[{!is_dimension, what}];
    cause.what = what;
    cause.is_dimension = is_dimension;
    ++cause.operators[op_key(node)];
  }
  std::vector<OpenCause> sorted;
  sorted.reserve(causes.size());
  for (auto& [key, cause] : causes) sorted.push_back(std::move(cause));
  return sorted;
}

std::vector<std::string> input_options(const Model& model) {
  std::vector<std::string> options;
  const Symbols symbols = input_symbols(model.graph);
  for (const std::string& symbol : symbols) options.push_back(dim_option(symbols, symbol));
  for (const ValueId id : model.graph.required_inputs()) {
    const Value& value = model.graph.values[id];
    if (value.type.kind == TypeKind::Tensor && !value.type.shape)
      options.push_back(fmt::format("--shape {}=SIZES", shell_quote(printable(value.name))));
  }
  return options;
}

}  // namespace headroom::report
