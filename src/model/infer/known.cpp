// SPDX-License-Identifier: Apache-2.0
// Reading small stored tensors.
#include "model/infer/known.h"

#include <headroom/base/error.h>
#include <headroom/model/model.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "model/infer/inference.h"

namespace headroom::infer {
namespace {

template <class T>
T load(std::span<const std::byte> bytes, std::size_t index) {
  T value{};
  std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
  return value;
}

template <class T>
void append_integers(KnownElements& known, std::span<const std::byte> bytes) {
  const std::size_t count = bytes.size() / sizeof(T);
  for (std::size_t i = 0; i < count; ++i) {
    const T value = load<T>(bytes, i);
    const bool is_representable = !std::is_same_v<T, std::uint64_t> ||
                                  value <= static_cast<T>(std::numeric_limits<std::int64_t>::max());
    append_element(known, is_representable ? fixed(static_cast<std::int64_t>(value)) : Dim{});
  }
}

template <class T>
void append_reals(KnownElements& known, std::span<const std::byte> bytes) {
  const std::size_t count = bytes.size() / sizeof(T);
  for (std::size_t i = 0; i < count; ++i)
    known.reals.push_back(static_cast<double>(load<T>(bytes, i)));
}

void append_elements(KnownElements& known, ElementType type, std::span<const std::byte> bytes) {
  switch (type) {
    case ElementType::Int64:
      return append_integers<std::int64_t>(known, bytes);
    case ElementType::Int32:
      return append_integers<std::int32_t>(known, bytes);
    case ElementType::Int16:
      return append_integers<std::int16_t>(known, bytes);
    case ElementType::Int8:
      return append_integers<std::int8_t>(known, bytes);
    case ElementType::Uint64:
      return append_integers<std::uint64_t>(known, bytes);
    case ElementType::Uint32:
      return append_integers<std::uint32_t>(known, bytes);
    case ElementType::Uint16:
      return append_integers<std::uint16_t>(known, bytes);
    case ElementType::Uint8:
    case ElementType::Bool:
      return append_integers<std::uint8_t>(known, bytes);
    case ElementType::Float32:
      return append_reals<float>(known, bytes);
    case ElementType::Float64:
      return append_reals<double>(known, bytes);
    default:
      return;
  }
}

}  // namespace

bool has_numbers(ElementType type) noexcept {
  switch (type) {
    case ElementType::Int64:
    case ElementType::Int32:
    case ElementType::Int16:
    case ElementType::Int8:
    case ElementType::Uint64:
    case ElementType::Uint32:
    case ElementType::Uint16:
    case ElementType::Uint8:
    case ElementType::Bool:
    case ElementType::Float32:
    case ElementType::Float64:
      return true;
    default:
      return false;
  }
}

bool is_readable(const StoredTensor& tensor) noexcept {
  const Integer count = product(std::span<const std::int64_t>(tensor.dims));
  return has_numbers(tensor.type) && count && *count >= 0 &&
         static_cast<std::uint64_t>(*count) <= kMaxKnownElements;
}

std::optional<KnownElements> read_elements(const StoredTensor& tensor,
                                           const std::filesystem::path& model_folder) {
  if (tensor.external && model_folder.empty()) return std::nullopt;
  try {
    return known_elements(read_tensor(tensor, model_folder));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::NotFound) return std::nullopt;
    throw;
  }
}

bool fits(ElementType type, std::int64_t value) noexcept {
  switch (type) {
    case ElementType::Int64:
      return true;
    case ElementType::Int32:
      return value >= INT32_MIN && value <= INT32_MAX;
    case ElementType::Int16:
      return value >= INT16_MIN && value <= INT16_MAX;
    case ElementType::Int8:
      return value >= INT8_MIN && value <= INT8_MAX;
    case ElementType::Uint64:
      return value >= 0;
    case ElementType::Uint32:
      return value >= 0 && value <= UINT32_MAX;
    case ElementType::Uint16:
      return value >= 0 && value <= UINT16_MAX;
    case ElementType::Uint8:
      return value >= 0 && value <= UINT8_MAX;
    case ElementType::Bool:
      return value == 0 || value == 1;
    default:
      return false;
  }
}

}  // namespace headroom::infer

namespace headroom {

std::optional<KnownElements> known_elements(const Tensor& tensor) {
  if (!infer::has_numbers(tensor.type) || element_count(tensor.shape) > kMaxKnownElements)
    return std::nullopt;
  KnownElements known;
  const auto bytes = tensor.data.bytes();
  const auto size = packed_size(tensor.type, element_count(tensor.shape));
  infer::append_elements(known, tensor.type,
                         bytes.first(std::min<std::size_t>(size ? size->value : 0, bytes.size())));
  return known;
}

}  // namespace headroom
