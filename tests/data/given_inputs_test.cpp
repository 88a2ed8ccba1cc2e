// SPDX-License-Identifier: Apache-2.0
// Files of the user and test data sets.
#include <fstream>

#include <gmock/gmock.h>

#include "data/planned.h"
#include "support/temp_folder.h"
#include "support/thrown.h"

namespace headroom {
namespace {

using test::message_of;
using test::ModelBuilder;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr ElementType kFloat = ElementType::Float32;

class GivenInputs : public testing::Test {
 protected:
  GivenInputs() {
    builder_.input("a", kFloat, {{"n", 2}})
        .input("b", kFloat, {{"n", 2}})
        .node("Add", {"a", "b"}, {"y"})
        .output("y", kFloat);
    builder_.write(folder_ / "model.onnx");
  }

  InputPlan plan(const InputOptions& options = {}) const {
    Model model = load_model(folder_ / "model.onnx");
    infer_shapes(model, {});
    return plan_inputs(model, options);
  }

  // Relative to the model's folder.
  std::string write_tensor(const std::string& name, const test::TensorSpec& tensor) const {
    const std::filesystem::path path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << tensor.bytes;
    return path.string();
  }

  std::string write_floats(const std::string& name, const std::vector<std::int64_t>& dims) const {
    return write_tensor(
        name, test::float_tensor("t", dims, std::vector<float>(element_count(dims), 1.0F)));
  }

  ModelBuilder builder_{};
  test::TempFolder folder_{};
};

TEST_F(GivenInputs, TakesATestDataSetBesideTheModel) {
  const std::string first = write_floats("test_data_set_0/input_0.pb", {3, 2});
  const std::string second = write_floats("test_data_set_0/input_1.pb", {3, 2});
  const std::string expected = write_floats("test_data_set_0/output_0.pb", {3, 2});
  const InputPlan found = plan();
  EXPECT_EQ(found.source, "test_data_set_0");
  EXPECT_FALSE(found.is_guessed);
  EXPECT_THAT(found.reference, ElementsAre(expected));
  EXPECT_EQ(found.inputs.at(0).path, first);
  EXPECT_EQ(found.inputs.at(1).path, second);
  EXPECT_EQ(found.inputs.at(1).fill, FillKind::File);
  EXPECT_THAT(found.inputs.at(1).shape, ElementsAre(3, 2));
  EXPECT_EQ(make_input(found.inputs.at(0), 0).name, "a");
}

TEST_F(GivenInputs, LeavesTheTestDataSetAloneWhenToldOrWhenShapesAreGiven) {
  write_floats("test_data_set_0/input_0.pb", {3, 2});
  write_floats("test_data_set_0/input_1.pb", {3, 2});
  EXPECT_EQ(plan({.use_test_data = false}).source, "generated");
  InputOptions options;
  options.shapes.dims = {{"n", 5}};
  EXPECT_EQ(plan(options).source, "generated");
}

TEST_F(GivenInputs, SaysThatATestDataSetIsIncomplete) {
  write_floats("test_data_set_0/input_0.pb", {3, 2});
  const InputPlan found = plan();
  EXPECT_EQ(found.source, "generated");
  EXPECT_THAT(found.notes.at(0), HasSubstr("it has 1 of the 2 inputs"));
}

TEST_F(GivenInputs, FixesTheSymbolsOfOtherInputsByAFile) {
  InputOptions options;
  options.files = {{"b", write_floats("b.pb", {7, 2})}};
  const InputPlan found = plan(options);
  EXPECT_EQ(found.source, "files");
  EXPECT_THAT(found.inputs.at(0).shape, ElementsAre(7, 2));
  EXPECT_EQ(found.inputs.at(0).fill, FillKind::Normal);
  EXPECT_EQ(found.inputs.at(1).fill, FillKind::File);
  EXPECT_FALSE(found.is_guessed);
}

TEST_F(GivenInputs, NamesInputNeedAndFindWhenAFileDoesNotFit) {
  InputOptions options;
  options.files = {{"b", write_floats("b.pb", {7, 3})}};
  EXPECT_EQ(
      message_of(ErrorKind::BadInput, [&] { plan(options); }),
      "input 'b' needs float32 nx2; '" + options.files.at("b").string() + "' holds float32 7x3");
  options.files = {{"b", write_tensor("c.pb", test::int64_tensor("t", {1, 2}, {1, 2}))}};
  EXPECT_THAT(message_of(ErrorKind::BadInput, [&] { plan(options); }),
              HasSubstr("holds int64 1x2"));
}

TEST_F(GivenInputs, RefusesUnknownInputsAndMissingOrOtherFiles) {
  InputOptions options;
  options.files = {{"c", "x.pb"}};
  EXPECT_THAT(message_of(ErrorKind::Usage, [&] { plan(options); }), HasSubstr("no input 'c'"));
  options.files = {{"a", folder_ / "missing.npy"}};
  EXPECT_THROW(plan(options), Error);
  options.files = {{"a", folder_ / "missing.txt"}};
  EXPECT_THAT(message_of(ErrorKind::NotFound, [&] { plan(options); }), HasSubstr("does not exist"));
  options.files = {{"a", folder_ / "model.onnx"}};
  EXPECT_THAT(message_of(ErrorKind::Unsupported, [&] { plan(options); }), HasSubstr(".npy"));
}

TEST_F(GivenInputs, RefusesAFileThatContradictsAGivenShape) {
  InputOptions options;
  options.files = {{"a", write_floats("a.pb", {7, 2})}};
  options.shapes.shapes = {{"a", {6, 2}}};
  EXPECT_THAT(message_of(ErrorKind::Usage, [&] { plan(options); }), HasSubstr("--shape says 6x2"));
}

}  // namespace
}  // namespace headroom
