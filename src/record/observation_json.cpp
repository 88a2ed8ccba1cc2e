// SPDX-License-Identifier: Apache-2.0
// What a run gave of its values, as JSON.
#include <headroom/base/error.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "record/parts.h"

namespace headroom::record {
namespace {

struct Kind {
  TypeKind kind;
  std::string_view name;
};
constexpr std::array kKinds = {
    Kind{TypeKind::Tensor, "tensor"}, Kind{TypeKind::Sequence, "sequence"},
    Kind{TypeKind::Optional, "empty_optional"}, Kind{TypeKind::Unknown, "other"}};

std::string_view name_of(TypeKind kind) {
  const auto* const found =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& one) { return one.kind == kind; });
  return found == kKinds.end() ? "other" : found->name;
}

TypeKind kind_from(JsonReader& reader) {
  const std::string name = reader.text("kind");
  for (const Kind& one : kKinds) {
    if (one.name == name) return one.kind;
  }
  throw Error(ErrorKind::BadInput, fmt::format("{}: the kind of a value is needed, found '{}'",
                                               reader.place("kind"), name));
}

Json census_to_json(const ElementCensus& census) {
  return {{"elements", census.elements},     {"zeros", census.zeros},
          {"denormals", census.denormals},   {"nans", census.nans},
          {"infinities", census.infinities}, {"is_constant", census.is_constant}};
}

ElementCensus census_from_json(JsonReader reader) {
  ElementCensus census{.elements = reader.count("elements"),
                       .zeros = reader.count("zeros"),
                       .denormals = reader.count("denormals"),
                       .nans = reader.count("nans"),
                       .infinities = reader.count("infinities"),
                       .is_constant = reader.flag("is_constant")};
  reader.finish();
  return census;
}

Json value_to_json(const ObservedValue& value) {
  Json json = {{"name", value.name}, {"kind", name_of(value.kind)}};
  if (value.kind != TypeKind::Tensor) return json;
  json["type"] = to_string(value.type);
  json["shape"] = value.shape;
  json["census"] = census_to_json(value.census);
  if (value.integers) json["integers"] = *value.integers;
  return json;
}

ElementType type_from(JsonReader& reader) {
  const std::string name = reader.text("type");
  const auto type = element_type_from(name);
  if (type) return *type;
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: an element type is needed, found '{}'", reader.place("type"), name));
}

ObservedValue value_from_json(JsonReader reader) {
  ObservedValue value{.name = reader.text("name"), .kind = kind_from(reader)};
  if (value.kind == TypeKind::Tensor) {
    value.type = type_from(reader);
    value.shape = reader.integers("shape");
    value.census = census_from_json(reader.object("census"));
    if (reader.has("integers")) value.integers = reader.integers("integers");
  }
  reader.finish();
  return value;
}

}  // namespace

Json observation_to_json(const Observation& observation) {
  Json values = Json::array();
  for (const ObservedValue& value : observation.values) values.push_back(value_to_json(value));
  return {{"values", values}};
}

Observation observation_from_json(JsonReader reader) {
  Observation observation;
  const Json& values = reader.array("values");
  for (std::size_t i = 0; i < values.size(); ++i) {
    observation.values.push_back(
        value_from_json({values[i], fmt::format("record.observation.values[{}]", i)}));
  }
  reader.finish();
  return observation;
}

}  // namespace headroom::record
