// SPDX-License-Identifier: Apache-2.0
// The Case as JSON, both ways: how it travels into a worker and into a record.
#include <headroom/base/error.h>
#include <headroom/plan.h>

#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/json.h"

namespace headroom {
namespace {

template <class Enum>
using Names = std::pair<Enum, std::string_view>;

constexpr std::array kRoles = {
    Names<Role>{Role::Probe, "probe"},     Names<Role>{Role::Measure, "measure"},
    Names<Role>{Role::Gate, "gate"},       Names<Role>{Role::Profile, "profile"},
    Names<Role>{Role::Conform, "conform"}, Names<Role>{Role::Observe, "observe"},
    Names<Role>{Role::Shapes, "shapes"}};
constexpr std::array kTypeKinds = {Names<TypeKind>{TypeKind::Unknown, "unknown"},
                                   Names<TypeKind>{TypeKind::Tensor, "tensor"},
                                   Names<TypeKind>{TypeKind::SparseTensor, "sparse_tensor"},
                                   Names<TypeKind>{TypeKind::Sequence, "sequence"},
                                   Names<TypeKind>{TypeKind::Optional, "optional"},
                                   Names<TypeKind>{TypeKind::Map, "map"}};
constexpr std::array kFills = {Names<FillKind>{FillKind::Normal, "normal"},
                               Names<FillKind>{FillKind::Integers, "integers"},
                               Names<FillKind>{FillKind::Booleans, "booleans"},
                               Names<FillKind>{FillKind::Zeros, "zeros"},
                               Names<FillKind>{FillKind::Ones, "ones"},
                               Names<FillKind>{FillKind::Denormal, "denormal"},
                               Names<FillKind>{FillKind::Sparse, "sparse"},
                               Names<FillKind>{FillKind::Words, "words"},
                               Names<FillKind>{FillKind::File, "file"}};

template <class Table, class Enum>
std::string_view name_of(const Table& table, Enum value) noexcept {
  for (const auto& [entry, name] : table)
    if (entry == value) return name;
  return "unknown";
}

template <class Table>
auto value_of(const Table& table, JsonReader& reader, std::string_view key) {
  const std::string text = reader.text(key);
  std::string names;
  for (const auto& [entry, name] : table) {
    if (name == text) return entry;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
  }
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: one of {} is needed, found '{}'", reader.place(key), names, text));
}

ElementType type_of(JsonReader& reader) {
  const std::string text = reader.text("type");
  if (const auto type = element_type_from(text)) return *type;
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: '{}' is not an element type", reader.place("type"), text));
}

Json input_to_json(const InputSpec& input) {
  Json json = {{"name", input.name},
               {"type", to_string(input.type)},
               {"shape", input.shape},
               {"fill", to_string(input.fill)}};
  if (input.fill == FillKind::Integers) {
    json["low"] = input.low;
    json["high"] = input.high;
  }
  if (input.fill == FillKind::Sparse) json["zeros"] = input.zeros;
  if (input.fill == FillKind::File) json["path"] = input.path;
  json["reason"] = input.reason;
  return json;
}

InputSpec input_from_json(const Json& json, const std::string& where) {
  JsonReader reader(json, where);
  InputSpec input{.name = reader.text("name"),
                  .type = type_of(reader),
                  .shape = reader.integers("shape"),
                  .fill = value_of(kFills, reader, "fill")};
  if (input.fill == FillKind::Integers) {
    input.low = reader.integer("low");
    input.high = reader.integer("high");
  }
  if (input.fill == FillKind::Sparse) input.zeros = reader.number("zeros");
  if (input.fill == FillKind::File) input.path = reader.text("path");
  input.reason = reader.text("reason");
  reader.finish();
  return input;
}

StopRule stop_from_json(JsonReader reader) {
  const StopRule rule{.min_samples = reader.count("min_samples"),
                      .max_samples = reader.count("max_samples"),
                      .max_time = Nanoseconds{reader.integer("max_time_ns")}};
  reader.finish();
  return rule;
}

WarmupRule warmup_from_json(JsonReader reader) {
  const WarmupRule rule{.min_runs = reader.count("min_runs"),
                        .max_time = Nanoseconds{reader.integer("max_time_ns")}};
  reader.finish();
  return rule;
}

Json limits_to_json(const Limits& limits) {
  Json json = Json::object();
  if (limits.time) json["time_ns"] = limits.time->count();
  if (limits.memory) json["memory_bytes"] = limits.memory->value;
  return json;
}

Limits limits_from_json(JsonReader reader) {
  Limits limits;
  if (reader.has("time_ns")) limits.time = Nanoseconds{reader.integer("time_ns")};
  if (reader.has("memory_bytes")) limits.memory = Bytes{reader.count("memory_bytes")};
  reader.finish();
  return limits;
}

Json files_to_json(const std::vector<DataFile>& files) {
  Json json = Json::array();
  for (const DataFile& file : files) {
    json.push_back(
        {{"name", file.name}, {"kind", name_of(kTypeKinds, file.kind)}, {"path", file.path}});
  }
  return json;
}

std::vector<DataFile> files_from_json(const Json& json, const std::string& where) {
  std::vector<DataFile> files;
  for (std::size_t i = 0; i < json.size(); ++i) {
    JsonReader reader(json[i], fmt::format("{}[{}]", where, i));
    files.push_back({.name = reader.text("name"),
                     .kind = value_of(kTypeKinds, reader, "kind"),
                     .path = reader.text("path")});
    reader.finish();
  }
  return files;
}

Json conformance_to_json(const ConformancePlan& plan) {
  Json sets = Json::array();
  for (const DataSet& set : plan.data_sets) {
    sets.push_back({{"name", set.name},
                    {"inputs", files_to_json(set.inputs)},
                    {"outputs", files_to_json(set.outputs)}});
  }
  return {{"abs_tolerance", plan.abs_tolerance},
          {"rel_tolerance", plan.rel_tolerance},
          {"data_sets", sets}};
}

ConformancePlan conformance_from_json(JsonReader reader) {
  ConformancePlan plan{.abs_tolerance = reader.number("abs_tolerance"),
                       .rel_tolerance = reader.number("rel_tolerance")};
  const Json& sets = reader.array("data_sets");
  for (std::size_t i = 0; i < sets.size(); ++i) {
    JsonReader set(sets[i], fmt::format("{}[{}]", reader.place("data_sets"), i));
    plan.data_sets.push_back(
        {.name = set.text("name"),
         .inputs = files_from_json(set.array("inputs"), set.place("inputs")),
         .outputs = files_from_json(set.array("outputs"), set.place("outputs"))});
    set.finish();
  }
  reader.finish();
  return plan;
}

int threads_of(JsonReader& reader) {
  const std::int64_t threads = reader.integer("threads");
  if (threads < 1 || threads > std::numeric_limits<int>::max()) {
    throw Error(ErrorKind::BadInput, fmt::format("{}: at least 1 is needed, found {}",
                                                 reader.place("threads"), threads));
  }
  return static_cast<int>(threads);
}

Json inputs_to_json(const std::vector<InputSpec>& inputs) {
  Json json = Json::array();
  for (const InputSpec& input : inputs) json.push_back(input_to_json(input));
  return json;
}

std::vector<InputSpec> inputs_from_json(const Json& json, const std::string& where) {
  std::vector<InputSpec> inputs;
  inputs.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i)
    inputs.push_back(input_from_json(json[i], fmt::format("{}[{}]", where, i)));
  return inputs;
}

std::vector<std::vector<InputSpec>> later_inputs_from_json(const Json& json) {
  std::vector<std::vector<InputSpec>> all;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string where = fmt::format("case.later_inputs[{}]", i);
    if (!json[i].is_array())
      throw Error(ErrorKind::BadInput, fmt::format("{}: an array is needed", where));
    all.push_back(inputs_from_json(json[i], where));
  }
  return all;
}

}  // namespace

