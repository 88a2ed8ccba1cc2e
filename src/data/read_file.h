// SPDX-License-Identifier: Apache-2.0
// Tensors in files of their own, by the file's suffix.
#pragma once

#include <headroom/model/element_type.h>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace headroom {

/// What a file holds, without its elements.
struct FileTensor {
  ElementType type = ElementType::Undefined;
  std::vector<std::int64_t> shape{};
};

/// Errors: as read_tensor_from.
FileTensor describe_tensor_file(const std::filesystem::path& path);

}  // namespace headroom
