// SPDX-License-Identifier: Apache-2.0
// JSON text in and out, with errors of ours.
#include "base/json.h"

#include <fmt/format.h>

namespace headroom {
namespace {

void require_finite(const Json& json) {
  if (json.is_number_float() && !std::isfinite(json.get<double>()))
    throw Error(ErrorKind::Internal, "a number that is not finite reached JSON output");
  if (json.is_structured())
    for (const Json& child : json) require_finite(child);
}

}  // namespace

Json parse_json(std::string_view text, std::string_view what) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: not valid JSON at byte {}", what, error.byte));
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

}  // namespace headroom
