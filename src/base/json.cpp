// SPDX-License-Identifier: Apache-2.0
// JSON text in and out, with errors of ours.
#include "base/json.h"

#include <headroom/base/text.h>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace headroom {
namespace {

void require_finite(const Json& json) {
  if (json.is_number_float() && !std::isfinite(json.get<double>()))
    throw Error(ErrorKind::Internal, "a number that is not finite reached JSON output");
  if (json.is_structured())
    for (const Json& child : json) require_finite(child);
}

// What was found instead, short enough for a message.
std::string excerpt(const Json& json) {
  constexpr std::size_t kLongest = 40;
  if (json.is_structured()) return json.type_name();
  const std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

bool is_int64(const Json& json) {
  if (json.is_number_unsigned()) {
    return json.get<std::uint64_t>() <=
           static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  }
  return json.is_number_integer();
}

}  // namespace

Json parse_json(std::string_view text, std::string_view what) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: not valid JSON at byte {}", what, error.byte));
  } catch (const Json::out_of_range&) {
    throw Error(ErrorKind::BadInput, fmt::format("{}: a number is too large for a double", what));
  }
}

std::string dump_json(const Json& json, int indent) {
  require_finite(json);
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

const Json& json_at(const Json& json, std::string_view key, std::string_view where) {
  const auto found = json.find(std::string(key));
  if (found == json.end())
    throw Error(ErrorKind::BadInput, fmt::format("{}: the member '{}' is missing", where, key));
  return *found;
}

JsonReader::JsonReader(const Json& json, std::string where)
    : json_(json), where_(std::move(where)) {
  if (!json_.is_object()) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: an object is needed, found {}", where_, json_.type_name()));
  }
}

std::string JsonReader::place(std::string_view key) const {
  return fmt::format("{}.{}", where_, key);
}

void JsonReader::refuse(std::string_view key, std::string_view wanted, const Json& found) const {
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: {} is needed, found {}", place(key), wanted, excerpt(found)));
}

bool JsonReader::has(std::string_view key) const {
  return json_.contains(key);
}

const Json& JsonReader::member(std::string_view key) {
  const Json& found = json_at(json_, key, where_);
  read_.emplace_back(key);
  return found;
}

const Json& JsonReader::array(std::string_view key) {
  const Json& found = member(key);
  if (!found.is_array()) refuse(key, "an array", found);
  return found;
}

JsonReader JsonReader::object(std::string_view key) {
  return {member(key), place(key)};
}

std::string JsonReader::text(std::string_view key) {
  const Json& found = member(key);
  if (!found.is_string()) refuse(key, "a text", found);
  return found.get<std::string>();
}

bool JsonReader::flag(std::string_view key) {
  const Json& found = member(key);
  if (!found.is_boolean()) refuse(key, "true or false", found);
  return found.get<bool>();
}

double JsonReader::number(std::string_view key) {
  const Json& found = member(key);
  if (!found.is_number()) refuse(key, "a number", found);
  return found.get<double>();
}

std::int64_t JsonReader::integer(std::string_view key) {
  const Json& found = member(key);
  if (!is_int64(found)) refuse(key, "an integer", found);
  return found.get<std::int64_t>();
}

std::uint64_t JsonReader::count(std::string_view key) {
  const Json& found = member(key);
  if (!found.is_number_unsigned() && !(is_int64(found) && found.get<std::int64_t>() >= 0))
    refuse(key, "an integer from 0", found);
  return found.get<std::uint64_t>();
}

std::vector<std::string> JsonReader::texts(std::string_view key) {
  std::vector<std::string> values;
  for (const Json& value : array(key)) {
    if (!value.is_string()) refuse(key, "an array of texts", value);
    values.push_back(value.get<std::string>());
  }
  return values;
}

std::vector<std::int64_t> JsonReader::integers(std::string_view key) {
  std::vector<std::int64_t> values;
  for (const Json& value : array(key)) {
    if (!is_int64(value)) refuse(key, "an array of integers", value);
    values.push_back(value.get<std::int64_t>());
  }
  return values;
}

std::map<std::string, std::string> JsonReader::pairs(std::string_view key) {
  const Json& found = member(key);
  if (!found.is_object()) refuse(key, "an object", found);
  std::map<std::string, std::string> values;
  for (const auto& [name, value] : found.items()) {
    if (!value.is_string()) refuse(key, "an object of texts", value);
    values.emplace(name, value.get<std::string>());
  }
  return values;
}

void JsonReader::finish() const {
  for (const auto& [key, value] : json_.items()) {
    if (std::find(read_.begin(), read_.end(), key) == read_.end()) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("{}: the member '{}' is not known", where_, printable(key)));
    }
  }
}

}  // namespace headroom
