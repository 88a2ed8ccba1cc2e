// SPDX-License-Identifier: Apache-2.0
// Files: read-only memory maps, whole small files, atomic writes, private folders, digests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace headroom {

/// A file mapped read-only for as long as the object lives. Pages are read on first touch and can
/// be dropped by the kernel, so the size of the file is not memory of ours.
class MappedFile {
 public:
  /// No file: an empty span.
  MappedFile() = default;
  /// Errors: NotFound if `path` does not exist or cannot be opened; BadInput if it is not a regular
  ///         file (a directory, a pipe). An empty file gives an empty span.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const& noexcept { return {data_, size_}; }
  std::span<const std::byte> bytes() && = delete;

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Errors: NotFound if it cannot be read; BadInput if it is larger than `limit` bytes.
std::string read_text_file(const std::filesystem::path& path, std::uint64_t limit = 1ULL << 30);

/// A file that is written under a temporary name beside `path` and renamed over `path` when it is
/// complete: readers see the old or the new file, never a part. What was not committed vanishes.
/// Errors: NotFound if the folder cannot be written, Limit if the disk is full.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view content);
  /// Appends bytes of another file without holding them in memory. Errors: also NotFound if
  /// `source` cannot be read, BadInput if it ends before them.
  void append(const std::filesystem::path& source, std::uint64_t offset, std::uint64_t length);
  /// Everything is on the disk; the name is still the temporary one.
  void sync();
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
};

/// The whole content at once. Errors: as AtomicFile.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// A private folder that vanishes with its content. Errors: Limit if it cannot be made.
class PrivateFolder {
 public:
  /// `purpose` stands in the message: `the engine's profile`.
  explicit PrivateFolder(std::string_view purpose);
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

/// Lower-case hexadecimal SHA-256 of the file's bytes. Cost: about 1 GB/s where the CPU has SHA
/// extensions. Errors: as MappedFile.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace headroom
