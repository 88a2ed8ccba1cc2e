// SPDX-License-Identifier: Apache-2.0
// An engine's own options as a table: which keys exist, which values each takes. What is not in the
// table is refused, since most engines accept a misspelt key in silence.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace headroom {

enum class SettingKind : std::uint8_t {
  Flag,    ///< `0` or `1`.
  Number,  ///< An integer from low to high.
  Choice,  ///< One of `choices`, separated by `|`.
  Text,    ///< Not empty; `choices` shows the form. Checked where it is used.
};

struct SettingRule {
  std::string_view key{};
  SettingKind kind = SettingKind::Flag;
  std::string_view choices{};
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// Errors: Usage for a key that `rules` lacks (with the nearest) or a value that its rule forbids
/// (with what is possible).
void check_settings(std::string_view engine, std::span<const SettingRule> rules,
                    const std::map<std::string, std::string>& settings);

}  // namespace headroom
