// SPDX-License-Identifier: Apache-2.0
// Measures text as terminals show it and lays out columns.
#include "report/table.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <ostream>

namespace headroom::report {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::string_view kEllipsis = "…";

struct Range {
  char32_t first;
  char32_t last;
};

constexpr std::array kWide = {
    Range{0x1100, 0x115F},   Range{0x231A, 0x231B},   Range{0x2329, 0x232A},
    Range{0x2E80, 0x303E},   Range{0x3041, 0x33FF},   Range{0x3400, 0x4DBF},
    Range{0x4E00, 0x9FFF},   Range{0xA000, 0xA4CF},   Range{0xA960, 0xA97F},
    Range{0xAC00, 0xD7A3},   Range{0xF900, 0xFAFF},   Range{0xFE10, 0xFE19},
    Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},   Range{0xFFE0, 0xFFE6},
    Range{0x16FE0, 0x18CFF}, Range{0x1B000, 0x1B2FF}, Range{0x1F300, 0x1F64F},
    Range{0x1F680, 0x1F6FF}, Range{0x1F900, 0x1F9FF}, Range{0x1FA70, 0x1FAFF},
    Range{0x20000, 0x3FFFD}};
constexpr std::array kCombining = {
    Range{0x0300, 0x036F}, Range{0x0483, 0x0489}, Range{0x0591, 0x05BD}, Range{0x064B, 0x065F},
    Range{0x0E34, 0x0E3A}, Range{0x1AB0, 0x1AFF}, Range{0x1DC0, 0x1DFF}, Range{0x200B, 0x200F},
    Range{0x202A, 0x202E}, Range{0x2060, 0x2064}, Range{0x20D0, 0x20FF}, Range{0xFE00, 0xFE0F},
    Range{0xFE20, 0xFE2F}, Range{0xFEFF, 0xFEFF}};

template <std::size_t kSize>
bool contains(const std::array<Range, kSize>& ranges, char32_t code) {
  const auto after =
      std::upper_bound(ranges.begin(), ranges.end(), code,
                       [](char32_t c, const Range& range) { return c < range.first; });
  return after != ranges.begin() && code <= std::prev(after)->last;
}

struct Character {
  std::size_t bytes;
  std::size_t width;
};

// The first character of `text`; a byte that starts no sequence stands for itself.
Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {1, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (length == 0 || text.size() < length) return {1, 1};
  char32_t code = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80) return {1, 1};
    code = (code << 6U) | (next & 0x3FU);
  }
  if (contains(kCombining, code)) return {length, 0};
  return {length, contains(kWide, code) ? std::size_t{2} : std::size_t{1}};
}

// Bytes of the longest beginning that takes at most `width` columns.
std::size_t bytes_within(std::string_view text, std::size_t width) {
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const Character next = first_character(text.substr(bytes));
    if (next.width > width) break;
    width -= next.width;
    bytes += next.bytes;
  }
  return bytes;
}

std::vector<std::size_t> natural_widths(const std::vector<Column>& columns,
                                        const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  widths.reserve(columns.size());
  for (const Column& column : columns) widths.push_back(display_width(column.title));
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], display_width(row[i]));
  }
  return widths;
}

// Widths of the columns that are shown; nothing for those left out.
struct Layout {
  std::vector<std::size_t> widths{};
  std::vector<bool> is_shown{};

  std::size_t total() const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < widths.size(); ++i)
      if (is_shown[i]) sum += widths[i] + (sum == 0 ? 0 : kGap);
    return sum;
  }
};

void shorten(Layout& layout, const std::vector<Column>& columns, std::size_t limit) {
  for (std::size_t i = 0; i < columns.size() && layout.total() > limit; ++i) {
    if (columns[i].least == 0 || !layout.is_shown[i]) continue;
    const std::size_t excess = layout.total() - limit;
    const std::size_t spare =
        layout.widths[i] > columns[i].least ? layout.widths[i] - columns[i].least : 0;
    layout.widths[i] -= std::min(excess, spare);
  }
}

Layout fitted(const std::vector<Column>& columns, const Layout& natural, std::size_t limit) {
  Layout layout = natural;
  shorten(layout, columns, limit);
  for (std::size_t i = columns.size(); i-- > 0 && layout.total() > limit;) {
    if (!columns[i].is_optional) continue;
    layout.is_shown[i] = false;
    layout.widths = natural.widths;
    shorten(layout, columns, limit);
  }
  return layout;
}

// The cells that are shown behind `indent`, without spaces at the end.
std::string line_of(const std::vector<Column>& columns, const Layout& layout,
                    const std::vector<std::string>& cells, std::string_view indent) {
  std::string line(indent);
  bool is_first = true;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!layout.is_shown[i]) continue;
    if (!is_first) line.append(kGap, ' ');
    is_first = false;
    const std::string cell = shortened(cells[i], layout.widths[i]);
    const std::string padding(layout.widths[i] - display_width(cell), ' ');
    line += columns[i].align == Align::Right ? padding + cell : cell + padding;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const Character next = first_character(text.substr(i));
    width += next.width;
    i += next.bytes;
  }
  return width;
}

std::string shortened(std::string_view text, std::size_t width) {
  const std::size_t whole = display_width(text);
  if (whole <= width) return std::string(text);
  if (width == 0) return {};
  const std::size_t front = width / 2;
  const std::size_t back = width - 1 - front;
  std::string result(text.substr(0, bytes_within(text, front)));
  result += kEllipsis;
  // The shortest end that leaves `back` columns or fewer.
  std::size_t start = bytes_within(text, whole - back);
  while (start < text.size() && display_width(text.substr(start)) > back)
    start += first_character(text.substr(start)).bytes;
  return result.append(text.substr(start));
}

void Table::add_row(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

void Table::add_rule() {
  rows_.emplace_back();
}

void Table::write(std::ostream& out, const TextStyle& style, std::string_view indent) const {
  Layout layout{.widths = natural_widths(columns_, rows_),
                .is_shown = std::vector<bool>(columns_.size(), true)};
  if (style.columns > 0) {
    const auto columns = static_cast<std::size_t>(style.columns);
    layout = fitted(columns_, layout, columns > indent.size() ? columns - indent.size() : 0);
  }
  std::vector<std::string> titles;
  titles.reserve(columns_.size());
  for (const Column& column : columns_) titles.push_back(column.title);
  if (std::any_of(titles.begin(), titles.end(), [](const auto& title) { return !title.empty(); }))
    write_heading(out, style, line_of(columns_, layout, titles, indent));
  for (const auto& row : rows_) {
    if (row.empty()) {
      out << indent << std::string(layout.total(), '-') << '\n';
    } else {
      out << line_of(columns_, layout, row, indent) << '\n';
    }
  }
}

void write_heading(std::ostream& out, const TextStyle& style, std::string_view text) {
  if (style.has_color) {
    out << "\x1b[1m" << text << "\x1b[0m\n";
  } else {
    out << text << '\n';
  }
}

void write_wrapped(std::ostream& out, const TextStyle& style, std::string_view text,
                   std::size_t indent) {
  const std::size_t limit = style.columns > 0 ? static_cast<std::size_t>(style.columns) : SIZE_MAX;
  std::size_t place = indent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t width = display_width(word);
    if (place > indent && place + 1 + width > limit) {
      out << '\n' << std::string(indent, ' ');
      place = indent;
    } else if (place > indent) {
      out << ' ';
      ++place;
    }
    out << word;
    place += width;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  out << '\n';
}

}  // namespace headroom::report
