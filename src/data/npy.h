// SPDX-License-Identifier: Apache-2.0
// NumPy's array files.
#pragma once

#include <headroom/model/tensor.h>

#include <filesystem>

#include "data/read_file.h"

namespace headroom {

/// Type and shape from the header of a `.npy`. Errors: as read_npy, as far as the header tells.
FileTensor describe_npy(const std::filesystem::path& path);

/// Reads a `.npy` of version 1 to 3 in C order and either byte order: bool, integers, floats of 16
/// to 64 bits, complex, unicode and byte strings. Errors: NotFound; BadInput for a broken file;
/// Unsupported for Fortran order and other types, with what to do about it. Source: NumPy
/// enhancement proposal 1.
Tensor read_npy(const std::filesystem::path& path);

}  // namespace headroom
