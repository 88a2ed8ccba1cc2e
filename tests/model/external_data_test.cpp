// SPDX-License-Identifier: Apache-2.0
#include <headroom/model/model.h>

#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "support/model_builder.h"
#include "support/thrown.h"

namespace headroom {
namespace {

using test::message_of;
using test::TemporaryFolder;
using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

/// A model with one external initializer `w` of four bytes, in a folder of its own.
class ExternalData : public testing::Test {
 protected:
  fs::path folder() const { return home_.path() / "model"; }
  fs::path model() const { return folder() / "model.onnx"; }

  void SetUp() override { fs::create_directory(folder()); }

  static void write(const fs::path& path, std::string_view content) {
    std::ofstream(path, std::ios::binary) << content;
  }

  void build(const test::TensorSpec& tensor) const {
    test::ModelBuilder builder;
    builder.initializer(tensor);
    builder.write(model());
  }

  void build(std::string_view location, std::optional<std::uint64_t> offset = std::nullopt,
             std::optional<std::uint64_t> length = std::nullopt) const {
    build(test::external_tensor("w", ElementType::Uint8, {4}, location, offset, length));
  }

  std::string load_error() const {
    return message_of(ErrorKind::BadInput, [&] { load_model(model()); });
  }

 private:
  TemporaryFolder home_;
};

TEST_F(ExternalData, IsFoundInTheModelsFolder) {
  write(folder() / "w.bin", "..abcd..");
  build("w.bin", 2, 4);
  const Model loaded = load_model(model());
  EXPECT_TRUE(loaded.diagnostics.empty());
  const StoredTensor& tensor = loaded.graph.initializers.at(0);
  ASSERT_TRUE(tensor.external);
  EXPECT_EQ(tensor.external->location, "w.bin");
  EXPECT_EQ(tensor.external->offset, 2U);
  const Tensor read = read_tensor(tensor, folder());
  EXPECT_EQ(std::memcmp(read.data.bytes().data(), "abcd", 4), 0);
}

TEST_F(ExternalData, MayLieInASubfolderAndEndWithTheFile) {
  fs::create_directory(folder() / "data");
  write(folder() / "data/w.bin", "abcd");
  build("data/w.bin");
  EXPECT_TRUE(load_model(model()).diagnostics.empty());
}

TEST_F(ExternalData, ThatIsMissingIsADiagnosticAndCannotBeRead) {
  build("w.bin");
  const Model loaded = load_model(model());
  ASSERT_EQ(loaded.diagnostics.size(), 1U);
  EXPECT_EQ(loaded.diagnostics[0].code, "external_data_missing");
  EXPECT_EQ(loaded.diagnostics[0].severity, Severity::Warning);
  EXPECT_THAT(loaded.diagnostics[0].place, HasSubstr("tensor 'w'"));
  EXPECT_THAT(message_of(ErrorKind::NotFound,
                         [&] { read_tensor(loaded.graph.initializers.at(0), folder()); }),
              HasSubstr("'w.bin' is missing"));
}

TEST_F(ExternalData, OutOfRangeIsRefused) {
  write(folder() / "w.bin", "abcdef");
  build("w.bin", 3);
  EXPECT_THAT(load_error(), HasSubstr("4 bytes from byte 3 of 'w.bin' are needed, which has 6"));
  build("w.bin", UINT64_MAX);
  EXPECT_THAT(load_error(), HasSubstr("are needed, which has 6"));
}

TEST_F(ExternalData, OfAnotherLengthThanTheTensorIsRefused) {
  write(folder() / "w.bin", "abcdef");
  build("w.bin", 0, 6);
  EXPECT_THAT(load_error(), HasSubstr("needs 4 bytes, but the length of its external data is 6"));
}

TEST_F(ExternalData, OutsideTheFolderIsRefused) {
  write(folder().parent_path() / "w.bin", "abcd");
  build("../w.bin");
  EXPECT_THAT(load_error(), HasSubstr("'../w.bin' is refused"));
  build("sub/../../w.bin");
  EXPECT_THAT(load_error(), HasSubstr("is refused"));
  build((folder().parent_path() / "w.bin").string());
  EXPECT_THAT(load_error(), HasSubstr("is refused"));
}

TEST_F(ExternalData, BehindALinkThatLeavesTheFolderIsRefused) {
  write(folder().parent_path() / "w.bin", "abcd");
  fs::create_symlink(folder().parent_path() / "w.bin", folder() / "link.bin");
  build("link.bin");
  EXPECT_THAT(load_error(), HasSubstr("the link leads out of the model's folder"));
  fs::create_directory_symlink(folder().parent_path(), folder() / "up");
  build("up/w.bin");
  EXPECT_THAT(load_error(), HasSubstr("the link leads out of the model's folder"));
}

TEST_F(ExternalData, BehindALinkInsideTheFolderIsRead) {
  write(folder() / "w.bin", "abcd");
  fs::create_symlink("w.bin", folder() / "link.bin");
  build("link.bin");
  EXPECT_TRUE(load_model(model()).diagnostics.empty());
}

TEST_F(ExternalData, IsNotADirectory) {
  fs::create_directory(folder() / "data");
  build("data");
  EXPECT_THAT(load_error(), HasSubstr("'data' is not a regular file"));
}

TEST_F(ExternalData, NeedsALocationAndNumbers) {
  build(test::external_tensor_entries("w", ElementType::Uint8, {4}, {{"offset", "0"}}));
  EXPECT_THAT(load_error(), HasSubstr("location of its external data is empty"));
  for (const char* text : {"-1", "", "x", "1e3", " 1", "99999999999999999999"}) {
    build(test::external_tensor_entries("w", ElementType::Uint8, {4},
                                        {{"location", "w.bin"}, {"offset", text}}));
    EXPECT_THAT(load_error(), HasSubstr("the offset of its external data is")) << text;
  }
}

TEST_F(ExternalData, CannotHoldStrings) {
  build(test::external_tensor("w", ElementType::String, {1}, "w.bin"));
  EXPECT_THAT(load_error(), HasSubstr("strings cannot be external data"));
}

TEST_F(ExternalData, OfManyGibibytesIsOnlyLookedAt) {
  // A sparse file: reading it would take memory and minutes.
  constexpr std::int64_t kSize = std::int64_t{64} << 30;
  const int file = ::open((folder() / "w.bin").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  ASSERT_GE(file, 0);
  const int result = ::ftruncate(file, kSize);
  ::close(file);
  if (result != 0) GTEST_SKIP() << "this file system cannot hold a sparse file of 64 GiB";
  build(test::external_tensor("w", ElementType::Uint8, {kSize}, "w.bin"));
  const Model loaded = load_model(model());
  EXPECT_TRUE(loaded.diagnostics.empty());
  EXPECT_THAT(loaded.graph.initializers.at(0).dims, ElementsAre(kSize));
}

TEST_F(ExternalData, IsFoundWhenTheModelIsNamedWithoutAFolder) {
  write(folder() / "w.bin", "abcd");
  build("w.bin");
  const std::string bytes = [&] {
    std::ifstream file(model(), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  const Model parsed = parse_model(std::as_bytes(std::span(bytes)), folder());
  EXPECT_TRUE(parsed.diagnostics.empty());
}

}  // namespace
}  // namespace headroom
