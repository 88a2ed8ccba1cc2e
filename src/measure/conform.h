// SPDX-License-Identifier: Apache-2.0
// A test case of ONNX's: every data set through the model once, every output against its file.
#pragma once

#include <headroom/measure.h>

namespace headroom::measure {

/// Loads the case's model and runs its data sets in order; `result` holds those that ran to their
/// end, also when a later one throws. Errors: those of Engine::load, bind_values, run; NotFound and
/// BadInput for files; Interrupted when `stop` is set.
void run_data_sets(const Case& plan_case, Engine& engine, const StopFlag& stop,
                   Conformance& result);

}  // namespace headroom::measure
