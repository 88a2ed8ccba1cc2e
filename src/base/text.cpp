// SPDX-License-Identifier: Apache-2.0
// Reading and writing quantities and names.
#include <headroom/base/error.h>
#include <headroom/base/text.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace headroom {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array kTimeUnits = {Unit{"ns", 1},    Unit{"us", 1e3}, Unit{"µs", 1e3},
                                   Unit{"ms", 1e6},  Unit{"s", 1e9},  Unit{"min", 6e10},
                                   Unit{"h", 3.6e12}};
constexpr std::array kByteUnits = {Unit{"B", 1},        Unit{"KiB", 0x1p10}, Unit{"MiB", 0x1p20},
                                   Unit{"GiB", 0x1p30}, Unit{"TiB", 0x1p40}, Unit{"kB", 1e3},
                                   Unit{"KB", 1e3},     Unit{"MB", 1e6},     Unit{"GB", 1e9},
                                   Unit{"TB", 1e12}};

// Three significant digits without an exponent.
std::string three_digits(double value) {
  const double size = std::fabs(value);
  if (size >= 99.95) return fmt::format("{:.0f}", value);
  if (size >= 9.995) return fmt::format("{:.1f}", value);
  return fmt::format("{:.2f}", value);
}

// `units` ascend; the largest whose quotient is at least 1 after rounding to three digits is taken.
std::string scaled(double value, std::span<const Unit> units) {
  const Unit* chosen = &units.front();
  for (const Unit& unit : units)
    if (std::fabs(value) >= unit.factor * 0.9995) chosen = &unit;
  if (chosen->factor == 1 && value == std::floor(value)) {
    return chosen->name.empty() ? fmt::format("{:.0f}", value)
                                : fmt::format("{:.0f} {}", value, chosen->name);
  }
  return fmt::format("{} {}", three_digits(value / chosen->factor), chosen->name);
}

double parse_quantity(std::string_view text, std::string_view what, std::span<const Unit> units,
                      std::string_view example) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view suffix(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (error == std::errc{} && std::isfinite(number) && number >= 0) {
    for (const Unit& unit : units)
      if (unit.name == suffix && number * unit.factor < 0x1p63) return number * unit.factor;
  }
  std::vector<std::string> names;
  for (const Unit& unit : units) names.emplace_back(unit.name);
  throw Error(
      ErrorKind::Usage,
      fmt::format("{}: '{}' is not a quantity with a unit; write a number of at least 0 and "
                  "one of {}, such as {}",
                  what, printable(text), join(names, ", "), example));
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

// What the second byte of a UTF-8 sequence may be after `lead`: no overlong forms, no surrogates,
// at most U+10FFFF. Source: RFC 3629, section 4.
bool is_second_byte(unsigned char lead, unsigned char second) {
  switch (lead) {
    case 0xE0:
      return second >= 0xA0 && second <= 0xBF;
    case 0xED:
      return second >= 0x80 && second <= 0x9F;
    case 0xF0:
      return second >= 0x90 && second <= 0xBF;
    case 0xF4:
      return second >= 0x80 && second <= 0x8F;
    default:
      return second >= 0x80 && second <= 0xBF;
  }
}

// Length that the first byte of a UTF-8 sequence announces, 0 if none begins with it.
std::size_t announced_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  if (lead < 0xE0) return 2;
  return lead < 0xF0 ? 3 : 4;
}

// Length of the valid UTF-8 sequence at the start of `text`, 0 if there is none.
std::size_t sequence_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = announced_length(lead);
  if (length < 2) return length;
  if (text.size() < length || !is_second_byte(lead, static_cast<unsigned char>(text[1]))) return 0;
  const bool is_continued = std::all_of(text.begin() + 2, text.begin() + length, [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80;
  });
  return is_continued ? length : 0;
}

template <class Replace>
std::string map_sequences(std::string_view text, Replace&& replace) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    replace(out, text.substr(0, std::max<std::size_t>(length, 1)), length != 0);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

}  // namespace

std::string format_time(Nanoseconds time) {
  constexpr std::array kUnits = {Unit{"ns", 1}, Unit{"µs", 1e3}, Unit{"ms", 1e6}, Unit{"s", 1e9}};
  return scaled(static_cast<double>(time.count()), kUnits);
}

std::string format_bytes(Bytes bytes) {
  return scaled(static_cast<double>(bytes.value), std::span(kByteUnits).first(5));
}

std::string format_count(double value) {
  constexpr std::array kUnits = {Unit{"", 1},    Unit{"k", 1e3},  Unit{"M", 1e6},
                                 Unit{"G", 1e9}, Unit{"T", 1e12}, Unit{"P", 1e15}};
  std::string text = scaled(value, kUnits);
  if (text.ends_with(' ')) text.pop_back();
  return text;
}

std::string format_exact(std::uint64_t value) {
  std::string text = std::to_string(value);
  for (std::size_t place = text.size(); place > 3; place -= 3) text.insert(place - 3, 1, ',');
  return text;
}

std::string exact_time(Nanoseconds time) {
  constexpr std::array kUnits = {Unit{"s", 1e9}, Unit{"ms", 1e6}, Unit{"us", 1e3}};
  for (const Unit& unit : kUnits) {
    const auto factor = static_cast<std::int64_t>(unit.factor);
    if (time.count() % factor == 0) return fmt::format("{}{}", time.count() / factor, unit.name);
  }
  return fmt::format("{}ns", time.count());
}

Nanoseconds parse_time(std::string_view text, std::string_view what) {
  return Nanoseconds{std::llround(parse_quantity(text, what, kTimeUnits, "500ms"))};
}

Bytes parse_bytes(std::string_view text, std::string_view what) {
  return {static_cast<std::uint64_t>(parse_quantity(text, what, kByteUnits, "2GiB"))};
}

std::int64_t parse_integer(std::string_view text, std::string_view what) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw Error(ErrorKind::Usage,
                fmt::format("{}: '{}' is not an integer that fits 64 bits", what, printable(text)));
  }
  return value;
}

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
  std::string best;
  std::size_t best_distance = std::string::npos;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance && 3 * distance <= std::max(name.size(), candidate.size())) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string printable(std::string_view text) {
  return map_sequences(text, [](std::string& out, std::string_view part, bool valid) {
    const auto byte = static_cast<unsigned char>(part[0]);
    // C1 controls are U+0080 to U+009F, encoded as C2 80 to C2 9F.
    const bool is_c1 =
        part.size() == 2 && byte == 0xC2 && static_cast<unsigned char>(part[1]) < 0xA0;
    if (valid && !is_c1 && byte >= 0x20 && byte != 0x7F) {
      out += part;
      return;
    }
    for (const char c : part) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  });
}

std::string valid_utf8(std::string_view text) {
  return map_sequences(text, [](std::string& out, std::string_view part, bool valid) {
    out += valid ? part : std::string_view("\xEF\xBF\xBD");
  });
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t start = 0;;) {
    const std::size_t end = text.find(separator, start);
    parts.emplace_back(text.substr(start, end - start));
    if (end == std::string_view::npos) return parts;
    start = end + 1;
  }
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string out;
  for (const std::string& part : parts) {
    if (&part != parts.data()) out += separator;
    out += part;
  }
  return out;
}

std::string shell_quote(std::string_view word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos)
    return std::string(word);
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace headroom
