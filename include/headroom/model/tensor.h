// SPDX-License-Identifier: Apache-2.0
// A tensor in memory: what engines are fed with and what they give back.
#pragma once

#include <headroom/model/element_type.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace headroom {

/// Number of elements of a shape. Errors: BadInput if a dimension is negative or the product does
/// not fit 63 bits.
std::uint64_t element_count(std::span<const std::int64_t> shape);

/// `1x3x224x224`; `scalar` for rank 0.
std::string shape_text(std::span<const std::int64_t> shape);

/// Bytes aligned to 64, so that no engine copies for alignment. Zeroed when made.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size);

  std::span<std::byte> bytes() noexcept { return {data_.get(), size_}; }
  std::span<const std::byte> bytes() const noexcept { return {data_.get(), size_}; }

 private:
  struct Free {
    void operator()(std::byte* data) const noexcept;
  };
  std::unique_ptr<std::byte, Free> data_;
  std::size_t size_ = 0;
};

/// Owned, move-only. Elements are in row-major order, sub-byte types packed as ONNX packs them.
/// Strings are kept apart: for ElementType::String, `strings` holds the elements and `data`
/// nothing.
struct Tensor {
  std::string name{};
  ElementType type = ElementType::Undefined;
  std::vector<std::int64_t> shape{};
  Buffer data{};
  std::vector<std::string> strings{};
};

/// A tensor of zeros (of empty strings). Errors: BadInput as element_count; Limit if there is no
/// memory.
Tensor make_tensor(std::string name, ElementType type, std::vector<std::int64_t> shape);

/// A deep copy.
Tensor copy_of(const Tensor& tensor);

}  // namespace headroom
