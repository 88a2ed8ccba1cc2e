// SPDX-License-Identifier: Apache-2.0
// Layout of text tables. Widths of characters as in Unicode Standard Annex 11.
#include "report/table.h"

#include <sstream>

#include <gtest/gtest.h>

namespace headroom::report {
namespace {

TEST(DisplayWidth, CountsTerminalColumns) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("conv1"), 5U);
  EXPECT_EQ(display_width("größe"), 5U);
  EXPECT_EQ(display_width("層の重み"), 8U);  // Wide: two columns each.
  EXPECT_EQ(display_width("e\u0301"), 1U);   // A combining accent takes none.
  EXPECT_EQ(display_width("\xFF\xC3"), 2U);  // Invalid bytes take one each.
}

TEST(Shortened, KeepsBothEnds) {
  EXPECT_EQ(shortened("/encoder/layer.0/MatMul", 23), "/encoder/layer.0/MatMul");
  EXPECT_EQ(shortened("/encoder/layer.0/MatMul", 11), "/enco…atMul");
  EXPECT_EQ(shortened("abc", 1), "…");
  EXPECT_EQ(shortened("abc", 0), "");
}

TEST(Shortened, NeverExceedsTheWidthWithWideCharacters) {
  for (std::size_t width = 0; width <= 10; ++width)
    EXPECT_LE(display_width(shortened("層の重み行列", width)), width) << width;
}

std::string written(const Table& table, int columns) {
  std::ostringstream out;
  table.write(out, {.columns = columns});
  return out.str();
}

Table sample() {
  Table table({{.title = "node", .align = Align::Left, .least = 6},
               {.title = "MACs"},
               {.title = "read", .is_optional = true}});
  table.add_row({"/layer/Conv", "12", "1 KiB"});
  table.add_rule();
  table.add_row({"total", "12"});
  return table;
}

TEST(Table, AlignsItsColumns) {
  EXPECT_EQ(written(sample(), 0),
            "node         MACs   read\n"
            "/layer/Conv    12  1 KiB\n"
            "------------------------\n"
            "total          12\n");
}

TEST(Table, ShortensNamesBeforeItLeavesOutColumns) {
  EXPECT_EQ(written(sample(), 20),
            "node     MACs   read\n"
            "/la…onv    12  1 KiB\n"
            "--------------------\n"
            "total      12\n");
  EXPECT_EQ(written(sample(), 17),
            "node         MACs\n"
            "/layer/Conv    12\n"
            "-----------------\n"
            "total          12\n");
}

TEST(Table, WritesHeadingsBoldOnlyInColour) {
  std::ostringstream out;
  write_heading(out, {.has_color = true}, "totals");
  write_heading(out, {}, "totals");
  EXPECT_EQ(out.str(), "\x1b[1mtotals\x1b[0m\ntotals\n");
}

TEST(Wrapped, BreaksAtSpaces) {
  std::ostringstream out;
  out << "  ";
  write_wrapped(out, {.columns = 12}, "one two three", 2);
  EXPECT_EQ(out.str(), "  one two\n  three\n");
}

}  // namespace
}  // namespace headroom::report
