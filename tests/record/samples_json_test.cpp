// SPDX-License-Identifier: Apache-2.0
// The samples' columns in a record's JSON.
#include "record/samples_json.h"

#include <headroom/base/error.h>

#include <string>

#include <gtest/gtest.h>

namespace headroom::record {
namespace {

std::string message_of(const std::string& samples) {
  try {
    parse_record("{\"samples\":" + samples + "}");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return {};
}

TEST(SamplesJson, AreColumnsOfIntegers) {
  EXPECT_EQ(samples_to_text({.launch = {0, 1}, .start_ns = {0, 5}, .end_ns = {3, 1LL << 60}}),
            R"({"launch":[0,1],"start_ns":[0,5],"end_ns":[3,1152921504606846976]})");
}

TEST(SamplesJson, LeaveOutAColumnThatSaysNothing) {
  const std::string text =
      samples_to_text({.launch = {0, 0}, .start_ns = {0, 5}, .end_ns = {3, 8}});
  EXPECT_EQ(text, R"({"start_ns":[0,5],"end_ns":[3,8]})");
  const Samples read = parse_record("{\"samples\":" + text + "}").samples;
  EXPECT_EQ(read.launch, (std::vector<std::int32_t>{0, 0}));
  EXPECT_EQ(read.end_ns, (std::vector<std::int64_t>{3, 8}));
}

TEST(SamplesJson, AreTakenFromTheRecordOnly) {
  // A member of the same name deeper inside, and members after the samples, stay where they are.
  const ParsedRecord parsed = parse_record(
      R"({"a":{"samples":{"start_ns":[7]}},"samples":{"start_ns":[1],"end_ns":[2]},"b":[[3]]})");
  EXPECT_EQ(parsed.samples.start_ns, (std::vector<std::int64_t>{1}));
  EXPECT_EQ(parsed.json["a"]["samples"]["start_ns"], Json({7}));
  EXPECT_EQ(parsed.json["b"][0][0], 3);
}

TEST(SamplesJson, NameWhatIsWrong) {
  EXPECT_EQ(message_of(R"({"start_ns":[0,1.5],"end_ns":[1,2]})"),
            "record.samples.start_ns: integers of fitting size are needed, found 1.5");
  EXPECT_EQ(message_of(R"({"start_ns":[0,1],"end_ns":[1,[2]]})"),
            "record.samples.end_ns: integers of fitting size are needed, found [2]");
  EXPECT_EQ(message_of(R"({"launch":[-1],"start_ns":[0],"end_ns":[1]})"),
            "record.samples.launch: integers of fitting size are needed, found -1");
  EXPECT_EQ(message_of(R"({"start_ns":[18446744073709551615],"end_ns":[1]})"),
            "record.samples.start_ns: integers of fitting size are needed, found "
            "18446744073709551615");
  EXPECT_EQ(
      message_of(R"({"start_ns":[0,1],"end_ns":[1]})"),
      "record.samples: columns of one length are needed, found launch 2, start_ns 2, end_ns 1");
  EXPECT_EQ(message_of(R"({"start_ns":[5],"end_ns":[4]})"),
            "record.samples: row 0 ends before it starts");
  EXPECT_EQ(message_of(R"({"start_ns":[5]})"), "record.samples: the member 'end_ns' is missing");
  EXPECT_EQ(message_of(R"({"start_ns":[],"end_ns":[],"stream":[]})"),
            "record.samples: the member 'stream' is not known");
  EXPECT_EQ(message_of(R"({"start_ns":3,"end_ns":[]})"),
            "record.samples.start_ns: an array is needed, found 3");
}

}  // namespace
}  // namespace headroom::record
