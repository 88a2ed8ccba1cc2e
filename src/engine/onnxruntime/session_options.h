// SPDX-License-Identifier: Apache-2.0
// From what is asked of a session to ONNX Runtime's options, and back to what is known to be in
// force.
#pragma once

#include <headroom/engine.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "engine/onnxruntime/api.h"

namespace headroom::onnxruntime {

/// Errors: Usage for a setting, a value or a number of threads; Unsupported for a precision.
void check_options(const SessionOptions& options);

/// The optimised graph that the creation of an instrumented session has left in its folder. The
/// weights that it names are not there.
std::filesystem::path take_optimized_graph(const std::filesystem::path& profile_folder);

/// `options` must have passed check_options. Errors: Limit where the profile folder cannot be
/// written.
Ort::SessionOptions make_options(const SessionOptions& options);

/// What a session's creation showed.
struct Observations {
  std::size_t threads_started = 0;
  std::string optimization_level{};  ///< `disable`, `basic`, …: the highest whose optimisers ran.
};

/// The highest optimisation level that a log line of the creation proves; empty for any other line.
std::string_view level_shown_by(std::string_view line);

std::map<std::string, std::string> effective_options(const SessionOptions& options,
                                                     const Observations& observations);

}  // namespace headroom::onnxruntime
