// SPDX-License-Identifier: Apache-2.0
// Folders of test cases in ONNX's layout, made on the spot.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/model_builder.h"
#include "support/temp_folder.h"

namespace headroom::test {

class TestFolder {
 public:
  std::filesystem::path path() const { return folder_.path(); }

  void write(const std::filesystem::path& place, std::string_view bytes) const {
    const std::filesystem::path file = path() / place;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
  }

  /// A case `name` whose model is y = relu(x) and whose one data set holds `input` and `output`.
  void add(const std::string& name, float input, float output) const {
    ModelBuilder model;
    model.input("x", ElementType::Float32, {{1}})
        .node("Relu", {"x"}, {"y"})
        .output("y", ElementType::Float32, {{1}});
    write(name + "/model.onnx", model.bytes());
    write(name + "/test_data_set_0/input_0.pb", float_tensor("x", {1}, {input}).bytes);
    write(name + "/test_data_set_0/output_0.pb", float_tensor("y", {1}, {output}).bytes);
  }

 private:
  TempFolder folder_{};
};

}  // namespace headroom::test
