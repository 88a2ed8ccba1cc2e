// SPDX-License-Identifier: Apache-2.0
// The JSON type of all modules' insides, and readers whose errors name the place. Public headers
// pass JSON as text.
#pragma once

#include <headroom/base/error.h>

#include <cmath>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace headroom {

/// Keys keep the order in which they were written, so that equal values give equal bytes.
using Json = nlohmann::ordered_json;

/// Errors: BadInput naming `what` and the byte where the text stops being JSON.
Json parse_json(std::string_view text, std::string_view what);

/// Compact when indent is -1. Invalid UTF-8 in strings is replaced, a NaN or infinity is refused.
/// Errors: Internal if a number is not finite: callers say `{absent: reason}` instead.
std::string dump_json(const Json& json, int indent = -1);

/// The member `key` of the object `json`. Errors: BadInput naming `where` and the key.
const Json& json_at(const Json& json, std::string_view key, std::string_view where);

}  // namespace headroom
