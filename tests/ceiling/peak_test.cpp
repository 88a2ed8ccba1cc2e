// SPDX-License-Identifier: Apache-2.0
// Peaks from kernels and clocks by script: no real time decides.
#include "ceiling/peak.h"

#include <headroom/base/error.h>

#include <atomic>

#include <gtest/gtest.h>

#include "ceiling/kernels.h"

namespace headroom {
namespace {

using std::chrono::milliseconds;

// Every reading is one millisecond after the last.
class TickingClock final : public Clock {
 public:
  TimePoint now() const noexcept override { return TimePoint(milliseconds(ticks_++)); }

 private:
  mutable std::atomic<int> ticks_{0};
};

// Gives the right sum at once.
double run_at_once(std::uint64_t iterations);
const FmaKernel kRight{.isa = "test", .lanes = 8, .is_available = nullptr, .run = run_at_once};
double run_at_once(std::uint64_t iterations) {
  return expected_sum(kRight, iterations);
}

TEST(Peak, IsTheWorkOverTheTimeOfASlice) {
  // Slices of 4 ms are wanted and every run takes 1 ms, so 4096 iterations become 4 times as many:
  // 16,384 iterations x 12 chains x 8 lanes x 2 operations in 1 ms.
  const Peak peak = measure_peak(TickingClock(), kRight, 1,
                                 {.warmups = 2, .repetitions = 7, .slice = milliseconds(4)});
  EXPECT_DOUBLE_EQ(peak.rate.per_second, 16'384.0 * 12 * 8 * 2 / 0.001);
  EXPECT_EQ(peak.low.per_second, peak.rate.per_second);
  EXPECT_EQ(peak.high.per_second, peak.rate.per_second);
  EXPECT_EQ(peak.best.per_second, peak.rate.per_second);
  EXPECT_EQ(peak.isa, "test");
  EXPECT_EQ(peak.type, "float32");
  EXPECT_EQ(peak.threads, 1);
  EXPECT_EQ(peak.repetitions, 7);
}

// As TickingClock, but the first run seems to take a second.
class InterruptedClock final : public Clock {
 public:
  TimePoint now() const noexcept override {
    const int reading = ticks_++;
    return TimePoint(milliseconds(reading == 0 ? 0 : reading + 1000));
  }

 private:
  mutable int ticks_ = 0;
};

// Slices came out a thousand times too short on a busy machine, and two threads never met.
TEST(Peak, IsNotMisledByAnInterruptionWhileItFindsTheLengthOfASlice) {
  const Peak peak = measure_peak(InterruptedClock(), kRight, 1,
                                 {.warmups = 0, .repetitions = 5, .slice = milliseconds(4)});
  EXPECT_DOUBLE_EQ(peak.rate.per_second, 16'384.0 * 12 * 8 * 2 / 0.001);
}

TEST(Peak, IsRefusedWhenTheResultIsWrong) {
  const FmaKernel wrong{
      .isa = "test", .lanes = 8, .is_available = nullptr, .run = [](std::uint64_t n) {
        return expected_sum(kRight, n) + 1;
      }};
  try {
    measure_peak(TickingClock(), wrong, 1, {});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Internal);
  }
}

// Two threads whose slices never overlap have no common rate: the clock gives each of its readings
// 1 ms, so two slices of 1 ms lie side by side or cross by chance, never by 80 %.
TEST(Peak, IsRefusedWhenTheThreadsDidNotRunAtOnce) {
  try {
    measure_peak(TickingClock(), kRight, 2, {.repetitions = 10, .slice = milliseconds(4)});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Limit);
    EXPECT_NE(std::string(error.what()).find("fewer threads"), std::string::npos);
  }
}

// Readings at 0 and 1 ms in turn for every thread, as if all had run at once.
class AlternatingClock final : public Clock {
 public:
  TimePoint now() const noexcept override {
    thread_local int reading = 0;
    return TimePoint(milliseconds(reading++ % 2));
  }
};

TEST(Peak, AddsTheRatesOfThreadsThatRunAtOnce) {
  const PeakRule rule{.warmups = 0, .repetitions = 5, .slice = milliseconds(4)};
  const Peak one = measure_peak(AlternatingClock(), kRight, 1, rule);
  const Peak three = measure_peak(AlternatingClock(), kRight, 3, rule);
  EXPECT_DOUBLE_EQ(three.rate.per_second, 3 * one.rate.per_second);
}

TEST(Peak, TakesNoMoreIterationsThanALaneCounts) {
  // Each run seems to take 1 ms, so an hour can never be reached.
  const Peak peak = measure_peak(TickingClock(), kRight, 1,
                                 {.warmups = 0, .repetitions = 5, .slice = std::chrono::hours(1)});
  EXPECT_DOUBLE_EQ(peak.rate.per_second, static_cast<double>(kMostIterations) * 12 * 8 * 2 / 0.001);
}

}  // namespace
}  // namespace headroom
