// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime's failures as Errors of ours, by what was being done.
#pragma once

#include <headroom/base/error.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/onnxruntime/api.h"

namespace headroom::onnxruntime {

enum class Stage : std::uint8_t {
  Read,    ///< The file is read, parsed and checked.
  Create,  ///< The graph is optimised, kernels are found, weights are prepared.
  Bind,
  Run,
  Other,
};

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
