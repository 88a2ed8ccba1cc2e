// SPDX-License-Identifier: Apache-2.0
// Both loops work in blocks: the bare loop fills a block, and only then is anything judged or kept.
#include "measure/steady.h"

#include <headroom/stats.h>

#include <algorithm>

namespace headroom::measure {
namespace {

// One point of the warm-up curve: a block of runs that fills at least this time, so that a model of
// 1 µs is not called steady after 8 µs; processors need some 10 ms to change their frequency.
constexpr Nanoseconds kPointTime{5'000'000};
// Points kept; with a longer limit the oldest half is forgotten, of which no window needs anything.
constexpr std::size_t kMostPoints = 8192;
// The next test is due when this much more has been seen (one part in four).
constexpr std::size_t kGrowth = 4;
// Marks a run that has not ended.
constexpr TimePoint kNoReading = TimePoint::min();

double median_duration(const ReadingBlock& block, std::size_t taken) {
  std::vector<double> durations(taken);
  for (std::size_t i = 0; i < taken; ++i)
    durations[i] = static_cast<double>((block.ends[i] - block.starts[i]).count());
  return stats::median(durations);
}

// The newest half, and never fewer than the test needs where there are as many.
bool is_steady(const std::vector<double>& points) {
  const std::size_t window =
      std::min(points.size(), std::max(stats::kFewestForSteadiness, (points.size() + 1) / 2));
  return stats::judge_steadiness(std::span(points).last(window)).is_steady;
}

void forget_oldest(std::vector<double>& points) {
  if (points.size() < kMostPoints) return;
  points.erase(points.begin(), points.begin() + kMostPoints / 2);
}

// One block; when a run fails, the samples before it are kept.
std::size_t take_block(Session& session, const Clock& clock, TimePoint deadline,
                       const StopFlag& stop, std::size_t most, ReadingBlock& block,
                       ReadingLog& log) {
  const auto starts = std::span(block.starts).first(most);
  const auto ends = std::span(block.ends).first(most);
  std::fill(ends.begin(), ends.end(), kNoReading);
  try {
    const std::size_t taken = take_samples(session, clock, deadline, stop, starts, ends);
    log.append(starts.first(taken), ends.first(taken));
    return taken;
  } catch (...) {
    const auto taken =
        static_cast<std::size_t>(std::find(ends.begin(), ends.end(), kNoReading) - ends.begin());
    log.append(starts.first(taken), ends.first(taken));
    throw;
  }
}

}  // namespace

Warmup warm_up(Session& session, const Clock& clock, const WarmupRule& rule, const StopFlag& stop,
               ReadingBlock& block) {
  Warmup result{.ended_by = "time"};
  if (rule.max_time <= Nanoseconds{0}) return result;
  std::vector<double> points;
  points.reserve(256);
  std::size_t seen = 0;
  std::size_t next_test = stats::kFewestForSteadiness;
  const TimePoint begin = clock.now();
  while (true) {
    const TimePoint deadline = std::min(clock.now() + kPointTime, begin + rule.max_time);
    const std::size_t taken =
        take_samples(session, clock, deadline, stop, block.starts, block.ends);
    if (taken > 0) {
      result.runs += taken;
      result.time = block.ends[taken - 1] - begin;
      points.push_back(median_duration(block, taken));
      ++seen;
    }
    if (stop.load(std::memory_order_relaxed)) return result.ended_by = "interrupt", result;
    if (seen >= next_test && result.runs >= rule.min_runs) {
      if (is_steady(points)) return result.ended_by = "steady", result;
      next_test = seen + std::max<std::size_t>(1, seen / kGrowth);
    }
    if (result.time >= rule.max_time) break;
    forget_oldest(points);
  }
  if (seen < stats::kFewestForSteadiness) result.ended_by = "few_runs";
  return result;
}

std::string sample_steadily(Session& session, const Clock& clock, const StopRule& rule,
                            const StopFlag& stop, ReadingBlock& block, ReadingLog& log) {
  const std::uint64_t most = std::max<std::uint64_t>(1, rule.max_samples);
  const std::uint64_t fewest = std::clamp<std::uint64_t>(rule.min_samples, 1, most);
  const TimePoint begin = clock.now();
  const TimePoint soft = begin + rule.max_time;
  const TimePoint hard = soft + rule.max_time;
  TimePoint now = begin;
  while (log.size() < most) {
    const bool has_enough = log.size() >= fewest;
    const TimePoint deadline = has_enough ? soft : hard;
    if (log.size() > 0 && now >= deadline) return "time";
    const std::uint64_t wanted = (has_enough ? most : fewest) - log.size();
    const auto room =
        static_cast<std::size_t>(std::min<std::uint64_t>(wanted, ReadingBlock::kCapacity));
    const std::size_t taken = take_block(session, clock, deadline, stop, room, block, log);
    if (taken > 0) now = block.ends[taken - 1];
    if (stop.load(std::memory_order_relaxed)) return "interrupt";
  }
  return "samples";
}

}  // namespace headroom::measure
