// SPDX-License-Identifier: Apache-2.0
// A clock that a test moves, so that nothing has to be waited for.
#pragma once

#include <headroom/base/clock.h>

#include <cstdint>

namespace headroom::test {

class ManualClock final : public Clock {
 public:
  TimePoint now() const noexcept override {
    ++readings_;
    return now_;
  }

  void advance(Nanoseconds time) noexcept { now_ += time; }
  /// How often it was read.
  std::uint64_t readings() const noexcept { return readings_; }

 private:
  TimePoint now_{Nanoseconds{1'000'000'000}};
  mutable std::uint64_t readings_ = 0;
};

}  // namespace headroom::test
