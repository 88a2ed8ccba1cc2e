// SPDX-License-Identifier: Apache-2.0
// Warm-up that ends by a test on its own data, and the steady sampling after it.
#pragma once

#include <headroom/measure.h>

#include <cstdint>
#include <string>
#include <vector>

#include "measure/reading_log.h"

namespace headroom::measure {

/// Room for one block of readings, allocated and touched when made, then reused: 64 KiB, so that it
/// stays in the cache beside the model.
struct ReadingBlock {
  static constexpr std::size_t kCapacity = 4096;
  std::vector<TimePoint> starts = std::vector<TimePoint>(kCapacity);
  std::vector<TimePoint> ends = std::vector<TimePoint>(kCapacity);
};

struct Warmup {
  std::uint64_t runs = 0;
  Nanoseconds time{};
  std::string ended_by{};  ///< Launch::warmup_ended_by.
};

/// Runs until the newest half of what was seen is steady (stats::judge_steadiness), at the latest
/// until rule.max_time has passed; docs/method/warmup.md. Errors: those of Session::run.
Warmup warm_up(Session& session, const Clock& clock, const WarmupRule& rule, const StopFlag& stop,
               ReadingBlock& block);

/// Samples into `log` until `rule` or `stop` ends it and returns Launch::stopped_by. Fewer than
/// min_samples are taken only where twice max_time does not hold them; one is taken in any case.
/// Errors: those of Session::run; the samples before the failure are in `log`.
std::string sample_steadily(Session& session, const Clock& clock, const StopRule& rule,
                            const StopFlag& stop, ReadingBlock& block, ReadingLog& log);

}  // namespace headroom::measure
