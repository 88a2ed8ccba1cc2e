// SPDX-License-Identifier: Apache-2.0
// The one function that the module of OpenVINO exports. Both sides are built together: the module's
// file name holds the version.
#pragma once

#include <headroom/engine.h>

namespace headroom {

inline constexpr const char* kOpenvinoEntry = "headroom_new_openvino_engine";
/// Gives an engine that the caller owns. Errors: those of OpenVINO's start, as Error.
using OpenvinoEntry = Engine*();

}  // namespace headroom
