// SPDX-License-Identifier: Apache-2.0
#include "report/ports.h"

#include <headroom/base/text.h>

#include <utility>

#include <fmt/format.h>

#include "report/table.h"

namespace headroom::report {
namespace {

std::string type_text(const ValueType& type) {
  switch (type.kind) {
    case TypeKind::Tensor:
      return std::string(to_string(type.element));
    case TypeKind::SparseTensor:
      return fmt::format("sparse {}", to_string(type.element));
    case TypeKind::Sequence:
      return "sequence";
    case TypeKind::Optional:
      return "optional";
    case TypeKind::Map:
      return "map";
    case TypeKind::Unknown:
      break;
  }
  return "?";
}

Json shape_json(const ValueType& type) {
  if (!type.shape) return absent("the rank is not known");
  Json dims = Json::array();
  for (const Dim& dim : *type.shape) {
    if (dim.size) {
      dims.push_back(*dim.size);
    } else {
      dims.push_back(valid_utf8(dim.symbol));
    }
  }
  return dims;
}

}  // namespace

Json absent(const std::string& reason) {
  return {{"absent", valid_utf8(reason)}};
}

std::string_view kind_name(TypeKind kind) {
  switch (kind) {
    case TypeKind::Tensor:
      return "tensor";
    case TypeKind::SparseTensor:
      return "sparse_tensor";
    case TypeKind::Sequence:
      return "sequence";
    case TypeKind::Optional:
      return "optional";
    case TypeKind::Map:
      return "map";
    case TypeKind::Unknown:
      break;
  }
  return "unknown";
}

Json ports_json(const Graph& graph, const std::vector<ValueId>& ids) {
  Json ports = Json::array();
  for (const ValueId id : ids) {
    const Value& value = graph.values[id];
    Json port = {{"name", valid_utf8(value.name)}};
    const bool is_tensor = value.type.kind == TypeKind::Tensor;
    port["type"] = is_tensor ? to_string(value.type.element) : kind_name(value.type.kind);
    if (is_tensor) port["shape"] = shape_json(value.type);
    ports.push_back(std::move(port));
  }
  return ports;
}

void write_ports(std::ostream& out, const TextStyle& style, const Graph& graph) {
  Table table({{.align = Align::Left},
               {.align = Align::Left, .least = 12},
               {.align = Align::Left},
               {.align = Align::Left, .least = 12}});
  const auto add = [&](const char* kind, const std::vector<ValueId>& ids) {
    for (const ValueId id : ids) {
      const Value& value = graph.values[id];
      table.add_row({kind, printable(value.name), type_text(value.type),
                     value.type.shape ? printable(to_string(*value.type.shape)) : "?"});
    }
  };
  add("input   ", graph.required_inputs());
  add("output  ", graph.outputs);
  table.write(out, style, "  ");
}

}  // namespace headroom::report
