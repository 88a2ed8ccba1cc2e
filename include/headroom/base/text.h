// SPDX-License-Identifier: Apache-2.0
// Text: quantities as people write and read them, names that are nearest to a misspelt one, and the
// escaping of names that come from files.
#pragma once

#include <headroom/base/units.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// `12.3 ms`, `4.56 µs`, `870 ns`, `2.00 s`: three significant digits.
std::string format_time(Nanoseconds time);
/// `512 B`, `1.50 KiB`, `97.7 MiB`: three significant digits, binary prefixes.
std::string format_bytes(Bytes bytes);
/// `4.09 G`, `349 M`, `12`: three significant digits, decimal prefixes, without a unit.
std::string format_count(double value);
/// 4089184256 as `4,089,184,256`.
std::string format_exact(std::uint64_t value);

/// The shortest exact text that parse_time reads back: `5s`, `1500ms`, `20us`, `7ns`.
std::string exact_time(Nanoseconds time);

/// Reads `500ns`, `20us`, `20ms`, `10s`, `2min`, `1h`; a unit is required.
/// Errors: Usage, naming `what` (the option), the text found and the units possible.
Nanoseconds parse_time(std::string_view text, std::string_view what);
/// Reads `512B`, `64KiB`, `2GiB`, `100MB`; a unit is required. Errors: as parse_time.
Bytes parse_bytes(std::string_view text, std::string_view what);
/// Reads a decimal integer that fills the whole text. Errors: Usage, as parse_time.
std::int64_t parse_integer(std::string_view text, std::string_view what);

/// The candidate with the smallest edit distance to `name`, empty if none is near (distance above a
/// third of the longer name). For «did you mean».
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

/// `text` safe to show on a terminal: control bytes and invalid UTF-8 become \xNN.
std::string printable(std::string_view text);
/// Valid UTF-8: each byte that is not part of a valid sequence becomes U+FFFD.
std::string valid_utf8(std::string_view text);

std::vector<std::string> split(std::string_view text, char separator);
std::string join(std::span<const std::string> parts, std::string_view separator);

/// One word of a POSIX shell command line: quoted only where needed.
std::string shell_quote(std::string_view word);

}  // namespace headroom
