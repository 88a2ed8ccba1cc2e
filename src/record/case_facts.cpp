// SPDX-License-Identifier: Apache-2.0
// What was run: model, engine, case.
#include <algorithm>

#include <fmt/format.h>

#include "record/parts.h"

namespace headroom::record {
namespace {

Json ports_to_json(const std::vector<PortFacts>& ports) {
  Json json = Json::array();
  for (const PortFacts& port : ports)
    json.push_back({{"name", port.name}, {"type", port.type}, {"shape", port.shape}});
  return json;
}

std::vector<PortFacts> ports_from_json(const Json& json, const std::string& where) {
  std::vector<PortFacts> ports;
  for (const Json& entry : json) {
    JsonReader reader(entry, where);
    ports.push_back(
        {.name = reader.text("name"), .type = reader.text("type"), .shape = reader.text("shape")});
    reader.finish();
  }
  return ports;
}

Json pairs_to_json(const std::map<std::string, std::string>& pairs) {
  return Json(Json::object_t(pairs.begin(), pairs.end()));
}

// The leading dimension, where all inputs that have one agree on it.
std::optional<std::int64_t> batch_of(const Case& plan_case) {
  std::optional<std::int64_t> batch;
  for (const InputSpec& input : plan_case.inputs) {
    if (input.shape.empty()) continue;
    if (batch && *batch != input.shape.front()) return std::nullopt;
    batch = input.shape.front();
  }
  return batch;
}

}  // namespace

Json model_to_json(const ModelFacts& model) {
  Json json = {{"path", model.path},   {"sha256", model.sha256}, {"name", model.name},
               {"opset", model.opset}, {"nodes", model.nodes},   {"parameters", model.parameters}};
  put(json, "macs", model.macs);
  if (!model.macs) json["macs_absent"] = model.macs_absent;
  json["inputs"] = ports_to_json(model.inputs);
  json["outputs"] = ports_to_json(model.outputs);
  return json;
}

ModelFacts model_from_json(JsonReader reader) {
  ModelFacts model{.path = reader.text("path"),
                   .sha256 = reader.text("sha256"),
                   .name = reader.text("name"),
                   .opset = reader.integer("opset"),
                   .nodes = reader.count("nodes"),
                   .parameters = reader.count("parameters"),
                   .macs = optional_count(reader, "macs")};
  if (!model.macs) model.macs_absent = reader.text("macs_absent");
  model.inputs = ports_from_json(reader.array("inputs"), reader.place("inputs"));
  model.outputs = ports_from_json(reader.array("outputs"), reader.place("outputs"));
  reader.finish();
  return model;
}

Json engine_to_json(const EngineFacts& engine) {
  return {{"name", engine.name},
          {"version", engine.version},
          {"build", engine.build},
          {"asked", pairs_to_json(engine.asked)},
          {"effective", pairs_to_json(engine.effective)}};
}

EngineFacts engine_from_json(JsonReader reader) {
  EngineFacts engine{.name = reader.text("name"),
                     .version = reader.text("version"),
                     .build = reader.text("build"),
                     .asked = reader.pairs("asked"),
                     .effective = reader.pairs("effective")};
  reader.finish();
  return engine;
}

Json case_to_json(const Case& plan_case) {
  Json json = parse_json(to_json(plan_case), "case");
  json["streams"] = 1;  // the scenario `single`: the next request starts when the last has ended
  put(json, "batch", batch_of(plan_case));
  Json shapes = Json::object();
  for (const InputSpec& input : plan_case.inputs) shapes[input.name] = input.shape;
  json["shapes"] = shapes;
  return json;
}

Case case_from_record(const Json& json) {
  Json given = json;
  if (given.is_object())
    for (const char* derived : {"streams", "batch", "shapes"}) given.erase(derived);
  return case_from_json(dump_json(given));
}

}  // namespace headroom::record
