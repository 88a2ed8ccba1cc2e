// SPDX-License-Identifier: Apache-2.0
// The JSON and the JUnit XML of `headroom conformance`.
#include <headroom/base/text.h>
#include <headroom/report/conformance.h>

#include <fmt/format.h>

#include "base/json.h"

namespace headroom {
namespace {

// Attribute text: markup escaped, what XML cannot hold replaced. printable() has made control bytes
// visible; U+FFFE and U+FFFF are valid UTF-8 and no XML.
std::string xml_text(std::string_view text) {
  std::string escaped;
  const std::string printed = printable(text);
  const std::string_view shown = printed;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const std::string_view rest = shown.substr(i);
    if (rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF")) {
      escaped += "\xEF\xBF\xBD";
      i += 2;
    } else if (shown[i] == '&') {
      escaped += "&amp;";
    } else if (shown[i] == '<') {
      escaped += "&lt;";
    } else if (shown[i] == '>') {
      escaped += "&gt;";
    } else if (shown[i] == '"') {
      escaped += "&quot;";
    } else {
      escaped += shown[i];
    }
  }
  return escaped;
}

// `node/test_abs` → class `node.Abs`, name `test_abs`: servers group by the class.
std::string test_case_xml(const CaseResult& result) {
  const std::size_t slash = result.name.rfind('/');
  const bool has_folder = slash != std::string::npos;
  std::string group = has_folder ? result.name.substr(0, slash) + "." : "";
  for (char& c : group)
    if (c == '/') c = '.';
  const std::string head =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml_text(group + result.op),
                  xml_text(has_folder ? result.name.substr(slash + 1) : result.name));
  std::string_view element;
  switch (result.status) {
    case CaseStatus::Passed:
      return head + "/>\n";
    case CaseStatus::Failed:
    case CaseStatus::Timeout:
      element = "failure";
      break;
    case CaseStatus::Crashed:
      element = "error";
      break;
    case CaseStatus::Unsupported:
      return fmt::format("{}><skipped message=\"{}\"/></testcase>\n", head,
                         xml_text(result.reason));
  }
  return fmt::format("{}><{} type=\"{}\" message=\"{}\"/></testcase>\n", head, element,
                     to_string(result.status), xml_text(result.reason));
}

}  // namespace

std::string conformance_json(const ConformanceReport& report) {
  Json cases = Json::array();
  for (const CaseResult& result : report.cases) {
    cases.push_back({{"name", result.name},
                     {"op", result.op},
                     {"status", to_string(result.status)},
                     {"reason", result.reason}});
  }
  const CaseTotals totals = totals_of(report.cases);
  return dump_json({{"engine", report.engine},
                    {"engine_version", report.engine_version},
                    {"folder", report.folder},
                    {"planned", report.planned},
                    {"is_partial", report.cases.size() < report.planned},
                    {"cases", std::move(cases)},
                    {"totals",
                     {{"cases", totals.cases},
                      {"passed", totals.passed},
                      {"failed", totals.failed},
                      {"unsupported", totals.unsupported},
                      {"crashed", totals.crashed},
                      {"timeout", totals.timeout}}}},
                   2);
}

std::string conformance_junit(const ConformanceReport& report) {
  const CaseTotals totals = totals_of(report.cases);
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"", totals.cases,
                  totals.failed + totals.timeout, totals.crashed, totals.unsupported);
  std::string xml = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites>\n"
      "  <testsuite name=\"{}\" {}>\n",
      xml_text(fmt::format("headroom conformance: {} {}", report.engine, report.engine_version)),
      counts);
  for (const CaseResult& result : report.cases) xml += test_case_xml(result);
  return xml + "  </testsuite>\n</testsuites>";
}

}  // namespace headroom
