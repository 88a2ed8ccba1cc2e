// SPDX-License-Identifier: Apache-2.0
// `headroom inspect`: how much work and memory is in a model, from the file alone.
#pragma once

#include <headroom/cost.h>
#include <headroom/model/model.h>

#include <filesystem>

namespace headroom::app {

struct InspectOptions {
  std::filesystem::path model{};
  ShapeOptions shapes{};  ///< `--shape`, `--dim`.
};

struct Inspection {
  Model model;
  Work work{};
};

/// Reads, inlines, infers and counts. Errors: NotFound, BadInput, Usage, as load_model,
/// infer_shapes and count_work.
Inspection inspect(const InspectOptions& options);

}  // namespace headroom::app
