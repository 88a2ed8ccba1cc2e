// SPDX-License-Identifier: Apache-2.0
// What `headroom doctor` shows: the machine, what can measure on it, and what disturbs it now.
#pragma once

#include <headroom/base/clock.h>
#include <headroom/host.h>
#include <headroom/report/calibration.h>
#include <headroom/report/text_style.h>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// An engine by name: what it says of itself, or why it is not there.
struct EngineStatus {
  std::string name{};
  std::string version{};
  std::string build{};
  std::string absent{};
};

struct StoreStatus {
  std::string location{};
  std::optional<std::uint64_t> records{};  ///< Absent where the store cannot be read.
  std::string problem{};                   ///< Why it cannot be read, or that there is none yet.
};

struct DoctorReport {
  std::string version{};  ///< Of Headroom.
  HostFacts facts{};
  std::string fingerprint{};
  ClockFacts clock{};
  Nanoseconds observed{};  ///< How long `quiet` was watched.
  Quietness quiet{};
  std::vector<HostWarning> warnings{};  ///< Of the moment first, then the standing ones.
  std::vector<EngineStatus> engines{};
  StoreStatus store{};
  std::optional<KnownCeilings> calibration{};
};

void write_doctor_text(std::ostream& out, const DoctorReport& report, const TextStyle& style = {});

/// Host facts and warnings as in a Record's `host`; beside them `clock`, `now`, `engines`, `store`
/// and `calibration`.
std::string doctor_json(const DoctorReport& report);

}  // namespace headroom
