// SPDX-License-Identifier: Apache-2.0
// Maps, whole files, atomic writes, digests.
#include <headroom/base/file.h>

#include <fstream>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "support/temp_folder.h"
#include "support/thrown.h"

namespace headroom {
namespace {

namespace fs = std::filesystem;
using test::message_of;
using test::TempFolder;
using ::testing::HasSubstr;

void write(const fs::path& path, std::string_view content) {
  std::ofstream(path) << content;
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(MappedFile, ShowsTheBytesOfAFile) {
  const TempFolder folder;
  write(folder / "a", std::string_view("x\0y\n", 4));
  const MappedFile file(folder / "a");
  EXPECT_EQ(text_of(file.bytes()), std::string("x\0y\n", 4));
}

TEST(MappedFile, IsEmptyForAnEmptyFile) {
  const TempFolder folder;
  write(folder / "a", "");
  const MappedFile file(folder / "a");
  EXPECT_TRUE(file.bytes().empty());
}

TEST(MappedFile, MovesWithoutLosingItsBytes) {
  const TempFolder folder;
  write(folder / "a", "one");
  write(folder / "b", "two");
  MappedFile first(folder / "a");
  MappedFile second(std::move(first));
  EXPECT_EQ(text_of(second.bytes()), "one");
  second = MappedFile(folder / "b");
  EXPECT_EQ(text_of(second.bytes()), "two");
}

TEST(MappedFile, RefusesWhatIsNoRegularFile) {
  const TempFolder folder;
  EXPECT_THAT(message_of(ErrorKind::NotFound, [&] { MappedFile(folder / "absent"); }),
              HasSubstr("No such file"));
  EXPECT_THAT(message_of(ErrorKind::BadInput, [&] { MappedFile{folder.path()}; }),
              HasSubstr("is a directory; a regular file is needed"));
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(message_of(ErrorKind::BadInput, [&] { MappedFile(folder / "pipe"); }),
              HasSubstr("not a regular file"));
}

TEST(MappedFile, EscapesTheNamesInItsMessages) {
  EXPECT_THAT(message_of(ErrorKind::NotFound, [] { MappedFile("/no\x1b[31m/file"); }),
              HasSubstr(R"('/no\x1b[31m/file')"));
}

TEST(ReadTextFile, GivesTheWholeFileUpToTheLimit) {
  const TempFolder folder;
  write(folder / "a", "12345");
  EXPECT_EQ(read_text_file(folder / "a"), "12345");
  EXPECT_EQ(read_text_file(folder / "a", 5), "12345");
  EXPECT_THAT(message_of(ErrorKind::BadInput, [&] { read_text_file(folder / "a", 4); }),
              HasSubstr("has 5 bytes; at most 4"));
}

TEST(WriteFileAtomically, ReplacesAndLeavesNothingBeside) {
  const TempFolder folder;
  write_file_atomically(folder / "a", "old");
  write_file_atomically(folder / "a", "new");
  EXPECT_EQ(read_text_file(folder / "a"), "new");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(WriteFileAtomically, SaysWhereItCannotWrite) {
  const TempFolder folder;
  EXPECT_THAT(
      message_of(ErrorKind::NotFound, [&] { write_file_atomically(folder / "absent/a", "x"); }),
      HasSubstr("absent/a': No such file"));
}

TEST(WriteFileAtomically, KeepsTheOldFileWhenTheDiskIsFull) {
  const TempFolder folder;
  if (::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0)
    GTEST_SKIP() << "a file system of 64 KiB cannot be mounted here: only root may";
  write_file_atomically(folder / "a", "old");
  message_of(ErrorKind::Limit,
             [&] { write_file_atomically(folder / "a", std::string(1 << 20, 'x')); });
  EXPECT_EQ(read_text_file(folder / "a"), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
  EXPECT_EQ(::umount2(folder.path().c_str(), MNT_DETACH), 0);
}

TEST(AtomicFile, AppendsAPartOfAnotherFile) {
  const TempFolder folder;
  write(folder / "source", "0123456789");
  AtomicFile file(folder / "a");
  file.write("<");
  file.append(folder / "source", 2, 5);
  file.append(folder / "source", 0, 0);
  file.write(">");
  EXPECT_FALSE(fs::exists(folder / "a"));
  file.commit();
  EXPECT_EQ(read_text_file(folder / "a"), "<23456>");
}

TEST(AtomicFile, AppendsAcrossFileSystems) {
  const TempFolder folder;
  const fs::path mounted = folder / "mounted";
  fs::create_directory(mounted);
  if (::mount("tmpfs", mounted.c_str(), "tmpfs", 0, "size=8m") != 0)
    GTEST_SKIP() << "another file system cannot be mounted here: only root may";
  // More than a buffer, with an end that is no multiple of one.
  std::string content;
  for (int i = 0; content.size() < 3'000'001; ++i) content += std::to_string(i);
  write(folder / "source", content);
  {
    AtomicFile file(mounted / "a");
    file.append(folder / "source", 1, content.size() - 1);
    file.commit();
  }
  EXPECT_EQ(read_text_file(mounted / "a"), content.substr(1));
  EXPECT_EQ(::umount2(mounted.c_str(), MNT_DETACH), 0);
}

TEST(AtomicFile, LeavesNothingWhenItIsNotCommitted) {
  const TempFolder folder;
  write(folder / "source", "0123");
  {
    AtomicFile file(folder / "a");
    EXPECT_THAT(message_of(ErrorKind::BadInput, [&] { file.append(folder / "source", 2, 3); }),
                HasSubstr("ends at byte 4, and 1 more are needed"));
    EXPECT_THAT(message_of(ErrorKind::NotFound, [&] { file.append(folder / "absent", 0, 1); }),
                HasSubstr("cannot read"));
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(PrivateFolder, VanishesWithItsContent) {
  fs::path path;
  {
    const PrivateFolder folder("a test");
    path = folder.path();
    write(path / "a", "x");
    struct stat facts {};
    EXPECT_EQ(::stat(path.c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777U, 0700U);
  }
  EXPECT_FALSE(fs::exists(path));
}

// FIPS 180-2, appendix B, and the well-known digest of no bytes.
TEST(Sha256, GivesThePublishedDigests) {
  const TempFolder folder;
  write(folder / "empty", "");
  write(folder / "abc", "abc");
  write(folder / "million", std::string(1'000'000, 'a'));
  EXPECT_EQ(sha256_of_file(folder / "empty"),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of_file(folder / "abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_of_file(folder / "million"),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace
}  // namespace headroom
