// SPDX-License-Identifier: Apache-2.0
// What `headroom conformance` shows: totals, a table by operator, and the reasons of what failed.
#pragma once

#include <headroom/conformance.h>
#include <headroom/report/text_style.h>

#include <iosfwd>
#include <string>

namespace headroom {

void write_conformance_text(std::ostream& out, const ConformanceReport& report,
                            const TextStyle& style = {});

std::string conformance_json(const ConformanceReport& report);

/// JUnit's XML: `failure` for failed and timeout, `error` for crashed, `skipped` for unsupported.
/// Well-formed whatever stands in names and reasons. Source: the schema that Jenkins publishes
/// (jenkinsci/xunit-plugin, junit-10.xsd); XML 1.0, section 2.2, for the characters.
std::string conformance_junit(const ConformanceReport& report);

}  // namespace headroom
