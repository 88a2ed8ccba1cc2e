// SPDX-License-Identifier: Apache-2.0
// `headroom doctor`: what this machine is, what can measure on it, and what disturbs it now.
#pragma once

#include <headroom/report/doctor.h>

#include <string>

namespace headroom::app {

struct DoctorOptions {
  std::string store{};               ///< `--store`.
  std::string version{};             ///< Of Headroom.
  Nanoseconds watched{500'000'000};  ///< How long the noise of the moment is watched.
};

/// Reads facts, asks every engine for its version, watches the load for `watched`. What is broken
/// (an engine that does not load, a store that cannot be read) stands in the report.
DoctorReport examine(const DoctorOptions& options, const Host& host, const Clock& clock);

}  // namespace headroom::app
