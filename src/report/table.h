// SPDX-License-Identifier: Apache-2.0
// Text in columns: aligned by what a terminal shows, not by bytes, and kept within its width by
// leaving out columns and shortening names.
#pragma once

#include <headroom/report/text_style.h>

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::report {

/// Columns of a terminal that `text` takes: wide characters two, combining ones none. Invalid bytes
/// take one each. Source: Unicode Standard Annex 11, ranges W and F as of Unicode 15.
std::size_t display_width(std::string_view text);

/// `text`, or its beginning and end with `…` between them so that it takes at most `width` columns.
std::string shortened(std::string_view text, std::size_t width);

enum class Align { Left, Right };

struct Column {
  std::string title{};
  Align align = Align::Right;
  /// May be shortened down to this many columns where the table is too wide; 0: never.
  std::size_t least = 0;
  /// Where shortening is not enough, optional columns go, from the last on.
  bool is_optional = false;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Missing cells are empty. Cells must be printable: control bytes are the caller's to escape.
  void add_row(std::vector<std::string> cells);
  /// A line of dashes.
  void add_rule();
  bool empty() const { return rows_.empty(); }

  /// Titles (unless all are empty), then the rows, two spaces apart, no spaces at the ends of
  /// lines.
  void write(std::ostream& out, const TextStyle& style, std::string_view indent = "") const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_{};  ///< An empty row is a rule.
};

/// A heading: bold where the style has colour.
void write_heading(std::ostream& out, const TextStyle& style, std::string_view text);

/// `text` broken at spaces into lines that fit the style; lines after the first begin with `indent`
/// spaces, and the first is taken to begin there too.
void write_wrapped(std::ostream& out, const TextStyle& style, std::string_view text,
                   std::size_t indent);

}  // namespace headroom::report
