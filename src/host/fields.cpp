// SPDX-License-Identifier: Apache-2.0
// Reading the small grammars of /proc and /sys.
#include "host/fields.h"

#include <headroom/base/text.h>

#include <algorithm>
#include <charconv>

namespace headroom {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";
constexpr int kMostCpus = 65'536;

// `5` or `0-3` appended to `numbers`; false if it is neither.
bool append_range(std::string_view part, std::vector<int>& numbers) {
  const char* const end = part.data() + part.size();
  int first = 0;
  const auto [after_first, first_error] = std::from_chars(part.data(), end, first);
  if (first_error != std::errc{}) return false;
  int last = first;
  if (after_first != end) {
    if (*after_first != '-') return false;
    const auto [after_last, last_error] = std::from_chars(after_first + 1, end, last);
    if (last_error != std::errc{} || after_last != end) return false;
  }
  if (first < 0 || last < first || last >= kMostCpus) return false;
  for (int number = first; number <= last; ++number) numbers.push_back(number);
  return true;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> found;
  for (std::size_t start = text.find_first_not_of(kBlanks); start != std::string_view::npos;) {
    const std::size_t end = text.find_first_of(kBlanks, start);
    found.push_back(text.substr(start, end - start));
    start = text.find_first_not_of(kBlanks, end);
  }
  return found;
}

std::optional<std::uint64_t> leading_number(std::string_view text) {
  text = trimmed(text);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  return value;
}

std::string_view value_of(std::string_view text, std::string_view key, char separator) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (!line.starts_with(key)) continue;
    std::string_view rest = line.substr(key.size());
    if (separator != ' ')
      rest = rest.substr(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    if (rest.starts_with(separator)) return trimmed(rest.substr(1));
  }
  return {};
}

std::vector<int> parse_cpu_list(std::string_view text) {
  std::vector<int> numbers;
  text = trimmed(text);
  if (text.empty()) return numbers;
  for (const std::string& part : split(text, ','))
    if (!append_range(part, numbers)) return {};
  return numbers;
}

std::string read_trimmed(const Host& host, const std::filesystem::path& path) {
  return std::string(trimmed(host.read(path).value_or("")));
}

std::optional<std::uint64_t> read_number(const Host& host, const std::filesystem::path& path) {
  return leading_number(host.read(path).value_or(""));
}

}  // namespace headroom
