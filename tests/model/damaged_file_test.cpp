// SPDX-License-Identifier: Apache-2.0
// Every way to cut a small model off, and every single flipped bit, ends in a Model or an Error,
// never in a crash. (The address sanitizer of `./dev asan` sees reads outside the file.)
#include <headroom/base/error.h>
#include <headroom/model/model.h>

#include <gtest/gtest.h>

#include "support/model_builder.h"

namespace headroom {
namespace {

/// A model in which every kind of message occurs.
std::string small_model() {
  test::GraphBuilder branch("branch");
  branch.node("Relu", {"x"}, {"inner"}).output("inner", ElementType::Float32, {{2}});
  test::ModelBuilder builder;
  builder.opset("", 21).opset("local", 1);
  builder.input("c", ElementType::Bool).input("x", ElementType::Float32, {{"n", 2}});
  builder.initializer("w", {2}, std::vector<float>{1, 2});
  builder.initializer(test::external_tensor("e", ElementType::Uint8, {4}, "none.bin", 0, 4));
  builder.sparse_initializer(test::sparse_tensor(test::float_tensor("s", {1}, {5}),
                                                 test::int64_tensor("", {1}, {3}), {4}));
  builder.node("If", {"c"}, {"h"}, {test::attr("then_branch", branch)}, "", "if");
  builder.node("F", {"h", "w"}, {"y"}, {test::attr("k", 2), test::ints("axes", {0, 1})}, "local");
  builder.output("y", test::sequence_type(test::tensor_type(ElementType::Float32, {{"n"}})));
  builder.function(test::FunctionBuilder("local", "F")
                       .inputs({"a", "b"})
                       .outputs({"r"})
                       .opset("", 21)
                       .default_attribute(test::attr("k", 1))
                       .node("Add", {"a", "b"}, {"r"}, {test::reference("k", "k", 2)}));
  return builder.metadata("key", "value").bytes();
}

/// Loads, inlines and reads all tensors; true if nothing was thrown.
bool survives(const std::string& bytes) {
  try {
    Model model = parse_model(std::as_bytes(std::span(bytes)), "no_such_folder");
    inline_functions(model);
    for (const StoredTensor& tensor : model.graph.initializers) {
      if (!tensor.external) read_tensor(tensor, "no_such_folder");
    }
    return true;
  } catch (const Error&) {
    return false;
  }
}

TEST(DamagedFile, IsReadWhereItIsWhole) {
  EXPECT_TRUE(survives(small_model()));
}

TEST(DamagedFile, EndsInAModelOrAnErrorWhereverItIsCutOff) {
  const std::string whole = small_model();
  std::size_t refused = 0;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    // A string of exactly this length, so that a sanitizer sees one byte too many.
    if (!survives(whole.substr(0, length))) ++refused;
  }
  // A cut between two fields of the ModelProto after the graph leaves a valid file; all others do
  // not.
  EXPECT_GT(refused, whole.size() * 9 / 10);
}

TEST(DamagedFile, EndsInAModelOrAnErrorWhicheverBitIsFlipped) {
  std::string bytes = small_model();
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    const auto mask = static_cast<char>(1U << (bit % 8));
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
    survives(bytes);
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
  }
  EXPECT_TRUE(survives(bytes));
}

}  // namespace
}  // namespace headroom
