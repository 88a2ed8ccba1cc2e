// SPDX-License-Identifier: Apache-2.0
// The steady clock, its cost, and wall time as a label.
#include <headroom/base/clock.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <vector>

namespace headroom {

TimePoint SteadyClock::now() const noexcept {
  return std::chrono::steady_clock::now();
}

ClockFacts measure_clock(const Clock& clock) {
  constexpr int kBlocks = 200;
  constexpr int kReadings = 1000;
  std::vector<Nanoseconds> block_costs;
  Nanoseconds resolution = Nanoseconds::max();
  for (int block = 0; block < kBlocks; ++block) {
    const TimePoint start = clock.now();
    TimePoint previous = start;
    for (int reading = 0; reading < kReadings; ++reading) {
      const TimePoint now = clock.now();
      if (now > previous) resolution = std::min(resolution, now - previous);
      previous = now;
    }
    block_costs.push_back((previous - start) / kReadings);
  }
  std::nth_element(block_costs.begin(), block_costs.begin() + kBlocks / 2, block_costs.end());
  if (resolution == Nanoseconds::max()) resolution = Nanoseconds{0};
  return {.cost = block_costs[kBlocks / 2], .resolution = resolution};
}

std::string utc_timestamp() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text.data(), length};
}

}  // namespace headroom
