// SPDX-License-Identifier: Apache-2.0
// Packs readings as differences.
#include "measure/reading_log.h"

namespace headroom::measure {
namespace {

std::uint64_t difference(TimePoint earlier, TimePoint later) {
  return static_cast<std::uint64_t>((later - earlier).count());
}

}  // namespace

void ReadingLog::put(std::uint64_t value) {
  while (value >= 0x80) {
    bytes_.push_back(static_cast<std::uint8_t>(value | 0x80));
    value >>= 7;
  }
  bytes_.push_back(static_cast<std::uint8_t>(value));
}

void ReadingLog::append(std::span<const TimePoint> starts, std::span<const TimePoint> ends) {
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (size_ == 0) first_start_ = last_end_ = starts[i];
    put(difference(last_end_, starts[i]));
    put(difference(starts[i], ends[i]));
    last_end_ = ends[i];
    ++size_;
  }
}

Samples ReadingLog::unpack() const {
  Samples samples;
  samples.launch.assign(size_, 0);
  samples.start_ns.reserve(size_);
  samples.end_ns.reserve(size_);
  auto byte = bytes_.begin();
  const auto take = [&byte] {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint64_t bits = *byte++;
      value |= (bits & 0x7F) << shift;
      if (bits < 0x80) return static_cast<std::int64_t>(value);
    }
  };
  std::int64_t now = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    samples.start_ns.push_back(now += take());
    samples.end_ns.push_back(now += take());
  }
  return samples;
}

}  // namespace headroom::measure
