// SPDX-License-Identifier: Apache-2.0
// External data of a part: kept where it is, or moved, and no file of the model ever lost.
#include <headroom/model/extract.h>

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/extracted.h"

namespace headroom {
namespace {

using test::attr;
using test::bytes_of;
using test::GraphBuilder;
using test::message_of;
using test::ModelBuilder;
using test::Texts;
using testing::HasSubstr;
using testing::IsEmpty;
namespace fs = std::filesystem;

/// Two external tensors, an initializer and a constant inside of a body, in one data file.
class ExtractExternal : public test::ExtractFixture {
 protected:
  void SetUp() override {
    std::ofstream(folder() / "w.bin", std::ios::binary) << "..abcdefghij..";
    GraphBuilder body("body");
    body.node("Constant", {}, {"v"},
              {attr("value", test::external_tensor("", ElementType::Uint8, {3}, "w.bin", 9, 3))})
        .output("v", ElementType::Uint8);
    builder_.input("c", ElementType::Bool, test::DimsSpec{std::vector<test::DimSpec>{}})
        .initializer(test::external_tensor("w", ElementType::Uint8, {7}, "w.bin", 2))
        .initializer(test::external_tensor("same", ElementType::Uint8, {7}, "w.bin", 2, 7))
        .initializer(test::external_tensor("other", ElementType::Uint8, {1}, "absent.bin"))
        .node("Sum", {"w", "same"}, {"t"}, {}, "", "sum")
        .node("If", {"c"}, {"y"}, {attr("then_branch", body), attr("else_branch", body)}, "",
              "choice")
        .node("Neg", {"other"}, {"z"}, {}, "", "neg")
        .output("t", ElementType::Uint8)
        .output("y", ElementType::Uint8)
        .output("z", ElementType::Uint8);
    fs::create_directory(folder() / "out");
  }

  fs::path elsewhere() const { return folder() / "out" / "part.onnx"; }
  WrittenPart write_to(const fs::path& path, const Texts& nodes,
                       const WriteOptions& options = {}) const {
    const Model model = loaded(builder_);
    return write_part(model, part_of(model.graph, nodes_named(model, nodes)), path, options);
  }
  static std::string content(const StoredTensor& tensor, const fs::path& folder) {
    return bytes_of(read_tensor(tensor, folder).data.bytes());
  }

  ModelBuilder builder_{};
};

TEST_F(ExtractExternal, KeepsTheReferenceInTheSameFolder) {
  EXPECT_FALSE(write_to(output(), {"sum"}).data);
  const Model part = load_model(output());
  EXPECT_EQ(part.graph.initializers.at(0).external->location, "w.bin");
  EXPECT_EQ(content(part.graph.initializers.at(0), folder()), "abcdefg");
  EXPECT_FALSE(fs::exists(output().string() + ".data"));
}

TEST_F(ExtractExternal, CopiesWhatIsNeededOnceIntoOneFileElsewhere) {
  const WrittenPart written = write_to(elsewhere(), {"sum", "choice"});
  ASSERT_TRUE(written.data);
  EXPECT_EQ(written.data->path, elsewhere().string() + ".data");
  const Model part = load_model(elsewhere());
  EXPECT_THAT(part.diagnostics, IsEmpty());
  ASSERT_EQ(part.graph.initializers.size(), 2U);
  for (const StoredTensor& tensor : part.graph.initializers) {
    EXPECT_EQ(tensor.external->location, "part.onnx.data");
    EXPECT_EQ(tensor.external->offset % 4096, 0U);
    EXPECT_EQ(content(tensor, elsewhere().parent_path()), "abcdefg");
  }
  EXPECT_EQ(part.graph.initializers[0].external->offset,
            part.graph.initializers[1].external->offset);
  const Graph& body = *part.graph.nodes.at(1).bodies().at(0);
  EXPECT_EQ(content(*body.nodes.at(0).held<StoredTensor>("value"), elsewhere().parent_path()),
            "hij");
  // Two ranges: seven bytes at 0, three at 4096; in the order of the nodes, then the initializers.
  EXPECT_EQ(fs::file_size(written.data->path), 4096U + 7U);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder() / "out"), {}), 2);
}

TEST_F(ExtractExternal, NeedsOnlyTheFilesThatThePartReads) {
  EXPECT_TRUE(write_to(elsewhere(), {"sum"}).data);
  const Model model = loaded(builder_);
  const Part part = part_of(model.graph, nodes_named(model, Texts{"neg"}));
  EXPECT_THAT(message_of(ErrorKind::NotFound, [&] { write_part(model, part, elsewhere()); }),
              HasSubstr("'absent.bin' is missing"));
}

TEST_F(ExtractExternal, NeverOverwritesTheModelsOwnFiles) {
  const auto refused = [&](const fs::path& path) {
    return message_of(ErrorKind::Usage, [&] { write_to(path, {"sum"}); });
  };
  EXPECT_THAT(refused(source()), HasSubstr("is the model itself"));
  EXPECT_THAT(refused(folder() / "out" / ".." / "model.onnx"), HasSubstr("is the model itself"));
  EXPECT_THAT(refused(folder() / "w.bin"), HasSubstr("is external data of the model"));
  fs::create_hard_link(folder() / "w.bin", elsewhere().string() + ".data");
  EXPECT_THAT(refused(elsewhere()), HasSubstr("is external data of the model"));
  EXPECT_EQ(fs::file_size(folder() / "w.bin"), 14U);
  EXPECT_FALSE(fs::exists(elsewhere()));
}

TEST_F(ExtractExternal, StopsAboveTheLimitAndWhenItIsAsked) {
  message_of(ErrorKind::Limit, [&] { write_to(elsewhere(), {"sum"}, {.most_data = 6}); });
  message_of(ErrorKind::Interrupted,
             [&] { write_to(elsewhere(), {"sum"}, {.is_stopped = [] { return true; }}); });
  EXPECT_TRUE(fs::is_empty(folder() / "out"));
  EXPECT_EQ(write_to(elsewhere(), {"sum"}, {.most_data = 7}).data->bytes, 7U);
}

}  // namespace
}  // namespace headroom
