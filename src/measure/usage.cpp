// SPDX-License-Identifier: Apache-2.0
// CPU time from its clock (nanoseconds), the rest from getrusage.
#include "measure/usage.h"

#include <ctime>

#include <sys/resource.h>

namespace headroom::measure {

Usage take_usage() noexcept {
  timespec cpu{};
  rusage usage{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  getrusage(RUSAGE_SELF, &usage);
  return {.cpu = std::chrono::seconds{cpu.tv_sec} + Nanoseconds{cpu.tv_nsec},
          .involuntary_switches = static_cast<std::uint64_t>(usage.ru_nivcsw),
          .page_faults = static_cast<std::uint64_t>(usage.ru_majflt + usage.ru_minflt)};
}

}  // namespace headroom::measure
