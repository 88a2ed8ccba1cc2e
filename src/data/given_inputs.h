// SPDX-License-Identifier: Apache-2.0
// Inputs that lie in files: the user's, or a test data set beside the model.
#pragma once

#include <headroom/data.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/facts.h"

namespace headroom {

/// A test data set in the layout of ONNX's own: `test_data_set_0/input_K.pb`, `output_K.pb`.
struct TestData {
  std::string folder{};               ///< The folder's name.
  std::vector<std::string> inputs{};  ///< Absolute paths in the order of the inputs.
  std::vector<std::string> outputs{};
};

/// The set beside `model`, if it has a file for each of `inputs`. A set that lacks one gives a
/// note.
std::optional<TestData> find_test_data(const std::filesystem::path& model, std::size_t inputs,
                                       std::vector<std::string>& notes);

/// Reads the type and shape of `path` into `input`. Errors: BadInput when they differ from the
/// model's, naming the input, what is needed and what was found.
void give_file(InputFacts& input, const std::filesystem::path& path);

/// Sets the shape. Errors: Usage when its rank or a fixed size differs from the model's.
void give_shape(InputFacts& input, const std::vector<std::int64_t>& shape);

}  // namespace headroom
