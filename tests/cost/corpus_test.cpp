// SPDX-License-Identifier: Apache-2.0
// Published networks. MACs and parameters of ResNet-50 are those that its literature gives (4.09 G,
// 25.6 M), to the last digit; all numbers here were checked by a script over the shapes of
// onnx.shape_inference.
#include <headroom/cost.h>

#include <filesystem>

#include <gtest/gtest.h>

namespace headroom::test {
namespace {

struct Network {
  const char* name;
  std::uint64_t macs;
  std::uint64_t made_by_constant_of_shape;
  std::uint64_t parameters;
};

TEST(Corpus, CountsPublishedNetworksExactly) {
  const std::filesystem::path folder = std::filesystem::path(HEADROOM_CORPUS) / "light";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no corpus: run tools/corpus";
  // ResNet-50 stores 28 statistics and shifts of 64 channels as initializers, the others of the
  // three share some too: parameters are both together.
  const Network networks[] = {
      {"light_resnet50", 4'089'184'256, 25'608'360, 25'610'152},
      {"light_squeezenet", 349'151'936, 1'234'856, 1'235'496},
      {"light_densenet121", 2'834'161'664, 8'145'384, 8'146'152},
  };
  for (const Network& network : networks) {
    Model model = load_model(folder / network.name / (std::string(network.name) + ".onnx"));
    inline_functions(model);
    infer_shapes(model, {});
    const Work work = count_work(model);
    EXPECT_TRUE(work.is_complete()) << network.name;
    EXPECT_EQ(work.macs.value, network.macs) << network.name;
    const std::uint64_t gemm = work.by_op.contains("Gemm") ? work.by_op.at("Gemm").macs.value : 0;
    EXPECT_EQ(work.by_op.at("Conv").macs.value + gemm, network.macs) << network.name;
    EXPECT_EQ(work.by_op.at("ConstantOfShape").constant_elements, network.made_by_constant_of_shape)
        << network.name;
    EXPECT_EQ(work.parameters, network.parameters) << network.name;
  }
}

// The sample rate chooses a branch. 563,968 is the sum over the Conv and LSTM nodes that ONNX
// Runtime executes, from the shapes in its profile; without the value the count was that of all
// branches.
TEST(Corpus, CountsTheBranchThatTheSampleRateChooses) {
  const std::filesystem::path path =
      std::filesystem::path(HEADROOM_CORPUS) / "silero" / "silero_vad.onnx";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no corpus: run ./dev corpus";
  Model model = load_model(path);
  inline_functions(model);
  infer_shapes(model, {.shapes = {{"input", {1, 512}}, {"state", {2, 1, 128}}},
                       .values = {{"sr", {.elements = {16'000}}}}});
  const Work work = count_work(model);
  EXPECT_TRUE(work.is_complete());
  EXPECT_EQ(work.macs.value, 563'968U);
}

}  // namespace
}  // namespace headroom::test
