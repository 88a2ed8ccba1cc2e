// SPDX-License-Identifier: Apache-2.0
// What people and build servers see of a conformance run. The golden files were read line by line.
#include <headroom/report/conformance.h>

#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "base/json.h"
#include "report/golden.h"

namespace headroom {
namespace {

ConformanceReport sample() {
  return {.engine = "onnxruntime",
          .engine_version = "1.32.0",
          .folder = "standard",
          .cases = {{.name = "node/test_abs", .op = "Abs"},
                    {.name = "node/test_conv", .op = "Conv"},
                    {.name = "node/test_conv_pads",
                     .op = "Conv",
                     .status = CaseStatus::Failed,
                     .reason = "output 'y': 1 of 4 elements differ by up to 4, most at [1, 1]: "
                               "found 8, expected 4"},
                    {.name = "node/test_swish",
                     .op = "Swish",
                     .status = CaseStatus::Unsupported,
                     .reason = "engine 'onnxruntime' could not create a session for the model: "
                               "Could not find an implementation for Swish(24)"},
                    {.name = "odd<&>\"\x01\x02name",
                     .op = "several",
                     .status = CaseStatus::Crashed,
                     .reason = "the worker crashed: it was ended by SIGSEGV (Segmentation fault); "
                               "its last words: <a> & \"b\"\n\x1b[31m \xff \xef\xbf\xbf"},
                    {.name = "simple/test_loop",
                     .op = "Loop",
                     .status = CaseStatus::Timeout,
                     .reason = "stopped after 60.0 s"}},
          .planned = 6};
}

std::string text_of(const ConformanceReport& report, const TextStyle& style = {}) {
  std::ostringstream out;
  write_conformance_text(out, report, style);
  return out.str();
}

TEST(ConformanceText, ShowsTotalsOperatorsAndReasons) {
  test::expect_golden("conformance/sample.txt", text_of(sample()));
}

TEST(ConformanceText, SaysThatItIsPartial) {
  ConformanceReport report = sample();
  report.cases.resize(1);
  EXPECT_NE(text_of(report).find("partial: interrupted after 1 of 6 cases"), std::string::npos);
  report.cases.clear();
  EXPECT_NE(text_of(report).find("partial: interrupted after 0 of 6 cases"), std::string::npos);
}

TEST(ConformanceJson, HasTheMembersOfTheContract) {
  const Json json = Json::parse(conformance_json(sample()));
  EXPECT_EQ(json["engine"], "onnxruntime");
  ASSERT_EQ(json["cases"].size(), 6U);
  EXPECT_EQ(json["cases"][2]["name"], "node/test_conv_pads");
  EXPECT_EQ(json["cases"][2]["op"], "Conv");
  EXPECT_EQ(json["cases"][2]["status"], "failed");
  EXPECT_EQ(json["cases"][0]["reason"], "");
  EXPECT_EQ(json["totals"].dump(),
            R"({"cases":6,"passed":2,"failed":1,"unsupported":1,"crashed":1,"timeout":1})");
  EXPECT_EQ(json["is_partial"], false);
}

// That it is well-formed is checked by an XML parser in tests/cli/conformance_test.py, too.
TEST(ConformanceJunit, EscapesWhateverStandsInNamesAndReasons) {
  test::expect_golden("conformance/sample.xml", conformance_junit(sample()) + "\n");
}

}  // namespace
}  // namespace headroom
