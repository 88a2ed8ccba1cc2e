// SPDX-License-Identifier: Apache-2.0
// What a scan showed of the weights, and a run of the values between the nodes, as text.
#pragma once

#include <headroom/record.h>
#include <headroom/report/text_style.h>

#include <iosfwd>
#include <span>
#include <string_view>

namespace headroom::report {

/// The weights whose elements can change speed or are no numbers, the worst first.
void write_weights(std::ostream& out, std::span<const ObservedValue> weights,
                   const TextStyle& style, std::string_view indent);

/// The run, and the values whose elements can change speed or are no numbers, the worst first.
void write_observed(std::ostream& out, const Record& observed, const TextStyle& style,
                    std::string_view indent);

}  // namespace headroom::report
