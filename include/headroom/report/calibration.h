// SPDX-License-Identifier: Apache-2.0
// What `headroom calibrate` shows: the measured peaks and how they compare with the ones before.
#pragma once

#include <headroom/base/units.h>
#include <headroom/ceiling.h>
#include <headroom/report/text_style.h>

#include <iosfwd>
#include <optional>
#include <string>

namespace headroom {

/// Ceilings that the store holds, with the time since.
struct KnownCeilings {
  Ceilings ceilings{};
  std::optional<Seconds> age{};  ///< Absent where the time of the calibration cannot be read.
};

struct CalibrationReport {
  Ceilings ceilings{};
  std::optional<KnownCeilings> previous{};  ///< Of this platform.
  std::string kept_in{};                    ///< Empty: not kept.
  std::string not_kept{};                   ///< Why not.
};

/// One row for each peak: instruction set, threads, rate with interval, fastest repetition, change.
void write_calibration_text(std::ostream& out, const CalibrationReport& report,
                            const TextStyle& style = {});

/// The contract «calibrate (JSON)»: `peaks`, `absent`, `previous`, `kept_in`.
std::string calibration_json(const CalibrationReport& report);

/// `3 days ago`, `5 minutes ago`, `just now`; `in the future` for a negative age.
std::string format_age(Seconds age);

}  // namespace headroom
