// SPDX-License-Identifier: Apache-2.0
// Timing of kernels: slices of equal work, started together on every thread.
#include "ceiling/peak.h"

#include <headroom/base/error.h>
#include <headroom/stats.h>

#include <algorithm>
#include <barrier>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "ceiling/kernels.h"

namespace headroom {
namespace {

// One thread's part of one repetition.
struct Slice {
  TimePoint start{};
  TimePoint end{};
  double sum = 0;
};

Slice run_slice(const Clock& clock, const FmaKernel& kernel, std::uint64_t iterations) {
  Slice slice;
  slice.start = clock.now();
  slice.sum = kernel.run(iterations);
  slice.end = clock.now();
  return slice;
}

void require_right(const FmaKernel& kernel, std::uint64_t iterations, const Slice& slice) {
  const double expected = expected_sum(kernel, iterations);
  if (slice.sum == expected) return;
  throw Error(
      ErrorKind::Internal,
      fmt::format("the {} kernel gave {} where {} is right: the processor, its emulation or "
                  "the compiler is at fault, and no peak is told",
                  kernel.isa, slice.sum, expected));
}

// The fastest of some runs: an interruption only ever adds.
Nanoseconds shortest_time(const Clock& clock, const FmaKernel& kernel, std::uint64_t iterations) {
  constexpr int kRuns = 5;
  Nanoseconds shortest = Nanoseconds::max();
  for (int run = 0; run < kRuns; ++run) {
    const Slice slice = run_slice(clock, kernel, iterations);
    require_right(kernel, iterations, slice);
    shortest = std::min<Nanoseconds>(shortest, slice.end - slice.start);
  }
  return shortest;
}

// Iterations that take about `wanted`, found by doubling; at most what a lane can count.
std::uint64_t find_iterations(const Clock& clock, const FmaKernel& kernel, Nanoseconds wanted) {
  constexpr std::uint64_t kFirst = 1ULL << 12U;
  for (std::uint64_t iterations = kFirst; iterations < kMostIterations; iterations *= 2) {
    const Nanoseconds time = shortest_time(clock, kernel, iterations);
    if (time * 4 < wanted) continue;
    const double ratio = Seconds(wanted) / Seconds(time);
    const double scaled = static_cast<double>(iterations) * ratio;
    return static_cast<std::uint64_t>(
        std::clamp(scaled, 1.0, static_cast<double>(kMostIterations)));
  }
  return kMostIterations;
}

// slices[repetition][thread]
using Slices = std::vector<std::vector<Slice>>;

Slices run_together(const Clock& clock, const FmaKernel& kernel, std::uint64_t iterations,
                    int threads, int repetitions) {
  const auto count = static_cast<std::size_t>(threads);
  Slices slices(static_cast<std::size_t>(repetitions), std::vector<Slice>(count));
  std::barrier start_line(threads);
  std::vector<std::jthread> others;
  const auto work = [&](std::size_t thread) {
    for (std::vector<Slice>& repetition : slices) {
      start_line.arrive_and_wait();
      repetition[thread] = run_slice(clock, kernel, iterations);
    }
  };
  for (std::size_t thread = 1; thread < count; ++thread) others.emplace_back(work, thread);
  work(0);
  return slices;
}

// The sum of the threads' rates while all of them ran; 0 if they hardly ran at once, which would
// add rates of different moments.
double rate_of(const std::vector<Slice>& repetition, double flops) {
  constexpr double kOverlap = 0.8;
  TimePoint start = repetition.front().start;
  TimePoint end = repetition.front().end;
  Nanoseconds longest{0};
  double rate = 0;
  for (const Slice& slice : repetition) {
    start = std::max(start, slice.start);
    end = std::min(end, slice.end);
    longest = std::max(longest, slice.end - slice.start);
    rate += flops / Seconds(slice.end - slice.start).count();
  }
  return Seconds(end - start) < kOverlap * Seconds(longest) ? 0 : rate;
}

}  // namespace

Peak measure_peak(const Clock& clock, const FmaKernel& kernel, int threads, const PeakRule& rule) {
  constexpr std::size_t kFewest = 5;
  const std::uint64_t iterations = find_iterations(clock, kernel, rule.slice);
  const double flops_of_slice =
      static_cast<double>(flops(MacCount{macs_of(kernel, iterations)}).value);
  const Slices slices =
      run_together(clock, kernel, iterations, threads, rule.warmups + rule.repetitions);
  std::vector<double> rates;
  for (auto repetition = slices.begin() + rule.warmups; repetition != slices.end(); ++repetition) {
    for (const Slice& slice : *repetition) require_right(kernel, iterations, slice);
    if (const double rate = rate_of(*repetition, flops_of_slice); rate > 0) rates.push_back(rate);
  }
  if (rates.size() < kFewest) {
    throw Error(ErrorKind::Limit,
                fmt::format("{} threads ran at once in only {} of {} repetitions: other work or a "
                            "quota holds the CPUs; ask for fewer threads or a quieter machine",
                            threads, rates.size(), rule.repetitions));
  }
  const stats::Interval interval = stats::median_interval(rates);
  return {.isa = kernel.isa,
          .type = "float32",
          .threads = threads,
          .rate = {stats::median(rates)},
          .low = {interval.low},
          .high = {interval.high},
          .best = {*std::max_element(rates.begin(), rates.end())},
          .repetitions = static_cast<int>(rates.size())};
}

}  // namespace headroom
