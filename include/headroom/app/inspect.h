// SPDX-License-Identifier: Apache-2.0
// `headroom inspect`: how much work and memory is in a model, from the file alone, or with what one
// run shows.
#pragma once

#include <headroom/base/clock.h>
#include <headroom/cost.h>
#include <headroom/data.h>
#include <headroom/model/model.h>
#include <headroom/record.h>
#include <headroom/worker.h>

#include <filesystem>
#include <optional>
#include <string>

namespace headroom::app {

struct InspectOptions {
  std::filesystem::path model{};
  ShapeOptions shapes{};  ///< `--shape`, `--dim`.
  bool scans = false;     ///< `--scan`: look at every weight.
};

/// `--observe`: how the model is run.
struct ObserveOptions {
  std::string engine = "onnxruntime";
  InputOptions given{};  ///< `--input`, `--fill`, and the shapes of InspectOptions.
  std::uint64_t seed = 0;
  Limits limits{};
};

struct Inspection {
  Model model;
  Work work{};
  std::optional<Record> observed{};  ///< The run, where there was one.
  /// Of a scan: the initializers and the tensors of Constant nodes, bodies included.
  std::vector<ObservedValue> weights{};
};

/// Reads, inlines, infers and counts; a scan reads the weights too, one at a time. Errors:
/// NotFound, BadInput, Usage, as load_model, infer_shapes and count_work; of a scan also as
/// read_tensor.
Inspection inspect(const InspectOptions& options);

/// The same, with one run before that shows what inference leaves open. Errors: also those of
/// plan_inputs, and what happened to the run.
Inspection inspect_observed(const InspectOptions& options, const ObserveOptions& observing,
                            Launcher& launcher, const Clock& clock, const StopFlag& stop);

}  // namespace headroom::app
