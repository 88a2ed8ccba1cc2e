// SPDX-License-Identifier: Apache-2.0
// What this process has used of the machine so far.
#pragma once

#include <headroom/base/units.h>

#include <cstdint>

namespace headroom::measure {

/// Counters of this process, all threads; two of them tell what happened between.
struct Usage {
  Nanoseconds cpu{};  ///< CLOCK_PROCESS_CPUTIME_ID.
  std::uint64_t involuntary_switches = 0;
  std::uint64_t page_faults = 0;  ///< Major and minor.
};

/// Cost: two system calls.
Usage take_usage() noexcept;

}  // namespace headroom::measure
