// SPDX-License-Identifier: Apache-2.0
// The clock's facts from clocks by script, and what must hold of the real one on any machine.
#include <headroom/base/clock.h>

#include <string>

#include <gtest/gtest.h>

namespace headroom {
namespace {

// Moves by `step` every `period` readings.
class SteppingClock final : public Clock {
 public:
  SteppingClock(Nanoseconds step, int period) : step_(step), period_(period) {}
  TimePoint now() const noexcept override { return TimePoint(step_ * (readings_++ / period_)); }

 private:
  Nanoseconds step_;
  int period_;
  mutable std::int64_t readings_ = 0;
};

TEST(ClockFacts, AreTheMeanCostAndTheSmallestStep) {
  const ClockFacts even = measure_clock(SteppingClock(Nanoseconds(25), 1));
  EXPECT_EQ(even.cost.count(), 25);
  EXPECT_EQ(even.resolution.count(), 25);
  // 100 ns every fourth reading: 25 ns a reading, which shows only in the mean.
  const ClockFacts coarse = measure_clock(SteppingClock(Nanoseconds(100), 4));
  EXPECT_EQ(coarse.cost.count(), 25);
  EXPECT_EQ(coarse.resolution.count(), 100);
}

TEST(ClockFacts, SurviveAClockThatStands) {
  const ClockFacts facts = measure_clock(SteppingClock(Nanoseconds(0), 1));
  EXPECT_EQ(facts.cost.count(), 0);
  EXPECT_EQ(facts.resolution.count(), 0);
}

TEST(SteadyClock, NeverStepsBack) {
  const SteadyClock clock;
  TimePoint last = clock.now();
  for (int i = 0; i < 10'000; ++i) {
    const TimePoint now = clock.now();
    EXPECT_GE(now, last);
    last = now;
  }
}

TEST(UtcTimestamp, IsWrittenAsIso8601) {
  std::string form = utc_timestamp();
  for (char& c : form)
    if (c >= '0' && c <= '9') c = '0';
  EXPECT_EQ(form, "0000-00-00T00:00:00Z");
}

}  // namespace
}  // namespace headroom
