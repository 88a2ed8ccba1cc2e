// SPDX-License-Identifier: Apache-2.0
// Metrics as text: a value and its interval in one unit, with the digits that the interval
// supports.
#pragma once

#include <headroom/record.h>

#include <string>
#include <string_view>

namespace headroom::report {

/// What a value is divided by, and the unit that then stands behind it.
struct Scale {
  double factor = 1;
  std::string_view unit{};
};

Scale time_scale(double ns);
Scale byte_scale(double bytes);
/// From `FLOP/s` to `TFLOP/s`.
Scale flop_rate_scale(double flop_per_s);
Scale rate_scale(double per_s);

/// `12.3 ms [12.1, 12.6]`; `12.3 ms` without an interval; the reason where there is no value. At
/// least three significant digits, at most two more where the interval is narrower than they show.
std::string metric_text(const Metric& metric, Scale (*scale_of)(double));
/// The value alone: `12.3 ms`; `-` where there is none.
std::string value_text(const Metric& metric, Scale (*scale_of)(double));

}  // namespace headroom::report
