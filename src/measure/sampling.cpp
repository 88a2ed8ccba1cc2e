// SPDX-License-Identifier: Apache-2.0
// The bare loop. Whatever is added between the two readings is added to every number of Headroom.
#include <headroom/measure.h>

#include <algorithm>

namespace headroom {

std::size_t take_samples(Session& session, const Clock& clock, TimePoint deadline,
                         const StopFlag& stop, std::span<TimePoint> starts,
                         std::span<TimePoint> ends) {
  const std::size_t capacity = std::min(starts.size(), ends.size());
  for (std::size_t taken = 0; taken < capacity; ++taken) {
    if (stop.load(std::memory_order_relaxed)) return taken;
    const TimePoint start = clock.now();
    session.run();
    const TimePoint end = clock.now();
    starts[taken] = start;
    ends[taken] = end;
    if (end >= deadline) return taken + 1;
  }
  return capacity;
}

}  // namespace headroom
