// SPDX-License-Identifier: Apache-2.0
// The whole record as JSON, both ways. docs/method/record.md describes each member.
#include <headroom/base/error.h>
#include <headroom/record.h>

#include <fmt/format.h>

#include "record/parts.h"
#include "record/samples_json.h"

namespace headroom {
namespace {

Json members_before_samples(const Record& record) {
  return {{"id", record.id},
          {"time", record.time},
          {"schema", kRecordSchema},
          {"command", record.command},
          {"headroom_version", record.headroom_version},
          {"model", record::model_to_json(record.model)},
          {"engine", record::engine_to_json(record.engine)},
          {"host", record::host_to_json(record)},
          {"case", record::case_to_json(record.plan_case)},
          {"outcome", record::outcome_to_json(record.outcome)},
          {"launches", record::launches_to_json(record.launches)},
          {"phases", record::phases_to_json(record)}};
}

Json members_after_samples(const Record& record) {
  Json json = {{"metrics", record::metrics_to_json(record)},
               {"nodes", record::nodes_to_json(record.profile.nodes)},
               {"gate", record::gate_to_json(record.gate)},
               {"profile", record::profile_to_json(record.profile)}};
  if (record.plan_case.role == Role::Conform)
    json["conformance"] = record::conformance_to_json(record.conformance);
  if (record.plan_case.role == Role::Observe)
    json["observation"] = record::observation_to_json(record.observation);
  if (record.plan_case.role == Role::Shapes)
    json["shape_memory"] = record::shape_memory_to_json(record.shape_memory);
  json["notes"] = record.notes;
  json["repeat"] = record.repeat;
  return json;
}

// Text of an object's members, without its braces.
std::string inside_braces(const Json& json, int indent) {
  std::string text = dump_json(json, indent);
  text.erase(0, 1);
  text.pop_back();
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

void check_schema(JsonReader& reader) {
  const std::int64_t schema = reader.integer("schema");
  if (schema > kRecordSchema) {
    throw Error(
        ErrorKind::Unsupported,
        fmt::format("record: schema {} is newer than {}, which this Headroom reads; use the "
                    "version of Headroom that wrote it",
                    schema, kRecordSchema));
  }
  if (schema < 1) {
    throw Error(ErrorKind::BadInput,
                fmt::format("record.schema: 1 to {} is needed, found {}", kRecordSchema, schema));
  }
}

}  // namespace

std::string to_json(const Record& record, int indent) {
  const std::string line =
      indent < 0 ? "" : "\n" + std::string(static_cast<std::size_t>(indent), ' ');
  return fmt::format("{{{},{}\"samples\":{}{},{}{}}}",
                     inside_braces(members_before_samples(record), indent), line,
                     indent < 0 ? "" : " ", record::samples_to_text(record.samples),
                     inside_braces(members_after_samples(record), indent), indent < 0 ? "" : "\n");
}

Record record_from_json(std::string_view text) {
  record::ParsedRecord parsed = record::parse_record(text);
  JsonReader reader(parsed.json, "record");
  check_schema(reader);
  Record result{.id = reader.text("id"),
                .time = reader.text("time"),
                .command = reader.texts("command"),
                .headroom_version = reader.text("headroom_version"),
                .model = record::model_from_json(reader.object("model")),
                .engine = record::engine_from_json(reader.object("engine"))};
  record::host_from_json(reader.object("host"), result);
  result.plan_case = record::case_from_record(reader.member("case"));
  result.outcome = record::outcome_from_json(reader.object("outcome"));
  result.launches = record::launches_from_json(reader.array("launches"));
  reader.member("phases");  // a view of metrics
  reader.member("samples");
  result.samples = std::move(parsed.samples);
  result.metrics = record::metrics_from_json(reader);
  result.gate = record::gate_from_json(reader.object("gate"));
  result.profile = record::profile_from_json(reader.object("profile"));
  result.profile.nodes = record::nodes_from_json(reader.array("nodes"));
  if (result.plan_case.role == Role::Conform)
    result.conformance = record::conformance_from_json(reader.object("conformance"));
  if (result.plan_case.role == Role::Observe)
    result.observation = record::observation_from_json(reader.object("observation"));
  if (result.plan_case.role == Role::Shapes)
    result.shape_memory = record::shape_memory_from_json(reader.object("shape_memory"));
  result.notes = reader.texts("notes");
  result.repeat = reader.text("repeat");
  reader.finish();
  return result;
}

}  // namespace headroom
