// SPDX-License-Identifier: Apache-2.0
// Tensor data outside the model file: where it may lie, and how much of it there is. Files are only
// stat-ed, each once.
#pragma once

#include <headroom/model/graph.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "model/wire.h"

namespace headroom {

class ExternalData {
 public:
  explicit ExternalData(std::filesystem::path folder);

  /// Size of the file at `location`; nothing where it does not exist.
  /// Errors: BadInput at `place` if the location is absolute, has `..`, or is a link that leaves
  /// the folder, or is not a regular file.
  std::optional<std::uint64_t> size_of(const wire::Place& place, const std::string& location);

  /// The path of `location`. Errors: as size_of, and NotFound where it does not exist.
  std::filesystem::path existing_path(const wire::Place& place, const std::string& location);

  /// Errors: BadInput at `place` if offset and size leave a file of `available` bytes.
  static void check_range(const wire::Place& place, const StoredTensor::External& external,
                          std::uint64_t needed, std::uint64_t available);

 private:
  std::optional<std::uint64_t> look_up(const wire::Place& place, const std::string& location);

  std::filesystem::path folder_;
  std::optional<std::filesystem::path> real_folder_;
  std::unordered_map<std::string, std::optional<std::uint64_t>> sizes_;
};

}  // namespace headroom
