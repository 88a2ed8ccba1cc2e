// SPDX-License-Identifier: Apache-2.0
// Traces open sizes to the inputs of the model.
#include "report/open_dimensions.h"

#include <headroom/base/text.h>

#include <map>
#include <utility>

#include <fmt/format.h>

namespace headroom::report {
namespace {

// Open dimensions of inputs, which `--dim` takes.
std::set<std::string, std::less<>> input_symbols(const Graph& graph) {
  std::set<std::string, std::less<>> symbols;
  for (const ValueId id : graph.required_inputs()) {
    const ValueType& type = graph.values[id].type;
    if (!type.shape) continue;
    for (const Dim& dim : *type.shape)
      if (!dim.size && !dim.symbol.empty()) symbols.insert(dim.symbol);
  }
  return symbols;
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
  const auto symbols = input_symbols(model.graph);
  for (const NodeWork& node : work.nodes) {
    if (node.status != CountStatus::UnknownShape) continue;
    OpenOperator& open = operators[places.at(op_key(node))];
    if (open.reason.empty()) {
      open.reason = node.reason;
      open.node = node.name;
    }
    if (node.open_dimension.empty()) continue;
    const Dim dim{.symbol = node.open_dimension};
    const std::string root(root_of(dim));
    if (symbols.contains(root))
      open.options.insert(fmt::format("--dim {}=1", shell_quote(printable(root))));
    open.dimensions.insert(root);
  }
  return operators;
}

std::vector<std::string> rank_options(const Model& model) {
  std::vector<std::string> options;
  for (const ValueId id : model.graph.required_inputs()) {
    const Value& value = model.graph.values[id];
    if (value.type.kind == TypeKind::Tensor && !value.type.shape)
      options.push_back(fmt::format("--shape {}=SIZES", shell_quote(printable(value.name))));
  }
  return options;
}

}  // namespace headroom::report
