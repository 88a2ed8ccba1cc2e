// SPDX-License-Identifier: Apache-2.0
// What is packed comes out as it was.
#include "measure/reading_log.h"

#include <array>

#include <gtest/gtest.h>

namespace headroom::measure {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint at(Nanoseconds time) {
  return TimePoint{1h + time};
}

TEST(ReadingLog, IsEmptyAtFirst) {
  EXPECT_EQ(ReadingLog{}.size(), 0U);
  EXPECT_EQ(ReadingLog{}.unpack().size(), 0U);
}

TEST(ReadingLog, GivesTimesFromTheFirstStart) {
  ReadingLog log;
  // Lengths on both sides of 7, 14, 21 and 35 bits.
  const std::array starts = {at(0ns), at(127ns + 1ns), at(1s), at(2h)};
  const std::array ends = {at(127ns), at(127ns + 16384ns), at(1s + 1ns), at(2h + 40s)};
  log.append(std::span(starts).first(2), std::span(ends).first(2));
  log.append(std::span(starts).last(2), std::span(ends).last(2));
  const Samples samples = log.unpack();
  EXPECT_EQ(log.first_start(), at(0ns));
  EXPECT_EQ(samples.launch, (std::vector<std::int32_t>{0, 0, 0, 0}));
  EXPECT_EQ(samples.start_ns,
            (std::vector<std::int64_t>{0, 128, 1'000'000'000, 7'200'000'000'000}));
  EXPECT_EQ(samples.end_ns,
            (std::vector<std::int64_t>{127, 16511, 1'000'000'001, 7'240'000'000'000}));
}

}  // namespace
}  // namespace headroom::measure
