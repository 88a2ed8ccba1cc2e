// SPDX-License-Identifier: Apache-2.0
// Numbers that may be absent, and the outcome.
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "record/names.h"
#include "record/parts.h"

namespace headroom::record {

Json number(double value) {
  constexpr double kExact = 0x1p53;
  if (std::isfinite(value) && std::trunc(value) == value && std::fabs(value) < kExact)
    return static_cast<std::int64_t>(value);
  return value;
}

void put(Json& json, const char* key, const std::optional<double>& value) {
  if (value) json[key] = number(*value);
}
void put(Json& json, const char* key, const std::optional<std::int64_t>& value) {
  if (value) json[key] = *value;
}
void put(Json& json, const char* key, const std::optional<std::uint64_t>& value) {
  if (value) json[key] = *value;
}

std::optional<double> optional_number(JsonReader& reader, std::string_view key) {
  return reader.has(key) ? std::optional(reader.number(key)) : std::nullopt;
}
std::optional<std::int64_t> optional_integer(JsonReader& reader, std::string_view key) {
  return reader.has(key) ? std::optional(reader.integer(key)) : std::nullopt;
}
std::optional<std::uint64_t> optional_count(JsonReader& reader, std::string_view key) {
  return reader.has(key) ? std::optional(reader.count(key)) : std::nullopt;
}

void put_text(Json& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}
std::string optional_text(JsonReader& reader, std::string_view key) {
  return reader.has(key) ? reader.text(key) : std::string();
}
std::vector<std::string> optional_texts(JsonReader& reader, std::string_view key) {
  return reader.has(key) ? reader.texts(key) : std::vector<std::string>();
}

int small_integer(JsonReader& reader, std::string_view key) {
  const std::int64_t value = reader.integer(key);
  if (value < 0 || value > std::numeric_limits<int>::max()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: an integer from 0 to 2147483647 is needed, found {}",
                            reader.place(key), value));
  }
  return static_cast<int>(value);
}

Json outcome_to_json(const Outcome& outcome) {
  Json json = {{"status", to_string(outcome.status)}, {"reason", outcome.reason}};
  if (!outcome.error_kind.empty()) json["error_kind"] = outcome.error_kind;
  if (!outcome.ended_by.empty()) json["ended_by"] = outcome.ended_by;
  return json;
}

Outcome outcome_from_json(JsonReader reader) {
  Outcome outcome{.status = read_status(reader, "status"), .reason = reader.text("reason")};
  if (reader.has("error_kind")) outcome.error_kind = reader.text("error_kind");
  if (reader.has("ended_by")) outcome.ended_by = reader.text("ended_by");
  reader.finish();
  return outcome;
}

}  // namespace headroom::record
