// SPDX-License-Identifier: Apache-2.0
// Files: read-only memory maps, whole small files, atomic writes, digests.
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

/// Writes a temporary beside `path`, then renames it over `path`: readers see the old or the new
/// file, never a part. Errors: NotFound if the folder cannot be written, Limit if the disk is full.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Lower-case hexadecimal SHA-256 of the file's bytes. Cost: about 1 GB/s where the CPU has SHA
/// extensions. Errors: as MappedFile.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace headroom
