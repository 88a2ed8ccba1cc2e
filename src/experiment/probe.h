// SPDX-License-Identifier: Apache-2.0
// The search for inputs that the engine accepts, when some of them had to be guessed.
#pragma once

#include <headroom/experiment.h>

#include <string>

namespace headroom::experiment {

/// What the search found.
struct Accepted {
  Case plan_case{};    ///< The first accepted one; the planned one if none was.
  Outcome outcome{};   ///< Ok, or why there is nothing to run.
  std::string note{};  ///< What was refused and what worked; empty if the first worked.
};

/// Tries the planned case, then its alternatives in order, in processes of their own, until one is
/// accepted, `plan.probe_time` is over or the failure is none that other inputs could mend.
Accepted find_accepted(const RunPlan& plan, Launcher& launcher, const Clock& clock,
                       const StopFlag& stop, const ProgressSink& progress);

/// The node that an engine's message blames, as `'NAME' (OP)`; empty where it names none.
/// Source: the wording of ONNX Runtime, "while running OP node. Name:'NAME'".
std::string blamed_node(std::string_view message);

/// The inputs in which `plan_case` differs from `other`: `x=1x3x48x320, rate=scalar (8000 to
/// 8000)`.
std::string describe_difference(const Case& plan_case, const Case& other);

}  // namespace headroom::experiment
