// SPDX-License-Identifier: Apache-2.0
// Times a kernel on one or several threads and makes a peak of it. docs/method/ceilings.md
#pragma once

#include <headroom/base/clock.h>
#include <headroom/ceiling.h>

#include "ceiling/kernel.h"

namespace headroom {

/// How often and how long.
struct PeakRule {
  int warmups = 5;       ///< Repetitions that bring up clock and voltage; not counted.
  int repetitions = 61;  ///< With 15 ms each, about one second.
  Nanoseconds slice{
      15'000'000};  ///< Long against a clock reading, short against a scheduler's turn.
};

/// Errors: Internal when the kernel gives a wrong result; Limit when the threads did not run at
/// once.
Peak measure_peak(const Clock& clock, const FmaKernel& kernel, int threads, const PeakRule& rule);

}  // namespace headroom
