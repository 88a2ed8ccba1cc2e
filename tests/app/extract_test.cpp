// SPDX-License-Identifier: Apache-2.0
// Parts of real models through an engine: each gives, bit for bit, what the whole model makes of
// the same values.
#include <headroom/app/extract.h>
#include <headroom/base/error.h>
#include <headroom/data.h>
#include <headroom/engine.h>

#include <algorithm>
#include <cstring>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/model_builder.h"
#include "support/temp_folder.h"
#include "support/thrown.h"

namespace headroom::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

const fs::path kCorpus = HEADROOM_CORPUS;

using Values = std::map<std::string, Tensor, std::less<>>;

/// The tensors of one run of the whole model.
Values values_of_a_run(Engine& engine, const fs::path& path) {
  Model model = load_model(path);
  const std::vector<std::string> inner = intermediate_values(model.graph);
  inline_functions(model);
  infer_shapes(model, {});
  Values values;
  std::vector<Tensor> inputs;
  for (const InputSpec& input : plan_inputs(model, {}).inputs) {
    inputs.push_back(make_input(input, 1));
    values.emplace(input.name, copy_of(inputs.back()));
  }
  // Optimisation may fuse a node with its neighbours, which changes the bits.
  const auto session = engine.load({.path = path, .exposed = inner}, {.is_optimized = false}, {});
  session->bind(std::move(inputs));
  session->run();
  session->visit_values([&](Datum value) {
    if (value.kind == DatumKind::Tensor) values.emplace(value.name, std::move(value.tensor));
  });
  return values;
}

/// Whether every input of the part is a tensor that the run gave.
bool has_all(const Values& values, const Graph& graph, const Part& part) {
  return std::all_of(part.inputs.begin(), part.inputs.end(),
                     [&](ValueId id) { return values.contains(graph.values[id].name); });
}

bool is_same(const Tensor& a, const Tensor& b) {
  const auto x = a.data.bytes();
  const auto y = b.data.bytes();
  return a.type == b.type && a.shape == b.shape && a.strings == b.strings && x.size() == y.size() &&
         (x.empty() || std::memcmp(x.data(), y.data(), x.size()) == 0);
}

class Round {
 public:
  explicit Round(const fs::path& path)
      : engine_(make_engine("onnxruntime")),
        model_(load_for_parts(path)),
        values_(values_of_a_run(*engine_, path)) {}

  const Graph& graph() const { return model_.graph; }

  /// Runs the part of these nodes; false where the run gave an input of it that is no tensor.
  bool try_part(const std::vector<std::uint32_t>& nodes) {
    const Part part = part_of(graph(), nodes);
    if (!has_all(values_, graph(), part)) return false;
    const fs::path path = folder_ / "part.onnx";
    write_part(model_, part, path);
    expect_same_types(load_for_parts(path).graph, part);
    expect_same_values(path, part);
    return true;
  }

 private:
  void expect_same_types(const Graph& written, const Part& part) const {
    ASSERT_EQ(written.outputs.size(), part.outputs.size());
    for (std::size_t i = 0; i < part.outputs.size(); ++i) {
      const ValueType& was = graph().values[part.outputs[i]].type;
      const ValueType& is = written.values[written.outputs[i]].type;
      EXPECT_EQ(is.kind, was.kind);
      EXPECT_EQ(is.element, was.element);
      ASSERT_EQ(is.shape.has_value(), was.shape.has_value());
      if (!was.shape) continue;
      ASSERT_EQ(is.shape->size(), was.shape->size());
      for (std::size_t axis = 0; axis < was.shape->size(); ++axis) {
        const auto known = (*was.shape)[axis].size;
        if (known) {
          EXPECT_EQ((*is.shape)[axis].size, known);
        }
      }
    }
  }

  void expect_same_values(const fs::path& path, const Part& part) const {
    const auto session = engine_->load({.path = path}, {.is_optimized = false}, {});
    std::vector<Tensor> inputs;
    for (const ValueId id : part.inputs)
      inputs.push_back(copy_of(values_.at(graph().values[id].name)));
    session->bind(std::move(inputs));
    session->run();
    for (const Tensor& tensor : session->copy_outputs()) {
      const auto whole = values_.find(tensor.name);
      if (whole == values_.end()) continue;
      EXPECT_TRUE(is_same(tensor, whole->second)) << tensor.name;
    }
  }

  TempFolder folder_{};
  std::unique_ptr<Engine> engine_;
  Model model_;
  Values values_;
};

class ExtractedParts : public testing::Test {
 protected:
  void SetUp() override {
    if (absent_engines().contains("onnxruntime")) GTEST_SKIP() << "this build has no ONNX Runtime";
  }
};

TEST_F(ExtractedParts, GiveTheBitsOfTheWholeRun) {
  constexpr std::size_t kNodes = 24;  // Of each model, evenly spread; all of small ones.
  for (const char* name :
       {"ppocr/cls.onnx", "ppocr/det.onnx", "silero/silero_vad.onnx", "magika/standard_v3_3.onnx",
        "onnxruntime/logreg_iris.onnx", "generated/resnet_qdq.onnx",
        "light/light_shufflenet/light_shufflenet.onnx"}) {
    SCOPED_TRACE(name);
    Round round(kCorpus / name);
    const auto count = static_cast<std::uint32_t>(round.graph().nodes.size());
    const std::uint32_t step = std::max<std::uint32_t>(1, count / kNodes);
    std::size_t tried = 0;
    for (std::uint32_t node = 0; node < count; node += step)
      tried += round.try_part({node}) ? 1U : 0U;
    EXPECT_GE(tried, std::min<std::size_t>(count, kNodes) / 2);
    // The first half, the second, and every other node.
    std::vector<std::uint32_t> first, second, others;
    for (std::uint32_t node = 0; node < count; ++node) {
      (node < count / 2 ? first : second).push_back(node);
      if (node % 2 == 0) others.push_back(node);
    }
    for (const auto& nodes : {first, second, others}) {
      if (!nodes.empty()) round.try_part(nodes);
    }
  }
}

TEST(ExtractOptions, ChooseInOneWay) {
  const TempFolder folder;
  ModelBuilder builder;
  builder.input("x", ElementType::Float32, {{2}})
      .node("Relu", {"x"}, {"y"}, {}, "", "relu")
      .output("y", ElementType::Float32);
  builder.write(folder / "model.onnx");
  const StopFlag stop{false};
  app::ExtractOptions options{.model = folder / "model.onnx", .output = folder / "part.onnx"};
  const auto error = [&] {
    return message_of(ErrorKind::Usage, [&] { app::extract(options, stop); });
  };
  EXPECT_THAT(error(), HasSubstr("--node"));
  options.nodes = {"relu"};
  options.to = {"y"};
  EXPECT_THAT(error(), HasSubstr("cannot be combined"));
  EXPECT_FALSE(fs::exists(folder / "part.onnx"));
  options.to.clear();
  EXPECT_EQ(app::extract(options, stop).model.graph.nodes.size(), 1U);
}

}  // namespace
}  // namespace headroom::test
