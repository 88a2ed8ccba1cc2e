// SPDX-License-Identifier: Apache-2.0
#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/model/tensor.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include <fmt/format.h>

namespace headroom {
namespace {

/// The widest vector register and the cache line of x86-64: engines copy what is aligned to less.
constexpr std::size_t kAlignment = 64;

[[noreturn]] void throw_no_memory(std::string_view name, std::uint64_t size) {
  throw Error(ErrorKind::Limit, fmt::format("no memory for tensor '{}': {} are needed",
                                            printable(name), format_bytes(Bytes{size})));
}

}  // namespace

std::uint64_t element_count(std::span<const std::int64_t> shape) {
  std::int64_t count = 1;
  bool overflows = false;
  bool is_empty = false;
  for (const std::int64_t dim : shape) {
    if (dim < 0) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("shape {} has a negative dimension", shape_text(shape)));
    }
    is_empty = is_empty || dim == 0;
    overflows = overflows || __builtin_mul_overflow(count, dim, &count);
  }
  if (is_empty) return 0;
  if (overflows) {
    throw Error(
        ErrorKind::BadInput,
        fmt::format("shape {} has more elements than 63 bits can count", shape_text(shape)));
  }
  return static_cast<std::uint64_t>(count);
}

std::string shape_text(std::span<const std::int64_t> shape) {
  if (shape.empty()) return "scalar";
  /// A shape with more dimensions than a person reads is cut.
  constexpr std::size_t kMost = 32;
  std::string text;
  for (std::size_t i = 0; i < std::min(shape.size(), kMost); ++i) {
    if (i != 0) text += 'x';
    text += std::to_string(shape[i]);
  }
  if (shape.size() > kMost) text += fmt::format("x… ({} dimensions)", shape.size());
  return text;
}

Buffer::Buffer(std::size_t size) : size_(size) {
  if (size == 0) return;
  if (size > SIZE_MAX - kAlignment) throw std::bad_alloc();
  const std::size_t rounded = (size + kAlignment - 1) / kAlignment * kAlignment;
  void* data = std::aligned_alloc(kAlignment, rounded);
  if (data == nullptr) throw std::bad_alloc();
  std::memset(data, 0, rounded);
  data_.reset(static_cast<std::byte*>(data));
}

void Buffer::Free::operator()(std::byte* data) const noexcept {
  std::free(data);
}

Tensor make_tensor(std::string name, ElementType type, std::vector<std::int64_t> shape) {
  const std::uint64_t elements = element_count(shape);
  Tensor tensor;
  tensor.name = std::move(name);
  tensor.type = type;
  tensor.shape = std::move(shape);
  if (type == ElementType::String) {
    try {
      tensor.strings.resize(elements);
    } catch (const std::exception&) {  // bad_alloc or length_error
      throw_no_memory(tensor.name, elements);
    }
    return tensor;
  }
  const std::optional<Bytes> size = packed_size(type, elements);
  if (!size) {
    throw Error(ErrorKind::BadInput,
                fmt::format("tensor '{}': {} elements of type {} have no size in bytes",
                            printable(tensor.name), elements, to_string(type)));
  }
  try {
    tensor.data = Buffer(size->value);
  } catch (const std::bad_alloc&) {
    throw_no_memory(tensor.name, size->value);
  }
  return tensor;
}

Tensor copy_of(const Tensor& tensor) {
  Tensor copy;
  copy.name = tensor.name;
  copy.type = tensor.type;
  copy.shape = tensor.shape;
  copy.strings = tensor.strings;
  const std::span<const std::byte> from = tensor.data.bytes();
  try {
    copy.data = Buffer(from.size());
  } catch (const std::bad_alloc&) {
    throw_no_memory(tensor.name, from.size());
  }
  if (!from.empty()) std::memcpy(copy.data.bytes().data(), from.data(), from.size());
  return copy;
}

}  // namespace headroom
