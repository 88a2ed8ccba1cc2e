// SPDX-License-Identifier: Apache-2.0
// What a run makes of every value between the nodes.
#pragma once

#include <headroom/engine.h>
#include <headroom/plan.h>
#include <headroom/record.h>

namespace headroom::measure {

/// Runs the case once, without graph optimisation, so that every value exists, and looks at each.
/// Memory: all values at once, in the engine, and a copy of one. Errors: those of load_model,
/// Engine::load, Session::bind and run.
Observation observe(const Case& plan_case, Engine& engine);

}  // namespace headroom::measure
