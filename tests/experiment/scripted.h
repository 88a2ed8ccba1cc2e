// SPDX-License-Identifier: Apache-2.0
// Records as workers give them, with round numbers.
#pragma once

#include <headroom/record.h>

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::test {

/// A launch with these durations, one right after the other; load 10 ms, first run 5 ms.
inline Record launched(const std::vector<std::int64_t>& durations_ns, std::int64_t started_ns = 0) {
  Record record;
  record.engine = {.name = "scripted", .version = "1", .effective = {{"threads", "2"}}};
  Launch launch{.read_ns = 2'000'000,
                .create_ns = 8'000'000,
                .first_run_ns = 5'000'000,
                .warmup_runs = 20,
                .warmup_ns = 40'000'000,
                .warmup_ended_by = "steady",
                .stopped_by = "time",
                .cpu_ns_per_inference = 2e6,
                .memory_loaded_bytes = 50'000'000,
                .peak_memory_bytes = 60'000'000,
                .sampling_start_ns = started_ns,
                .quiet = {.is_quiet = true}};
  std::int64_t now = 0;
  for (const std::int64_t duration : durations_ns) {
    record.samples.launch.push_back(0);
    record.samples.start_ns.push_back(now);
    record.samples.end_ns.push_back(now += duration);
  }
  record.launches.push_back(launch);
  return record;
}

/// A process that failed before it could measure.
inline Record failed(Status status, std::string kind, std::string reason) {
  Record record;
  record.outcome = {.status = status, .reason = std::move(reason), .error_kind = std::move(kind)};
  record.launches.push_back({.outcome = record.outcome});
  return record;
}

inline Record gated(GateStatus status, std::string reason = {}) {
  Record record;
  record.gate = {.status = status, .reference = "stored outputs", .reason = std::move(reason)};
  return record;
}

inline Record profiled(double median_ns) {
  Record record;
  record.profile = {.runs = 10,
                    .instrumented_median_ns = median_ns,
                    .nodes = {{.name = "a", .op = "Conv", .runs = 10, .mean_ns = 100, .share = 1}}};
  return record;
}

}  // namespace headroom::test
