// SPDX-License-Identifier: Apache-2.0
// The JSON of `headroom inspect`. Nodes are written one by one: a document tree of 50,000 of them
// would be many times the model.
#include <headroom/base/text.h>
#include <headroom/report/inspect.h>

#include <fmt/format.h>

#include "base/json.h"
#include "report/open_dimensions.h"
#include "report/ports.h"

namespace headroom {
namespace {

using report::absent;
using report::kind_name;
using report::ports_json;

constexpr int kSchema = 1;

Json model_json(const Model& model) {
  Json opsets = Json::object();
  for (const OpsetImport& opset : model.opsets)
    opsets[opset.domain.empty() ? "ai.onnx" : valid_utf8(opset.domain)] = opset.version;
  Json json;
  json["path"] = valid_utf8(model.path.string());
  json["name"] = valid_utf8(model.graph.name);
  json["file_bytes"] = model.file.bytes().size();
  json["ir_version"] = model.ir_version;
  json["producer"] = valid_utf8(model.producer);
  json["opsets"] = std::move(opsets);
  json["nodes"] = model.graph.nodes.size();
  json["inputs"] = ports_json(model.graph, model.graph.required_inputs());
  json["outputs"] = ports_json(model.graph, model.graph.outputs);
  return json;
}

Json other_json(const ArithmeticCounts& counts) {
  Json other = Json::object();
  for (std::size_t kind = 0; kind < kArithmeticKinds; ++kind) {
    if (counts[kind] > 0)
      other[std::string(to_string(static_cast<Arithmetic>(kind)))] = counts[kind];
  }
  return other;
}

// The members that nodes, operators and totals share. `missing` says why a sum of zero is not
// known.
template <class Counts>
void add_counts(Json& json, const Counts& counts, const std::string& missing) {
  const auto number = [&](std::uint64_t value) {
    return value == 0 && !missing.empty() ? absent(missing) : Json(value);
  };
  json["macs"] = number(counts.macs.value);
  json["flops"] = number(flops(counts.macs).value);
  json["other"] = other_json(counts.other);
  json["parameters"] = counts.parameters;
  json["parameter_bytes"] = counts.parameter_bytes.value;
  json["read_bytes"] = number(counts.read.value);
  json["written_bytes"] = number(counts.written.value);
}

std::string why_incomplete(std::uint64_t unknown_nodes) {
  return unknown_nodes == 0
             ? std::string{}
             : fmt::format("{} nodes are not counted; see uncounted and unknown_shape",
                           unknown_nodes);
}

Json totals_json(const Work& work) {
  std::uint64_t unknown = 0;
  for (const auto& [op, sums] : work.by_op) unknown += sums.unknown_nodes();
  Json totals;
  add_counts(totals, work, why_incomplete(unknown));
  totals["macs_by_type"] = Json::object();
  for (const auto& [type, macs] : work.macs_by_type)
    totals["macs_by_type"][std::string(to_string(type))] = macs.value;
  totals["activation_peak_bytes"] = work.activation_peak ? Json(work.activation_peak->value)
                                                         : absent(work.activation_peak_reason);
  if (work.activation_peak) totals["activation_peak_node"] = valid_utf8(work.activation_peak_node);
  totals["complete"] = work.is_complete();
  return totals;
}

Json by_op_json(const Work& work) {
  Json by_op = Json::object();
  for (const auto& [op, sums] : work.by_op) {
    Json json = {{"nodes", sums.nodes},
                 {"constant_nodes", sums.constant_nodes},
                 {"unknown_nodes", sums.unknown_nodes()}};
    add_counts(json, sums, why_incomplete(sums.unknown_nodes()));
    json["constant_elements"] = sums.constant_elements;
    by_op[valid_utf8(op)] = std::move(json);
  }
  return by_op;
}

bool is_plain(std::string_view text) {
  for (const char c : text)
    if (c < 0x20 || c == 0x7F || c == '"' || c == '\\') return false;  // Also bytes above 0x7F.
  return true;
}

void append_string(std::string& out, std::string_view text) {
  if (is_plain(text)) {
    out.append("\"").append(text).append("\"");
  } else {
    out += dump_json(Json(valid_utf8(text)));
  }
}

void append_member(std::string& out, std::string_view key, std::string_view text) {
  out.append(",\"").append(key).append("\":");
  append_string(out, text);
}

void append_number(std::string& out, std::uint64_t value) {
  const fmt::format_int digits(value);
  out.append(digits.data(), digits.size());
}

void append_member(std::string& out, std::string_view key, std::uint64_t value) {
  out.append(",\"").append(key).append("\":");
  append_number(out, value);
}

void append_member(std::string& out, std::string_view key, const std::vector<std::string>& texts) {
  out.append(",\"").append(key).append("\":[");
  for (const std::string& text : texts) {
    if (&text != texts.data()) out += ',';
    append_string(out, text);
  }
  out += ']';
}

bool is_unknown(const NodeWork& node) {
  return node.status == CountStatus::Uncounted || node.status == CountStatus::UnknownShape;
}

void append_counts(std::string& out, const NodeWork& node) {
  append_member(out, "macs", node.macs.value);
  append_member(out, "flops", flops(node.macs).value);
  out += ",\"other\":{";
  bool is_first = true;
  for (std::size_t kind = 0; kind < kArithmeticKinds; ++kind) {
    if (node.other[kind] == 0) continue;
    out.append(is_first ? "\"" : ",\"").append(to_string(static_cast<Arithmetic>(kind)));
    out += "\":";
    append_number(out, node.other[kind]);
    is_first = false;
  }
  out += '}';
  append_member(out, "read_bytes", node.read.value);
  append_member(out, "written_bytes", node.written.value);
}

void append_node(std::string& out, const NodeWork& node) {
  out += "{\"name\":";
  append_string(out, node.name);
  append_member(out, "op", node.op);
  append_member(out, "domain", node.domain);
  append_member(out, "status", to_string(node.status));
  if (!node.reason.empty()) append_member(out, "reason", node.reason);
  if (!node.open_dimension.empty()) append_member(out, "open_dimension", node.open_dimension);
  append_member(out, "inputs", node.inputs);
  append_member(out, "outputs", node.outputs);
  append_member(out, "shapes", node.is_observed ? "observed" : "inferred");
  if (!is_unknown(node)) {
    append_member(out, "runs", node.runs);
    if (node.macs.value > 0) append_member(out, "mac_type", to_string(node.mac_type));
    append_counts(out, node);
  }
  append_member(out, "parameters", node.parameters);
  append_member(out, "parameter_bytes", node.parameter_bytes.value);
  if (node.constant_elements > 0) append_member(out, "constant_elements", node.constant_elements);
  out += '}';
}

Json uncounted_json(const Work& work) {
  Json json = Json::array();
  for (const auto& [op, uncounted] : work.uncounted) {
    const bool is_listed = !uncounted.reason.empty();
    json.push_back({{"op", valid_utf8(op)},
                    {"nodes", uncounted.nodes},
                    {"reason", is_listed ? uncounted.reason : "the operator is not known"}});
  }
  return json;
}

Json unknown_json(const Model& model, const Work& work) {
  Json json = Json::array();
  for (const report::OpenOperator& open : report::open_operators(model, work)) {
    Json dimensions = Json::array();
    for (const std::string& dimension : open.dimensions)
      dimensions.push_back(valid_utf8(dimension));
    json.push_back({{"op", valid_utf8(open.op)},
                    {"nodes", open.nodes},
                    {"dimensions", std::move(dimensions)},
                    {"options", open.options},
                    {"node", valid_utf8(open.node)},
                    {"reason", valid_utf8(open.reason)}});
  }
  return json;
}

Json diagnostics_json(const Model& model) {
  Json json = Json::array();
  for (const Diagnostic& diagnostic : model.diagnostics) {
    json.push_back({{"severity", to_string(diagnostic.severity)},
                    {"code", diagnostic.code},
                    {"place", valid_utf8(diagnostic.place)},
                    {"message", valid_utf8(diagnostic.message)}});
  }
  return json;
}

Json observed_json(const ObservedValue& value) {
  Json json = {
      {"name", valid_utf8(value.name)},
      {"type", value.kind == TypeKind::Tensor ? to_string(value.type) : kind_name(value.kind)}};
  if (value.kind != TypeKind::Tensor) return json;
  json["shape"] = value.shape;
  json["elements"] = value.census.elements;
  json["zeros"] = value.census.zeros;
  json["denormals"] = value.census.denormals;
  json["nans"] = value.census.nans;
  json["infinities"] = value.census.infinities;
  json["is_constant"] = value.census.is_constant;
  return json;
}

Json values_json(std::span<const ObservedValue> values) {
  Json json = Json::array();
  for (const ObservedValue& value : values) json.push_back(observed_json(value));
  return json;
}

Json observation_json(const Record& observed) {
  return {{"engine", {{"name", observed.engine.name}, {"version", observed.engine.version}}},
          {"inputs_from", observed.plan_case.inputs_from},
          {"seed", observed.plan_case.seed},
          {"values", values_json(observed.observation.values)}};
}

void append_part(std::string& out, std::string_view key, const Json& json) {
  out.append(",\n\"").append(key).append("\": ").append(dump_json(json, 1));
}

}  // namespace

std::string inspect_json(const Model& model, const Work& work, const Record* observed,
                         std::span<const ObservedValue> weights) {
  std::string out = fmt::format("{{\n\"schema\": {}", kSchema);
  append_part(out, "model", model_json(model));
  append_part(out, "totals", totals_json(work));
  append_part(out, "by_op", by_op_json(work));
  out += ",\n\"nodes\": [";
  for (const NodeWork& node : work.nodes) {
    out += &node == work.nodes.data() ? "\n" : ",\n";
    append_node(out, node);
  }
  out += "\n]";
  append_part(out, "uncounted", uncounted_json(work));
  append_part(out, "unknown_shape", unknown_json(model, work));
  if (!weights.empty()) append_part(out, "weights", values_json(weights));
  if (observed != nullptr) append_part(out, "observation", observation_json(*observed));
  append_part(out, "diagnostics", diagnostics_json(model));
  return out + "\n}";
}

}  // namespace headroom
