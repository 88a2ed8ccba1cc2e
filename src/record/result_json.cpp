// SPDX-License-Identifier: Apache-2.0
// What came out: metrics, phases, gate, profile.
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "record/names.h"
#include "record/parts.h"

namespace headroom::record {
namespace {

Metric metric_from_json(JsonReader reader) {
  Metric metric;
  if (reader.has("absent")) {
    metric.absent = reader.text("absent");
  } else {
    metric.value = reader.number("value");
    metric.low = optional_number(reader, "low");
    metric.high = optional_number(reader, "high");
    metric.n = reader.count("n");
    metric.kind = read_metric_kind(reader, "kind");
  }
  reader.finish();
  return metric;
}

// A largest difference that is not finite is absent in JSON.
void put_finite(Json& json, const char* key, double value) {
  if (std::isfinite(value)) json[key] = number(value);
}

double finite_or_infinite(JsonReader& reader, std::string_view key) {
  return optional_number(reader, key).value_or(std::numeric_limits<double>::infinity());
}

Json output_to_json(const OutputCheck& check) {
  Json json = {{"name", check.name},
               {"type", check.type},
               {"shape", check.shape},
               {"is_equal", check.is_equal}};
  put_finite(json, "max_abs", check.max_abs);
  put_finite(json, "max_rel", check.max_rel);
  json["abs_tolerance"] = number(check.abs_tolerance);
  json["rel_tolerance"] = number(check.rel_tolerance);
  json["reason"] = check.reason;
  return json;
}

OutputCheck output_from_json(const Json& json, const std::string& where) {
  JsonReader reader(json, where);
  OutputCheck check{.name = reader.text("name"),
                    .type = reader.text("type"),
                    .shape = reader.text("shape"),
                    .is_equal = reader.flag("is_equal"),
                    .max_abs = finite_or_infinite(reader, "max_abs"),
                    .max_rel = finite_or_infinite(reader, "max_rel"),
                    .abs_tolerance = reader.number("abs_tolerance"),
                    .rel_tolerance = reader.number("rel_tolerance"),
                    .reason = reader.text("reason")};
  reader.finish();
  return check;
}

Json outputs_to_json(const std::vector<OutputCheck>& checks) {
  Json outputs = Json::array();
  for (const OutputCheck& check : checks) outputs.push_back(output_to_json(check));
  return outputs;
}

std::vector<OutputCheck> outputs_from_json(const Json& json, const std::string& where) {
  std::vector<OutputCheck> checks;
  checks.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i)
    checks.push_back(output_from_json(json[i], fmt::format("{}[{}]", where, i)));
  return checks;
}

}  // namespace

Json metric_to_json(const Metric& metric) {
  if (!metric.value)
    return {{"absent", metric.absent.empty() ? std::string("not measured") : metric.absent}};
  Json json = {{"value", number(*metric.value)}};
  put(json, "low", metric.low);
  put(json, "high", metric.high);
  json["n"] = metric.n;
  json["kind"] = to_string(metric.kind);
  return json;
}

Json metrics_to_json(const Record& record) {
  Json json = Json::object();
  for (const MetricInfo& info : metric_table()) {
    if (const auto found = record.metrics.find(std::string(info.key));
        found != record.metrics.end())
      json[found->first] = metric_to_json(found->second);
  }
  for (const auto& [key, metric] : record.metrics)
    if (!json.contains(key)) json[key] = metric_to_json(metric);
  return json;
}

Json phases_to_json(const Record& record) {
  Json json = Json::object();
  for (const char* key : {"read_ns", "create_ns", "first_run_ns", "warmup_ns"}) {
    if (const auto found = record.metrics.find(key); found != record.metrics.end())
      json[key] = metric_to_json(found->second);
  }
  return json;
}

std::map<std::string, Metric> metrics_from_json(JsonReader& record) {
  const Json& json = record.member("metrics");
  if (!json.is_object()) throw Error(ErrorKind::BadInput, "record.metrics: an object is needed");
  std::map<std::string, Metric> metrics;
  for (const auto& [key, value] : json.items())
    metrics.emplace(key, metric_from_json({value, "record.metrics." + key}));
  return metrics;
}