std::string_view to_string(Role role) noexcept {
  return name_of(kRoles, role);
}

std::string_view to_string(FillKind kind) noexcept {
  return name_of(kFills, kind);
}

std::string to_json(const Case& plan_case) {
  Json json = {
      {"role", to_string(plan_case.role)},
      {"model", plan_case.model},
      {"engine", plan_case.engine},
      {"threads", plan_case.threads},
      {"precision", plan_case.precision},
      {"settings", Json(Json::object_t(plan_case.settings.begin(), plan_case.settings.end()))},
      {"scenario", plan_case.scenario},
      {"seed", plan_case.seed},
      {"inputs", inputs_to_json(plan_case.inputs)},
      {"inputs_from", plan_case.inputs_from},
      {"reference", plan_case.reference},
      {"stop",
       {{"min_samples", plan_case.stop.min_samples},
        {"max_samples", plan_case.stop.max_samples},
        {"max_time_ns", plan_case.stop.max_time.count()}}},
      {"warmup",
       {{"min_runs", plan_case.warmup.min_runs},
        {"max_time_ns", plan_case.warmup.max_time.count()}}},
      {"limits", limits_to_json(plan_case.limits)}};
  if (plan_case.role == Role::Conform)
    json["conformance"] = conformance_to_json(plan_case.conformance);
  if (plan_case.role == Role::Shapes) {
    json["later_inputs"] = Json::array();
    for (const auto& inputs : plan_case.later_inputs)
      json["later_inputs"].push_back(inputs_to_json(inputs));
  }
  return dump_json(json);
}

Case case_from_json(std::string_view text) {
  const Json json = parse_json(text, "case");
  JsonReader reader(json, "case");
  Case plan_case{.role = value_of(kRoles, reader, "role"),
                 .model = reader.text("model"),
                 .engine = reader.text("engine"),
                 .threads = threads_of(reader),
                 .precision = reader.text("precision"),
                 .settings = reader.pairs("settings"),
                 .scenario = reader.text("scenario"),
                 .seed = reader.count("seed"),
                 .inputs_from = reader.text("inputs_from"),
                 .reference = reader.texts("reference"),
                 .stop = stop_from_json(reader.object("stop")),
                 .warmup = warmup_from_json(reader.object("warmup")),
                 .limits = limits_from_json(reader.object("limits"))};
  plan_case.inputs = inputs_from_json(reader.array("inputs"), "case.inputs");
  if (plan_case.role == Role::Conform)
    plan_case.conformance = conformance_from_json(reader.object("conformance"));
  if (plan_case.role == Role::Shapes)
    plan_case.later_inputs = later_inputs_from_json(reader.array("later_inputs"));
  reader.finish();
  return plan_case;
}

}  // namespace headroom
