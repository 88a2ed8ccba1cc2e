// SPDX-License-Identifier: Apache-2.0
// A model in a folder, and parts of it beside it.
#pragma once

#include <headroom/model/extract.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/model_builder.h"
#include "support/thrown.h"

namespace headroom::test {

using Texts = std::vector<std::string>;

inline Texts names_of(const Graph& graph, const std::vector<ValueId>& ids) {
  Texts names;
  for (const ValueId id : ids) names.push_back(graph.values.at(id).name);
  return names;
}

inline Texts initializers(const Graph& graph) {
  Texts names;
  for (const StoredTensor& tensor : graph.initializers) names.push_back(tensor.name);
  return names;
}

inline std::string bytes_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class ExtractFixture : public testing::Test {
 protected:
  std::filesystem::path folder() const { return home_.path(); }
  std::filesystem::path source() const { return folder() / "model.onnx"; }
  std::filesystem::path output() const { return folder() / "part.onnx"; }

  Model loaded(const ModelBuilder& builder) const {
    builder.write(source());
    return load_for_parts(source());
  }
  Model written(const Model& model, const Part& part) const {
    write_part(model, part, output());
    return load_model(output());
  }
  Model by_node(const ModelBuilder& builder, const Texts& nodes) const {
    const Model model = loaded(builder);
    return written(model, part_of(model.graph, nodes_named(model, nodes)));
  }
  Model between(const ModelBuilder& builder, const Texts& from, const Texts& to) const {
    const Model model = loaded(builder);
    return written(model, part_between(model.graph, from, to));
  }
  std::string usage_error(const ModelBuilder& builder, const Texts& nodes) const {
    const Model model = loaded(builder);
    return message_of(ErrorKind::Usage, [&] { nodes_named(model, nodes); });
  }

 private:
  TemporaryFolder home_;
};

}  // namespace headroom::test
