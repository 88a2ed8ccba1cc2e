// SPDX-License-Identifier: Apache-2.0
// Input tensors that are valid for a graph: which shapes and values, why, and the tensors
// themselves.
#pragma once

#include <headroom/model/model.h>
#include <headroom/plan.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// What the user says about the inputs.
struct InputOptions {
  ShapeOptions shapes{};
  std::map<std::string, std::filesystem::path> files{};  ///< `--input NAME=FILE`.
  std::optional<Fill> fill{};           ///< `--fill KIND`: of every generated float input.
  std::map<std::string, Fill> fills{};  ///< `--fill NAME=KIND`.
  bool use_test_data = true;            ///< Look for test_data_set_0 beside the model.
};

/// The inputs of a model, with the rule behind each choice.
struct InputPlan {
  std::vector<InputSpec> inputs{};
  std::string source{};                  ///< Case::inputs_from.
  std::vector<std::string> reference{};  ///< Expected outputs that belong to the inputs, if any.
  bool is_guessed = false;               ///< An open dimension or a free scalar was chosen by rule.
  std::vector<std::string> notes{};      ///< What was chosen and why, a line each.
};

/// Chooses inputs in this order: files of the user, a test data set beside the model, generated.
/// Open dimensions by docs/method/inputs.md; equal symbols get equal sizes. `model` must have its
/// shapes inferred without options. Errors: Usage (unknown name, wrong rank), NotFound and BadInput
/// (files, with the input's name), Unsupported for an input that is not a tensor.
InputPlan plan_inputs(const Model& model, const InputOptions& options);

/// Other customary choices for what plan_inputs guessed, most likely first, the first one not
/// repeated; empty when nothing was guessed. At most 24.
std::vector<InputPlan> alternative_inputs(const Model& model, const InputOptions& options);

/// Makes the tensor of `spec`. Same spec and seed, same bits on every machine.
/// Errors: NotFound, BadInput for files whose type or shape differs from the spec's.
Tensor make_input(const InputSpec& spec, std::uint64_t seed);

/// Reads `.npy` (versions 1 to 3, C order) or `.pb`. Errors: NotFound, BadInput, Unsupported.
/// Source: NumPy enhancement proposal 1.
Tensor read_tensor_from(const std::filesystem::path& path);

}  // namespace headroom
