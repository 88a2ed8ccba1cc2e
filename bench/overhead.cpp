// SPDX-License-Identifier: Apache-2.0
// Our own cost per request beyond two clock readings, on the engine that does nothing. Each process
// gives one value: the difference of two loops that take turns in blocks, so that slow phases of
// the machine fall on both. The interval is over processes.
//
// Usage: bench_overhead [PROCESSES]
#include <headroom/measure.h>

#include <cstdlib>
#include <vector>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interval.h"
#include "measure/steady.h"

namespace {

using namespace headroom;
using measure::ReadingBlock;
using measure::ReadingLog;

constexpr int kBlocks = 40;
constexpr std::size_t kRequests = 40'960;  // of a block
constexpr double kGoal = 500;              // ns

/// Medians over blocks, ns a request.
struct Costs {
  double readings = 0;  // two clock readings
  double loop = 0;      // take_samples
  double sampling = 0;  // sample_steadily: blocks, stop rule and packing too
};

template <class Body>
double time_of(const Clock& clock, Body&& body) {
  const TimePoint start = clock.now();
  body();
  return static_cast<double>((clock.now() - start).count()) / static_cast<double>(kRequests);
}

void read_twice(const Clock& clock) {
  Nanoseconds sum{0};
  for (std::size_t i = 0; i < kRequests; ++i) {
    const TimePoint start = clock.now();
    sum += clock.now() - start;
  }
  if (sum < Nanoseconds{0}) std::abort();  // keeps the loop
}

void loop(Session& session, const Clock& clock, const StopFlag& stop, ReadingBlock& block) {
  for (std::size_t done = 0; done < kRequests; done += ReadingBlock::kCapacity)
    take_samples(session, clock, TimePoint::max(), stop, block.starts, block.ends);
}

Costs measure_costs() {
  const auto engine = make_engine("null");
  const auto session = engine->load({}, {}, {});
  const SteadyClock clock;
  const StopFlag stop{false};
  ReadingBlock block;
  std::vector<double> readings;
  std::vector<double> loops;
  std::vector<double> samplings;
  for (int i = 0; i < kBlocks; ++i) {
    readings.push_back(time_of(clock, [&] { read_twice(clock); }));
    loops.push_back(time_of(clock, [&] { loop(*session, clock, stop, block); }));
    samplings.push_back(time_of(clock, [&] {
      ReadingLog log;
      measure::sample_steadily(
          *session, clock,
          {.min_samples = 1, .max_samples = kRequests, .max_time = std::chrono::hours{1}}, stop,
          block, log);
    }));
  }
  return {stats::median(readings), stats::median(loops), stats::median(samplings)};
}

// In a process of its own.
Costs costs_of_a_process() {
  int ends[2];
  if (pipe(ends) != 0) std::exit(1);
  const pid_t child = fork();
  if (child == 0) {
    const Costs costs = measure_costs();
    _exit(write(ends[1], &costs, sizeof costs) == static_cast<ssize_t>(sizeof costs) ? 0 : 1);
  }
  close(ends[1]);
  Costs costs;
  const bool is_whole = read(ends[0], &costs, sizeof costs) == static_cast<ssize_t>(sizeof costs);
  close(ends[0]);
  waitpid(child, nullptr, 0);
  if (!is_whole) std::exit(1);
  return costs;
}

void print(const char* name, const std::vector<double>& values) {
  const auto [mean, interval] = bench::estimate(values);
  fmt::print("| {} | {:.1f} ns | {:.1f} to {:.1f} ns |\n", name, mean, interval.low, interval.high);
}

}  // namespace

int main(int argc, char** argv) {
  const int processes = argc > 1 ? std::atoi(argv[1]) : 20;
  if (processes < 2) {
    fmt::print(stderr, "usage: bench_overhead [PROCESSES], at least 2\n");
    return 2;
  }
  std::vector<double> readings;
  std::vector<double> loops;
  std::vector<double> samplings;
  for (int i = 0; i < processes; ++i) {
    const Costs costs = costs_of_a_process();
    readings.push_back(costs.readings);
    loops.push_back(costs.loop - costs.readings);
    samplings.push_back(costs.sampling - costs.readings);
  }
  fmt::print("| per request, {} processes | mean | 95 % interval |\n| --- | --- | --- |\n",
             processes);
  print("two clock readings", readings);
  print("bare loop beyond them", loops);
  print("with stop rule and packing of samples beyond them", samplings);
  const bool is_met = bench::estimate(samplings).interval.high <= kGoal;
  fmt::print("\nGoal: at most {:.0f} ns beyond two clock readings: {}.\n", kGoal,
             is_met ? "met" : "not met");
  return is_met ? 0 : 1;
}