Json nodes_to_json(const std::vector<NodeTime>& nodes) {
  Json json = Json::array();
  for (const NodeTime& node : nodes) {
    Json one = {{"name", node.name}, {"op", node.op}, {"provider", node.provider}};
    put_text(one, "implementation", node.implementation);
    put_text(one, "precision", node.precision);
    put_text(one, "layout", node.layout);
    put_text(one, "role", node.role);
    if (!node.originals.empty()) one["originals"] = node.originals;
    one["runs"] = node.runs;
    one["mean_ns"] = number(node.mean_ns);
    one["share"] = number(node.share);
    json.push_back(std::move(one));
  }
  return json;
}

std::vector<NodeTime> nodes_from_json(const Json& json) {
  std::vector<NodeTime> nodes;
  for (std::size_t i = 0; i < json.size(); ++i) {
    JsonReader reader(json[i], fmt::format("record.nodes[{}]", i));
    nodes.push_back({.name = reader.text("name"),
                     .op = reader.text("op"),
                     .provider = reader.text("provider"),
                     .implementation = optional_text(reader, "implementation"),
                     .precision = optional_text(reader, "precision"),
                     .layout = optional_text(reader, "layout"),
                     .role = optional_text(reader, "role"),
                     .originals = optional_texts(reader, "originals"),
                     .runs = reader.count("runs"),
                     .mean_ns = reader.number("mean_ns"),
                     .share = reader.number("share")});
    reader.finish();
  }
  return nodes;
}

Json gate_to_json(const Gate& gate) {
  return {{"status", to_string(gate.status)},
          {"reference", gate.reference},
          {"reason", gate.reason},
          {"outputs", outputs_to_json(gate.outputs)}};
}

Gate gate_from_json(JsonReader reader) {
  Gate gate{.status = read_gate_status(reader, "status"),
            .reference = reader.text("reference"),
            .reason = reader.text("reason")};
  gate.outputs = outputs_from_json(reader.array("outputs"), "record.gate.outputs");
  reader.finish();
  return gate;
}

Json conformance_to_json(const Conformance& conformance) {
  Json sets = Json::array();
  for (const DataSetCheck& set : conformance.data_sets)
    sets.push_back({{"name", set.name}, {"outputs", outputs_to_json(set.outputs)}});
  return {{"data_sets", sets}};
}

Conformance conformance_from_json(JsonReader reader) {
  Conformance conformance;
  const Json& sets = reader.array("data_sets");
  for (std::size_t i = 0; i < sets.size(); ++i) {
    JsonReader set(sets[i], fmt::format("record.conformance.data_sets[{}]", i));
    conformance.data_sets.push_back(
        {.name = set.text("name"),
         .outputs = outputs_from_json(set.array("outputs"), set.place("outputs"))});
    set.finish();
  }
  reader.finish();
  return conformance;
}

Json shape_memory_to_json(const ShapeMemory& memory) {
  return {{"loaded_bytes", memory.loaded_bytes}, {"after_bytes", memory.after_bytes}};
}

ShapeMemory shape_memory_from_json(JsonReader reader) {
  ShapeMemory memory{.loaded_bytes = reader.count("loaded_bytes")};
  for (const std::int64_t bytes : reader.integers("after_bytes"))
    memory.after_bytes.push_back(static_cast<std::uint64_t>(bytes));
  reader.finish();
  return memory;
}

Json profile_to_json(const Profile& profile) {
  Json json = {{"outcome", outcome_to_json(profile.outcome)}, {"runs", profile.runs}};
  put(json, "instrumented_median_ns", profile.instrumented_median_ns);
  put(json, "instrumented_ratio", profile.instrumented_ratio);
  if (profile.file_nodes > 0) {
    json["file_nodes"] = profile.file_nodes;
    json["folded"] = profile.folded;
    json["removed"] = profile.removed;
  }
  put_text(json, "untraced", profile.untraced);
  return json;
}

Profile profile_from_json(JsonReader reader) {
  Profile profile{.outcome = outcome_from_json(reader.object("outcome")),
                  .runs = reader.count("runs"),
                  .instrumented_median_ns = optional_number(reader, "instrumented_median_ns"),
                  .instrumented_ratio = optional_number(reader, "instrumented_ratio"),
                  .folded = optional_texts(reader, "folded"),
                  .removed = optional_texts(reader, "removed"),
                  .file_nodes = optional_count(reader, "file_nodes").value_or(0),
                  .untraced = optional_text(reader, "untraced")};
  reader.finish();
  return profile;
}

}  // namespace headroom::record
