// SPDX-License-Identifier: Apache-2.0
// Our options as OpenVINO's properties, and what the compiled model says of them.
#pragma once

#include <headroom/engine.h>

#include <map>
#include <string>

#include <openvino/openvino.hpp>

namespace headroom::openvino {

/// Errors: Usage for an unknown setting or value or too few threads; Unsupported for a precision
/// that the engine lacks, and without optimisation.
void check_options(const SessionOptions& options);

ov::AnyMap make_properties(const SessionOptions& options);

/// Every property that `compiled` tells, and of the settings those that it does not, as asked.
std::map<std::string, std::string> effective_options(const SessionOptions& options,
                                                     const ov::CompiledModel& compiled);

}  // namespace headroom::openvino
