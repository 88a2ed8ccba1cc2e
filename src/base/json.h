// SPDX-License-Identifier: Apache-2.0
// The JSON type of all modules' insides, and readers whose errors name the place. Public headers
// pass JSON as text.
#pragma once

#include <headroom/base/error.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

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

/// Reads one JSON object strictly: each call names the member and its type, `finish` refuses the
/// members that no call has named. Errors: BadInput naming the place (`case.stop.max_time_ns`),
/// what was wanted and what was found.
class JsonReader {
 public:
  /// `json` must outlive the reader; `where` is the place of the object.
  JsonReader(const Json& json, std::string where);

  bool has(std::string_view key) const;
  const Json& member(std::string_view key);
  const Json& array(std::string_view key);
  /// A reader of the object under `key`.
  JsonReader object(std::string_view key);
  std::string text(std::string_view key);
  bool flag(std::string_view key);
  double number(std::string_view key);
  std::int64_t integer(std::string_view key);
  std::uint64_t count(std::string_view key);
  std::vector<std::string> texts(std::string_view key);
  std::vector<std::int64_t> integers(std::string_view key);
  /// An object whose values are all texts.
  std::map<std::string, std::string> pairs(std::string_view key);
  /// `where.key`.
  std::string place(std::string_view key) const;
  void finish() const;

 private:
  [[noreturn]] void refuse(std::string_view key, std::string_view wanted, const Json& found) const;

  const Json& json_;
  std::string where_;
  std::vector<std::string> read_;
};

}  // namespace headroom
