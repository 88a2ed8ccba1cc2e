// SPDX-License-Identifier: Apache-2.0
// Checks of an engine's own options against its table.
#include "engine/settings.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>

namespace headroom {
namespace {

std::string allowed_text(const SettingRule& rule) {
  switch (rule.kind) {
    case SettingKind::Flag:
      return "0 or 1";
    case SettingKind::Number:
      return fmt::format("an integer from {} to {}", rule.low, rule.high);
    case SettingKind::Choice: {
      const std::vector<std::string> choices = split(rule.choices, '|');
      return "one of: " + join(choices, ", ");
    }
    case SettingKind::Text:
      break;
  }
  return std::string(rule.choices);
}

bool is_number_within(std::string_view text, std::int64_t low, std::int64_t high) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && low <= value && value <= high;
}

bool is_allowed(const SettingRule& rule, const std::string& value) {
  switch (rule.kind) {
    case SettingKind::Flag:
      return value == "0" || value == "1";
    case SettingKind::Number:
      return is_number_within(value, rule.low, rule.high);
    case SettingKind::Choice: {
      const std::vector<std::string> choices = split(rule.choices, '|');
      return std::find(choices.begin(), choices.end(), value) != choices.end();
    }
    case SettingKind::Text:
      break;
  }
  return !value.empty();
}

[[noreturn]] void refuse_key(std::string_view engine, std::span<const SettingRule> rules,
                             std::string_view key) {
  std::vector<std::string> keys;
  for (const SettingRule& rule : rules) keys.emplace_back(rule.key);
  const std::string near = nearest_name(key, keys);
  std::string hint = "it has none";
  if (!near.empty()) {
    hint = fmt::format("did you mean '{}'?", near);
  } else if (!keys.empty()) {
    hint = "it has: " + join(keys, ", ");
  }
  throw Error(ErrorKind::Usage,
              fmt::format("engine '{}' has no setting '{}' that Headroom knows; {}", engine,
                          printable(key), hint));
}

}  // namespace

void check_settings(std::string_view engine, std::span<const SettingRule> rules,
                    const std::map<std::string, std::string>& settings) {
  for (const auto& [key, value] : settings) {
    const auto rule =
        std::find_if(rules.begin(), rules.end(),
                     [&name = key](const SettingRule& each) { return each.key == name; });
    if (rule == rules.end()) refuse_key(engine, rules, key);
    if (is_allowed(*rule, value)) continue;
    throw Error(ErrorKind::Usage, fmt::format("engine '{}': setting '{}' cannot be '{}'; give {}",
                                              engine, key, printable(value), allowed_text(*rule)));
  }
}

}  // namespace headroom
