// SPDX-License-Identifier: Apache-2.0
// Quantities, names and escapes; the expected texts follow from the rules in base/text.h by hand.
#include <headroom/base/text.h>

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/thrown.h"

namespace headroom {
namespace {

using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(FormatTime, HasThreeDigitsAndTheFittingUnit) {
  const auto text = [](std::int64_t count) { return format_time(Nanoseconds(count)); };
  EXPECT_EQ(text(0), "0 ns");
  EXPECT_EQ(text(870), "870 ns");
  EXPECT_EQ(text(999), "999 ns");
  EXPECT_EQ(text(1'000), "1.00 µs");
  EXPECT_EQ(text(4'560), "4.56 µs");
  EXPECT_EQ(text(12'345'678), "12.3 ms");
  EXPECT_EQ(text(2'000'000'000), "2.00 s");
  EXPECT_EQ(text(3'600'000'000'000), "3600 s");
}

// A value that rounds up to 1000 of a unit is written as 1.00 of the next.
TEST(FormatTime, CarriesIntoTheNextUnit) {
  EXPECT_EQ(format_time(Nanoseconds(999'499)), "999 µs");
  EXPECT_EQ(format_time(Nanoseconds(999'600)), "1.00 ms");
  EXPECT_EQ(format_time(Nanoseconds(9'994)), "9.99 µs");
  EXPECT_EQ(format_time(Nanoseconds(9'996)), "10.0 µs");
  EXPECT_EQ(format_time(Nanoseconds(99'960)), "100 µs");
}

TEST(FormatTime, KeepsTheSign) {
  EXPECT_EQ(format_time(Nanoseconds(-1'500'000)), "-1.50 ms");
}

TEST(FormatBytes, HasBinaryPrefixes) {
  EXPECT_EQ(format_bytes({0}), "0 B");
  EXPECT_EQ(format_bytes({512}), "512 B");
  EXPECT_EQ(format_bytes({1'536}), "1.50 KiB");
  EXPECT_EQ(format_bytes({102'442'450}), "97.7 MiB");  // 25,610,612.5 x 4 bytes: 97.697 MiB.
  EXPECT_EQ(format_bytes({3ULL << 30U}), "3.00 GiB");
  EXPECT_EQ(format_bytes({std::numeric_limits<std::uint64_t>::max()}), "16777216 TiB");
}

TEST(FormatCount, HasDecimalPrefixes) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(12), "12");
  EXPECT_EQ(format_count(0.25), "0.25");
  EXPECT_EQ(format_count(349'151'936), "349 M");
  EXPECT_EQ(format_count(4'089'184'256.0), "4.09 G");
  EXPECT_EQ(format_count(1e15), "1.00 P");
}

TEST(FormatExact, GroupsThreeDigits) {
  EXPECT_EQ(format_exact(0), "0");
  EXPECT_EQ(format_exact(999), "999");
  EXPECT_EQ(format_exact(1'000), "1,000");
  EXPECT_EQ(format_exact(4'089'184'256), "4,089,184,256");
  EXPECT_EQ(format_exact(std::numeric_limits<std::uint64_t>::max()), "18,446,744,073,709,551,615");
}

TEST(ParseTime, ReadsEveryUnit) {
  const auto count = [](std::string_view text) { return parse_time(text, "--time").count(); };
  EXPECT_EQ(count("500ns"), 500);
  EXPECT_EQ(count("20us"), 20'000);
  EXPECT_EQ(count("20µs"), 20'000);
  EXPECT_EQ(count("1.5ms"), 1'500'000);
  EXPECT_EQ(count("10s"), 10'000'000'000);
  EXPECT_EQ(count("2min"), 120'000'000'000);
  EXPECT_EQ(count("1h"), 3'600'000'000'000);
  EXPECT_EQ(count("0s"), 0);
}

TEST(ParseTime, RefusesWhatIsNoTime) {
  for (const char* text :
       {"", "10", "s", "10 s", "-1s", "1e400s", "nans", "infs", "1xs", "1s ", "10000000h", "1,5s"})
    EXPECT_THAT(message_of(ErrorKind::Usage, [&] { parse_time(text, "--time"); }),
                HasSubstr("--time: '" + std::string(text) + "'"))
        << text;
  EXPECT_THAT(message_of(ErrorKind::Usage, [] { parse_time("1day", "--time"); }),
              HasSubstr("ns, us, µs, ms, s, min, h, such as 500ms"));
}

TEST(ParseBytes, ReadsEveryUnit) {
  const auto bytes = [](std::string_view text) { return parse_bytes(text, "--memory").value; };
  EXPECT_EQ(bytes("512B"), 512U);
  EXPECT_EQ(bytes("64KiB"), 65'536U);
  EXPECT_EQ(bytes("2GiB"), 2ULL << 30U);
  EXPECT_EQ(bytes("100MB"), 100'000'000U);
  EXPECT_EQ(bytes("1.5KiB"), 1'536U);
  EXPECT_EQ(bytes("1TiB"), 1ULL << 40U);
  EXPECT_THAT(message_of(ErrorKind::Usage, [&] { bytes("2G"); }), HasSubstr("such as 2GiB"));
  message_of(ErrorKind::Usage, [&] { bytes("-1B"); });
  message_of(ErrorKind::Usage, [&] { bytes("9999999999TiB"); });
}

TEST(ParseInteger, ReadsOnlyWholeIntegers) {
  EXPECT_EQ(parse_integer("-7", "--dim"), -7);
  EXPECT_EQ(parse_integer("9223372036854775807", "--dim"),
            std::numeric_limits<std::int64_t>::max());
  for (const char* text : {"", "1.0", "1 ", " 1", "0x10", "9223372036854775808", "+1", "one"})
    EXPECT_THAT(message_of(ErrorKind::Usage, [&] { parse_integer(text, "--dim"); }),
                HasSubstr("--dim"))
        << text;
}

TEST(NearestName, FindsASlipAndNothingFarther) {
  const std::vector<std::string> names = {"threads", "precision", "store"};
  EXPECT_EQ(nearest_name("thread", names), "threads");
  EXPECT_EQ(nearest_name("prexxxion", names), "precision");  // Three edits of nine.
  EXPECT_EQ(nearest_name("prexxxxon", names), "");           // Four: above a third.
  EXPECT_EQ(nearest_name("stroe", names), "");               // Two of five: above a third.
  EXPECT_EQ(nearest_name("stor", names), "store");
  EXPECT_EQ(nearest_name("xyz", names), "");
  EXPECT_EQ(nearest_name("a", {}), "");
}

TEST(Printable, EscapesControlsAndWhatIsNoUtf8) {
  EXPECT_EQ(printable("plain µ ☃ 😀"), "plain µ ☃ 😀");
  EXPECT_EQ(printable("a\x1b[31mb\n\t\x7f"), R"(a\x1b[31mb\x0a\x09\x7f)");
  EXPECT_EQ(printable("\xc2\x85"), R"(\xc2\x85)");  // NEL, a C1 control.
  EXPECT_EQ(printable("\xc2\xa0"), "\xc2\xa0");     // The first that is none.
  EXPECT_EQ(printable("\xff\x80"), R"(\xff\x80)");
  EXPECT_EQ(printable(std::string_view("\0", 1)), R"(\x00)");
}

// RFC 3629, section 4: the edges of every range, and the sequences that it forbids.
TEST(ValidUtf8, KeepsWhatTheStandardAllows) {
  for (const char* text : {"\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf",
                           "\xee\x80\x80", "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
    EXPECT_EQ(valid_utf8(text), text);
}

TEST(ValidUtf8, ReplacesEachByteThatTheStandardForbids) {
  const std::string bad = "\xef\xbf\xbd";
  EXPECT_EQ(valid_utf8("\x80"), bad);                      // A continuation alone.
  EXPECT_EQ(valid_utf8("\xc0\xaf"), bad + bad);            // Overlong, two bytes.
  EXPECT_EQ(valid_utf8("\xe0\x9f\xbf"), bad + bad + bad);  // Overlong, three bytes.
  EXPECT_EQ(valid_utf8("\xed\xa0\x80"), bad + bad + bad);  // A surrogate.
  EXPECT_EQ(valid_utf8("\xf0\x8f\xbf\xbf"), bad + bad + bad + bad);
  EXPECT_EQ(valid_utf8("\xf4\x90\x80\x80"), bad + bad + bad + bad);  // Above U+10FFFF.
  EXPECT_EQ(valid_utf8("\xf5"), bad);
  EXPECT_EQ(valid_utf8("a\xe2\x98"), "a" + bad + bad);  // Cut short.
  EXPECT_EQ(valid_utf8("\xe2\x98\x41"), bad + bad + "A");
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_THAT(split("a,,b,", ','), ElementsAre("a", "", "b", ""));
  EXPECT_THAT(split("", ','), ElementsAre(""));
}

TEST(Join, IsTheInverseOfSplit) {
  EXPECT_EQ(join(split("a,,b,", ','), ","), "a,,b,");
  EXPECT_EQ(join({}, ", "), "");
  const std::vector<std::string> parts = {"1", "2"};
  EXPECT_EQ(join(parts, " and "), "1 and 2");
}

TEST(ShellQuote, QuotesOnlyWhereNeeded) {
  EXPECT_EQ(shell_quote("x=1x3,224"), "x=1x3,224");
  EXPECT_EQ(shell_quote(""), "''");
  EXPECT_EQ(shell_quote("a b"), "'a b'");
  EXPECT_EQ(shell_quote("it's"), R"('it'\''s')");
  EXPECT_EQ(shell_quote("$(rm)"), "'$(rm)'");
  EXPECT_EQ(shell_quote("~"), "'~'");
}

TEST(ExactTime, IsReadBackByParseTime) {
  const std::vector<std::pair<std::int64_t, std::string>> rows = {
      {0, "0s"}, {7, "7ns"}, {20'000, "20us"}, {1'500'000'000, "1500ms"}, {5'000'000'000, "5s"}};
  for (const auto& [count, text] : rows) {
    EXPECT_EQ(exact_time(Nanoseconds{count}), text);
    EXPECT_EQ(parse_time(text, "--time").count(), count);
  }
}

}  // namespace
}  // namespace headroom
