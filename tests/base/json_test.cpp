// SPDX-License-Identifier: Apache-2.0
// JSON text in and out, and the strict reader.
#include "base/json.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/thrown.h"

namespace headroom {
namespace {

using test::message_of;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Json, KeepsOrderAndLargeIntegers) {
  const char* const text = R"({"b":9007199254740993,"a":-9223372036854775808,"c":[true,null]})";
  EXPECT_EQ(dump_json(parse_json(text, "x")), text);  // 2^53 + 1 is no double.
}

TEST(Json, NamesTheByteWhereItEnds) {
  EXPECT_THAT(message_of(ErrorKind::BadInput, [] { parse_json("{\"a\":}", "case"); }),
              HasSubstr("case: not valid JSON at byte 6"));
  message_of(ErrorKind::BadInput, [] { parse_json("", "case"); });
}

TEST(Json, RefusesNumbersThatAreNotFinite) {
  Json json = {{"a", {{"b", {1.0, std::numeric_limits<double>::quiet_NaN()}}}}};
  message_of(ErrorKind::Internal, [&] { dump_json(json); });
  json["a"]["b"][1] = std::numeric_limits<double>::infinity();
  message_of(ErrorKind::Internal, [&] { dump_json(json); });
}

TEST(Json, ReplacesInvalidUtf8) {
  EXPECT_EQ(dump_json(Json("\xff")), "\"\xef\xbf\xbd\"");
}

TEST(JsonReader, ReadsEachType) {
  const Json json = parse_json(
      R"({"t":"x","f":true,"n":1.5,"i":-3,"c":7,"ts":["a"],"is":[1,-2],"p":{"k":"v"},"o":{"q":1}})",
      "x");
  JsonReader reader(json, "place");
  EXPECT_EQ(reader.text("t"), "x");
  EXPECT_TRUE(reader.flag("f"));
  EXPECT_EQ(reader.number("n"), 1.5);
  EXPECT_EQ(reader.integer("i"), -3);
  EXPECT_EQ(reader.count("c"), 7U);
  EXPECT_THAT(reader.texts("ts"), ElementsAre("a"));
  EXPECT_THAT(reader.integers("is"), ElementsAre(1, -2));
  EXPECT_EQ(reader.pairs("p").at("k"), "v");
  EXPECT_EQ(reader.object("o").integer("q"), 1);
  EXPECT_FALSE(reader.has("absent"));
  EXPECT_NO_THROW(reader.finish());
}

TEST(JsonReader, NamesThePlaceOfWhatIsWrong) {
  const Json json = parse_json(R"({"o":{"n":"x"},"c":-1})", "x");
  JsonReader reader(json, "case");
  EXPECT_THAT(message_of(ErrorKind::BadInput, [&] { reader.object("o").number("n"); }),
              HasSubstr("case.o.n"));
  EXPECT_THAT(message_of(ErrorKind::BadInput, [&] { reader.count("c"); }), HasSubstr("case.c"));
  EXPECT_THAT(message_of(ErrorKind::BadInput, [&] { reader.text("absent"); }),
              AllOf(HasSubstr("case"), HasSubstr("absent")));
}

TEST(JsonReader, RefusesMembersThatNobodyReads) {
  const Json json = parse_json(R"({"a":1,"surplus":2})", "x");
  JsonReader reader(json, "case");
  reader.integer("a");
  EXPECT_THAT(message_of(ErrorKind::BadInput, [&] { reader.finish(); }), HasSubstr("surplus"));
}

}  // namespace
}  // namespace headroom
