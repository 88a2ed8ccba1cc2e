// SPDX-License-Identifier: Apache-2.0
#include "experiment/budget.h"

#include <headroom/stats.h>

#include <algorithm>
#include <vector>

namespace headroom::experiment {
namespace {

// Part of a launch's time that warm-up may take at most; and what it is taken to need before any
// launch has told.
constexpr std::int64_t kWarmupPart = 2;
constexpr std::int64_t kExpectedWarmupPart = 4;
// The least time for warm-up and sampling, as a part of an equal share.
constexpr std::int64_t kLeastPart = 4;

Nanoseconds load_time(const Launch& launch) {
  return Nanoseconds{launch.read_ns.value_or(0) + launch.create_ns.value_or(0) +
                     launch.first_run_ns.value_or(0)};
}

Nanoseconds sampling_time(const Samples& samples) {
  if (samples.size() == 0) return Nanoseconds{0};
  return Nanoseconds{samples.end_ns.back() - samples.start_ns.front()};
}

Nanoseconds median_of(const std::vector<double>& values) {
  if (values.empty()) return Nanoseconds{0};
  return Nanoseconds{static_cast<std::int64_t>(stats::median(values))};
}

}  // namespace

Share share_of_next(const Budget& budget, std::span<const Record> done) {
  std::vector<double> loads;
  std::vector<double> warmups;
  Nanoseconds left = budget.time;
  for (const Record& record : done) {
    if (record.launches.empty()) continue;
    const Launch& launch = record.launches.front();
    left -= load_time(launch) + Nanoseconds{launch.warmup_ns} + sampling_time(record.samples);
    if (record.samples.size() == 0) continue;
    loads.push_back(static_cast<double>(load_time(launch).count()));
    warmups.push_back(static_cast<double>(launch.warmup_ns));
  }
  const int open = std::max(1, budget.launches - static_cast<int>(done.size()));
  const Nanoseconds least = budget.time / budget.launches / kLeastPart;
  const Nanoseconds usable = std::max(left / open - median_of(loads), least);
  const Nanoseconds most_warmup = usable / kWarmupPart;
  const Nanoseconds expected_warmup =
      warmups.empty() ? usable / kExpectedWarmupPart : std::min(median_of(warmups), most_warmup);
  return {.warmup = most_warmup, .sampling = usable - expected_warmup};
}

}  // namespace headroom::experiment
