// SPDX-License-Identifier: Apache-2.0
// ONNX's own test cases as an oracle of what is said of a model without running it.
#pragma once

#include <headroom/conformance.h>
#include <headroom/model/datum.h>
#include <headroom/model/model.h>

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace headroom::test {

/// Skips where the cases are not there. Needs `./dev cases`.
class OnnxCases : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(std::filesystem::path(HEADROOM_ONNX_CASES) / "stamp"))
      GTEST_SKIP() << "no test cases: run ./dev cases";
  }
};

/// Shapes of a data set's inputs, and the values of those that are small.
inline ShapeOptions options_of(const DataSet& set) {
  ShapeOptions options;
  for (const DataFile& file : set.inputs) {
    const Datum datum = read_datum_file(file.path, file.kind);
    if (datum.kind != DatumKind::Tensor || file.kind != TypeKind::Tensor) continue;
    options.shapes.emplace(file.name, datum.tensor.shape);
    if (auto elements = known_elements(datum.tensor)) options.values.emplace(file.name, *elements);
  }
  return options;
}

/// For a message: each text on a line of its own.
inline std::string lines_of(const auto& texts) {
  std::string lines;
  for (const std::string& text : texts) lines += "\n  " + text;
  return lines;
}

}  // namespace headroom::test
