// SPDX-License-Identifier: Apache-2.0
// What a run showed of the values between the nodes, as text.
#pragma once

#include <headroom/record.h>
#include <headroom/report/text_style.h>

#include <iosfwd>
#include <string_view>

namespace headroom::report {

/// The run, and the values whose elements can change speed or are no numbers, the worst first.
void write_observed(std::ostream& out, const Record& observed, const TextStyle& style,
                    std::string_view indent);

}  // namespace headroom::report
