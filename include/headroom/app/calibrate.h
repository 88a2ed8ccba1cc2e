// SPDX-License-Identifier: Apache-2.0
// `headroom calibrate`: the measured peaks of this machine, kept by platform.
#pragma once

#include <headroom/host.h>
#include <headroom/report/calibration.h>
#include <headroom/store.h>

#include <optional>
#include <string>
#include <string_view>

namespace headroom::app {

struct CalibrateOptions {
  std::optional<int> threads{};  ///< Beside one thread; absent: the CPUs that this process may use.
  std::string store{};           ///< `--store`.
};

/// Whether other work held down a peak that was measured in this time. Such a peak is no ceiling:
/// the next quiet run would beat it. The fastest of many blocks of 20 ms stands a tenth of a CPU of
/// it.
bool is_disturbed(const Quietness& quiet) noexcept;

/// Measures, appends to the store unless the machine was disturbed meanwhile, and gives the
/// calibration before this one beside it. Cost: about one second for each peak. Errors: Usage for a
/// thread count that this process cannot run, Unsupported as measure_ceilings,
///         and those of the store, which is opened first.
CalibrationReport calibrate(const CalibrateOptions& options, const Host& host, const Clock& clock);

/// The newest ceilings that `store` holds for a platform, with their age at `now` (UTC, as
/// utc_timestamp writes it). Errors: BadInput if what is stored cannot be read.
std::optional<KnownCeilings> known_ceilings(const Store& store, std::string_view fingerprint,
                                            std::string_view now);

/// From one UTC time label to another; nothing if either is no such label.
std::optional<Seconds> time_between(std::string_view from, std::string_view to);

}  // namespace headroom::app
