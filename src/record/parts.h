// SPDX-License-Identifier: Apache-2.0
// The parts of a record's JSON. Each pair writes and reads one part, so that a member stands in one
// file; readers are strict and name the member that is wrong.
#pragma once

#include <headroom/record.h>

#include <optional>
#include <string>
#include <vector>

#include "base/json.h"

namespace headroom::record {

/// A number as JSON: an integer where it is one (and a double holds it exactly).
Json number(double value);
void put(Json& json, const char* key, const std::optional<double>& value);
void put(Json& json, const char* key, const std::optional<std::int64_t>& value);
void put(Json& json, const char* key, const std::optional<std::uint64_t>& value);
std::optional<double> optional_number(JsonReader& reader, std::string_view key);
std::optional<std::int64_t> optional_integer(JsonReader& reader, std::string_view key);
std::optional<std::uint64_t> optional_count(JsonReader& reader, std::string_view key);
/// Text that is left out where it is empty.
void put_text(Json& json, const char* key, const std::string& text);
std::string optional_text(JsonReader& reader, std::string_view key);
std::vector<std::string> optional_texts(JsonReader& reader, std::string_view key);
int small_integer(JsonReader& reader, std::string_view key);

Json outcome_to_json(const Outcome& outcome);
Outcome outcome_from_json(JsonReader reader);

Json model_to_json(const ModelFacts& model);
ModelFacts model_from_json(JsonReader reader);
Json engine_to_json(const EngineFacts& engine);
EngineFacts engine_from_json(JsonReader reader);

/// `host`: fingerprint, facts, warnings, quiet.
Json host_to_json(const Record& record);
void host_from_json(JsonReader reader, Record& record);

/// The case and what follows from it for people and queries: streams, batch, shapes.
Json case_to_json(const Case& plan_case);
Case case_from_record(const Json& json);

Json launches_to_json(const std::vector<Launch>& launches);
std::vector<Launch> launches_from_json(const Json& json);

Json metric_to_json(const Metric& metric);
Json metrics_to_json(const Record& record);
Json phases_to_json(const Record& record);
std::map<std::string, Metric> metrics_from_json(JsonReader& record);

Json nodes_to_json(const std::vector<NodeTime>& nodes);
std::vector<NodeTime> nodes_from_json(const Json& json);
Json gate_to_json(const Gate& gate);
Gate gate_from_json(JsonReader reader);
Json conformance_to_json(const Conformance& conformance);
Conformance conformance_from_json(JsonReader reader);
Json observation_to_json(const Observation& observation);
Observation observation_from_json(JsonReader reader);
Json shape_memory_to_json(const ShapeMemory& memory);
ShapeMemory shape_memory_from_json(JsonReader reader);
/// Without the nodes, which stand beside it.
Json profile_to_json(const Profile& profile);
Profile profile_from_json(JsonReader reader);

}  // namespace headroom::record
