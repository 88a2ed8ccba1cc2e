// SPDX-License-Identifier: Apache-2.0
// All samples of a launch in a few bytes each, so that a million of them do not show in the memory
// that is measured.
#pragma once

#include <headroom/base/clock.h>
#include <headroom/record.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>

namespace headroom::measure {

/// Samples in order: the pause before each and its duration as variable-length integers (7 bits a
/// byte). A run of 1 µs takes 3 bytes, one of 1 s takes 6.
class ReadingLog {
 public:
  /// Cost: some nanoseconds a sample; memory grows here, between two blocks of samples.
  void append(std::span<const TimePoint> starts, std::span<const TimePoint> ends);

  std::size_t size() const noexcept { return size_; }
  TimePoint first_start() const noexcept { return first_start_; }
  /// Times count from the first sample's start; launch 0.
  Samples unpack() const;

 private:
  void put(std::uint64_t value);

  std::deque<std::uint8_t> bytes_;
  std::size_t size_ = 0;
  TimePoint first_start_{};
  TimePoint last_end_{};
};

}  // namespace headroom::measure
