// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime's failures as Errors of ours, by what was being done.
#pragma once

#include <string_view>

#include "engine/adapter.h"
#include "engine/onnxruntime/api.h"

namespace headroom::onnxruntime {

/// The kind that `code` and `message` mean at `stage`.
ErrorKind kind_of(Stage stage, OrtErrorCode code, std::string_view message);

/// An Error that names the engine, what was being done to `what`, and the engine's own message on
/// one line, without the place in the engine's source.
Error make_error(Stage stage, std::string_view what, OrtErrorCode code, std::string_view message);

/// Calls `call`; a failure of ONNX Runtime in it leaves as make_error's.
template <class Call>
auto translated(const Stage& stage, std::string_view what, Call&& call) {
  try {
    return call();
  } catch (const Ort::Exception& exception) {
    throw make_error(stage, what, exception.GetOrtErrorCode(), exception.what());
  }
}

}  // namespace headroom::onnxruntime
