// SPDX-License-Identifier: Apache-2.0
// What one session keeps of the shapes that it has met.
#pragma once

#include <headroom/engine.h>
#include <headroom/host.h>
#include <headroom/measure.h>
#include <headroom/plan.h>
#include <headroom/record.h>

namespace headroom::measure {

/// Gives one session the inputs of the case in turn and runs each a few times. Errors: Unsupported
/// where the process cannot see its memory; Interrupted; those of Engine::load, Session::bind and
/// run.
ShapeMemory run_shapes(const Case& plan_case, Engine& engine, const Host& host,
                       const StopFlag& stop);

}  // namespace headroom::measure
