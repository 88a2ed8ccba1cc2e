// SPDX-License-Identifier: Apache-2.0
// A compiled model of OpenVINO with its inputs bound.
#pragma once

#include <headroom/engine.h>

#include <memory>

#include <openvino/openvino.hpp>

namespace headroom::openvino {

/// Reads and compiles; tells `observer` when the file has been read and when the session is ready.
std::unique_ptr<Session> create_session(ov::Core& core, const ModelSource& source,
                                        const SessionOptions& options,
                                        const LoadObserver& observer);

}  // namespace headroom::openvino
