// SPDX-License-Identifier: Apache-2.0
// The correctness gate: are the outputs right, and could this be seen at all?
#pragma once

#include <headroom/measure.h>

namespace headroom::measure {

/// Runs the case's model as it will be timed, on its inputs and on changed ones, then compares with
/// the reference: the case's stored outputs, else the engine that reference_engine names.
/// docs/method/correctness.md. Errors: those of the engine on the model as it will be timed, and
/// Interrupted when `stop` is set.
Gate run_gate(const Case& plan_case, Engine& engine, const StopFlag& stop);

/// The same with `other` in f32 as the reference, or `engine` itself without graph optimisation
/// where `other` is null or fails on the model.
Gate run_gate(const Case& plan_case, Engine& engine, Engine* other, const StopFlag& stop);

}  // namespace headroom::measure
