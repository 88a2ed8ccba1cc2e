// SPDX-License-Identifier: Apache-2.0
// Waits for a worker without disturbing it, and holds it to its limits.
#pragma once

#include <headroom/measure.h>

#include <cstdint>
#include <string>

#include "worker/child.h"

namespace headroom::worker {

/// What ended the worker.
enum class Cause : std::uint8_t {
  Itself,
  TimeLimit,
  MemoryLimit,
  Interrupt,
  Lingering,  ///< It closed its record and did not end.
  Flooding,   ///< Its record grew beyond all measure.
};

struct Ending {
  Cause cause = Cause::Itself;
  int status = 0;  ///< As waitpid gives it.
  std::string record{};
  std::string last_words{};  ///< The end of what it and its engine printed.
  Bytes memory{};            ///< What was found when the memory limit was passed.
};

/// Reads what the worker gives until it ends. A limit of time or `stop` asks it to end, and kills
/// it when it does not; a limit of memory kills it at once. Cost: the caller sleeps in poll and
/// wakes for data, for the end, and ten times a second for `stop` (fifty times where memory is
/// limited): docs/method/clock-and-sampling.md.
Ending attend(Child& child, const Limits& limits, const StopFlag& stop, const Clock& clock);

}  // namespace headroom::worker
