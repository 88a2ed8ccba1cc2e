// SPDX-License-Identifier: Apache-2.0
// The instrumented run: times by operator, in a process that is not timed otherwise.
#pragma once

#include <headroom/measure.h>

namespace headroom::measure {

/// Some warm-up runs, then instrumented runs bounded by number and time, then the engine's own
/// times of its nodes. What is left behind by the engine is removed, also after a failure. Errors:
/// those of the engine; Limit if no temporary folder can be made.
Profile run_profile(const Case& plan_case, Engine& engine, const Clock& clock,
                    const StopFlag& stop);

}  // namespace headroom::measure
