// SPDX-License-Identifier: Apache-2.0
#include "report/run_quantity.h"

#include <headroom/base/text.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>

namespace headroom::report {
namespace {

constexpr std::array kTimes = {Scale{1, "ns"}, Scale{1e3, "µs"}, Scale{1e6, "ms"}, Scale{1e9, "s"}};
constexpr std::array kBytes = {Scale{1, "B"}, Scale{0x1p10, "KiB"}, Scale{0x1p20, "MiB"},
                               Scale{0x1p30, "GiB"}};
constexpr std::array kFlopRates = {Scale{1, "FLOP/s"}, Scale{1e3, "kFLOP/s"}, Scale{1e6, "MFLOP/s"},
                                   Scale{1e9, "GFLOP/s"}, Scale{1e12, "TFLOP/s"}};

// The largest scale whose quotient is at least 1 after rounding to three digits.
Scale fitting(double value, std::span<const Scale> scales) {
  Scale chosen = scales.front();
  for (const Scale& scale : scales)
    if (std::fabs(value) >= scale.factor * 0.9995) chosen = scale;
  return chosen;
}

// Decimals for three significant digits.
int decimals_of(double value) {
  const double size = std::fabs(value);
  if (size >= 99.95) return 0;
  return size >= 9.995 ? 1 : 2;
}

// More decimals, at most two, where the interval would else show as a point.
int decimals_for(double value, double width) {
  int decimals = decimals_of(value);
  const int most = decimals + 2;
  while (decimals < most && width < std::pow(10.0, -decimals)) ++decimals;
  return decimals;
}

std::string with_unit(const std::string& number, std::string_view unit) {
  return unit.empty() ? number : fmt::format("{} {}", number, unit);
}

}  // namespace

Scale time_scale(double ns) {
  return fitting(ns, kTimes);
}
Scale byte_scale(double bytes) {
  return fitting(bytes, kBytes);
}
Scale flop_rate_scale(double flop_per_s) {
  return fitting(flop_per_s, kFlopRates);
}
Scale rate_scale(double /*per_s*/) {
  return {1, "/s"};
}

std::string metric_text(const Metric& metric, Scale (*scale_of)(double)) {
  if (!metric.value) return printable(metric.absent.empty() ? "not measured" : metric.absent);
  const Scale scale = scale_of(*metric.value);
  const double value = *metric.value / scale.factor;
  if (!metric.low || !metric.high)
    return with_unit(fmt::format("{:.{}f}", value, decimals_of(value)), scale.unit);
  const double low = *metric.low / scale.factor;
  const double high = *metric.high / scale.factor;
  if (low == high) return with_unit(fmt::format("{:.{}f}", value, decimals_of(value)), scale.unit);
  const int decimals = decimals_for(value, high - low);
  return fmt::format("{} [{:.{}f}, {:.{}f}]",
                     with_unit(fmt::format("{:.{}f}", value, decimals), scale.unit), low, decimals,
                     high, decimals);
}

std::string value_text(const Metric& metric, Scale (*scale_of)(double)) {
  return metric.value ? metric_text({.value = metric.value}, scale_of) : "-";
}

}  // namespace headroom::report
