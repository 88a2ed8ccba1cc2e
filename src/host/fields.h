// SPDX-License-Identifier: Apache-2.0
// The small grammars of /proc and /sys: numbers, `key: value` lines, CPU lists. Whatever does not
// follow them reads as absent, since a foreign kernel or sandbox may write anything.
#pragma once

#include <headroom/host.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

std::string_view trimmed(std::string_view text);

/// Words between blanks and line ends.
std::vector<std::string_view> words(std::string_view text);

/// A decimal number at the start of `text`, blanks before it skipped; what follows is ignored.
std::optional<std::uint64_t> leading_number(std::string_view text);

/// The value behind `key` and `separator` (blanks around it skipped) on the first line that has
/// both; a blank as separator reads `key value`. Empty if there is none.
std::string_view value_of(std::string_view text, std::string_view key, char separator = ':');

/// `0-3,8,10-11` as numbers; nothing for text that is no such list, or one of more than 65,536.
std::vector<int> parse_cpu_list(std::string_view text);

/// The trimmed content of a file; empty if it cannot be read.
std::string read_trimmed(const Host& host, const std::filesystem::path& path);
std::optional<std::uint64_t> read_number(const Host& host, const std::filesystem::path& path);

}  // namespace headroom
