// SPDX-License-Identifier: Apache-2.0
// A session of ONNX Runtime with its inputs bound.
#pragma once

#include <headroom/engine.h>

#include <memory>

#include "engine/onnxruntime/api.h"
#include "engine/onnxruntime/session_options.h"
#include "engine/onnxruntime/status.h"

namespace headroom::onnxruntime {

/// Reads and creates; tells `observer` when the file has been read and when the session is ready.
std::unique_ptr<Session> create_session(const Ort::Env& env, const ModelSource& source,
                                        const SessionOptions& options,
                                        const LoadObserver& observer);

}  // namespace headroom::onnxruntime
