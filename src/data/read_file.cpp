// SPDX-License-Identifier: Apache-2.0
// Chooses the reader of a tensor's file.
#include "data/read_file.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/data.h>

#include <fmt/format.h>

#include "data/npy.h"

namespace headroom {
namespace {

[[noreturn]] void refuse_suffix(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) {
    throw Error(ErrorKind::NotFound, fmt::format("'{}' does not exist", printable(path.string())));
  }
  throw Error(
      ErrorKind::Unsupported,
      fmt::format("'{}' has none of the suffixes that tensors are read from: .npy (NumPy) and .pb "
                  "(ONNX TensorProto)",
                  printable(path.string())));
}

}  // namespace

FileTensor describe_tensor_file(const std::filesystem::path& path) {
  if (path.extension() == ".npy") return describe_npy(path);
  if (path.extension() != ".pb") refuse_suffix(path);
  const Tensor tensor = read_tensor_file(path);
  return {.type = tensor.type, .shape = tensor.shape};
}

Tensor read_tensor_from(const std::filesystem::path& path) {
  if (path.extension() == ".npy") return read_npy(path);
  if (path.extension() != ".pb") refuse_suffix(path);
  return read_tensor_file(path);
}

}  // namespace headroom
