// SPDX-License-Identifier: Apache-2.0
// What `headroom run` and `show` show. Pure: values in, text out.
#pragma once

#include <headroom/record.h>
#include <headroom/report/text_style.h>

#include <iosfwd>

namespace headroom {

/// A record for people: what ran where, times with their intervals, phases, gate, times by
/// operator, notes and warnings, the outcome; the last line is the command that repeats it. The
/// record must be summarized. Names from files are escaped.
void write_run_text(std::ostream& out, const Record& record, const TextStyle& style = {});

/// Every executed node of the instrumented run, the longest first, with the nodes of the file that
/// it stands for. Says so where there was no such run. Times are left out where they are worthless.
void write_executed_nodes(std::ostream& out, const Record& record, const TextStyle& style = {});

/// Instrumented over plain time above which shares by operator are called distorted.
inline constexpr double kDistortedRatio = 1.10;
/// The same ratio above which times and shares by operator are not shown at all.
inline constexpr double kWorthlessRatio = 2.0;

}  // namespace headroom
