// SPDX-License-Identifier: Apache-2.0
// Fills tensors by specification and seed.
#include <headroom/base/error.h>
#include <headroom/base/random.h>
#include <headroom/base/text.h>
#include <headroom/data.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "data/float_format.h"

namespace headroom {
namespace {

template <class T>
void put(Tensor& tensor, std::uint64_t index, T value) {
  std::memcpy(tensor.data.bytes().data() + index * sizeof(T), &value, sizeof(T));
}

// ONNX packs elements of less than a byte from the low bits up.
void put_bits(Tensor& tensor, std::uint64_t index, unsigned width, std::uint64_t code) {
  const std::uint64_t per_byte = 8 / width;
  const auto shift = static_cast<unsigned>(index % per_byte) * width;
  const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
  tensor.data.bytes()[index / per_byte] |= static_cast<std::byte>((code & mask) << shift);
}

template <class T>
T saturated(std::int64_t value) {
  if constexpr (sizeof(T) == 8) {
    return std::is_unsigned_v<T> && value < 0 ? T{0} : static_cast<T>(value);
  } else {
    return static_cast<T>(std::clamp<std::int64_t>(value, std::numeric_limits<T>::min(),
                                                   std::numeric_limits<T>::max()));
  }
}

void put_real(Tensor& tensor, std::uint64_t index, double value) {
  switch (tensor.type) {
    case ElementType::Float32:
    case ElementType::Complex64:
      return put(tensor, index, static_cast<float>(value));
    case ElementType::Float64:
    case ElementType::Complex128:
      return put(tensor, index, value);
    case ElementType::Float16:
    case ElementType::Bfloat16:
      return put(tensor, index, static_cast<std::uint16_t>(encode_float(value, tensor.type)));
    case ElementType::Float4E2M1:
      return put_bits(tensor, index, 4, encode_float(value, tensor.type));
    default:
      return put(tensor, index, static_cast<std::uint8_t>(encode_float(value, tensor.type)));
  }
}

void put_small_integer(Tensor& tensor, std::uint64_t index, std::int64_t value) {
  const unsigned width = *bits_of(tensor.type);
  const bool is_signed = tensor.type == ElementType::Int4 || tensor.type == ElementType::Int2;
  const std::int64_t low = is_signed ? -(std::int64_t{1} << (width - 1)) : 0;
  const std::int64_t high = low + (std::int64_t{1} << width) - 1;
  put_bits(tensor, index, width, static_cast<std::uint64_t>(std::clamp(value, low, high)));
}

void put_integer(Tensor& tensor, std::uint64_t index, std::int64_t value) {
  switch (tensor.type) {
    case ElementType::Bool:
      return put(tensor, index, static_cast<std::uint8_t>(value != 0));
    case ElementType::Uint8:
      return put(tensor, index, saturated<std::uint8_t>(value));
    case ElementType::Int8:
      return put(tensor, index, saturated<std::int8_t>(value));
    case ElementType::Uint16:
      return put(tensor, index, saturated<std::uint16_t>(value));
    case ElementType::Int16:
      return put(tensor, index, saturated<std::int16_t>(value));
    case ElementType::Uint32:
      return put(tensor, index, saturated<std::uint32_t>(value));
    case ElementType::Int32:
      return put(tensor, index, saturated<std::int32_t>(value));
    case ElementType::Uint64:
      return put(tensor, index, saturated<std::uint64_t>(value));
    case ElementType::Int64:
      return put(tensor, index, value);
    case ElementType::Uint4:
    case ElementType::Int4:
    case ElementType::Uint2:
    case ElementType::Int2:
      return put_small_integer(tensor, index, value);
    default:
      return put_real(tensor, index, static_cast<double>(value));
  }
}

bool is_complex(ElementType type) {
  return type == ElementType::Complex64 || type == ElementType::Complex128;
}

void fill_normal(Tensor& tensor, std::uint64_t count, Random& random) {
  const bool is_real = is_float(tensor.type) || is_complex(tensor.type);
  const std::uint64_t parts = is_complex(tensor.type) ? 2 * count : count;
  for (std::uint64_t i = 0; i < parts; ++i) {
    const double value = random.normal();
    if (is_real) {
      put_real(tensor, i, value);
    } else {
      put_integer(tensor, i, std::llrint(value));
    }
  }
}

// Of a complex number the imaginary part stays zero.
void fill_integers(Tensor& tensor, std::uint64_t count, std::int64_t low, std::int64_t high,
                   Random& random) {
  const std::uint64_t stride = is_complex(tensor.type) ? 2 : 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    put_integer(tensor, i * stride, random.between(low, high));
  }
}

// Every denormal number of the type is as likely as another; zero is none of them.
template <class T>
void fill_denormal(Tensor& tensor, std::uint64_t count, unsigned mantissa_bits, Random& random) {
  const auto sign = static_cast<T>(T{1} << (8 * sizeof(T) - 1));
  const std::int64_t largest = (std::int64_t{1} << mantissa_bits) - 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto mantissa = static_cast<T>(random.between(1, largest));
    put(tensor, i, static_cast<T>(random.between(0, 1) == 0 ? mantissa : mantissa | sign));
  }
}

void fill_denormal(Tensor& tensor, std::uint64_t count, Random& random) {
  switch (tensor.type) {
    case ElementType::Float64:
      return fill_denormal<std::uint64_t>(tensor, count, 52, random);
    case ElementType::Float32:
      return fill_denormal<std::uint32_t>(tensor, count, 23, random);
    case ElementType::Float16:
      return fill_denormal<std::uint16_t>(tensor, count, 10, random);
    default:
      return fill_denormal<std::uint16_t>(tensor, count, 7, random);  // bfloat16, see check_fill
  }
}

// A number is drawn for each element, so that a larger share keeps the zeros of a smaller one.
void fill_sparse(Tensor& tensor, std::uint64_t count, double zeros, Random& random) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const double chance = random.uniform();
    const double value = random.normal();
    if (chance >= zeros) put_real(tensor, i, value);
  }
}

void fill_words(Tensor& tensor) {
  for (std::size_t i = 0; i < tensor.strings.size(); ++i)
    tensor.strings[i] = "text" + std::to_string(i);
}

void check_fill(const InputSpec& spec) {
  const bool is_text = spec.type == ElementType::String;
  const bool is_text_fill = spec.fill == FillKind::Words || spec.fill == FillKind::Zeros;
  if (is_text ? !is_text_fill : spec.fill == FillKind::Words) {
    throw Error(ErrorKind::BadInput,
                fmt::format("input '{}': {} cannot be filled with {}", spec.name,
                            to_string(spec.type), to_string(spec.fill)));
  }
  const bool needs_float = spec.fill == FillKind::Sparse || spec.fill == FillKind::Denormal;
  const bool has_denormals = bits_of(spec.type).value_or(0) >= 16;
  if (needs_float &&
      (!is_float(spec.type) || (spec.fill == FillKind::Denormal && !has_denormals))) {
    throw Error(ErrorKind::BadInput,
                fmt::format("input '{}': {} cannot be filled with {}", spec.name,
                            to_string(spec.type), to_string(spec.fill)));
  }
  if (spec.fill == FillKind::Integers && spec.low > spec.high) {
    throw Error(ErrorKind::BadInput, fmt::format("input '{}': no integer lies from {} to {}",
                                                 spec.name, spec.low, spec.high));
  }
}

Tensor make_from_file(const InputSpec& spec) {
  Tensor tensor = read_tensor_from(spec.path);
  if (tensor.type != spec.type || tensor.shape != spec.shape) {
    throw Error(ErrorKind::BadInput,
                fmt::format("input '{}' needs {} {}; '{}' holds {} {}", spec.name,
                            to_string(spec.type), shape_text(spec.shape), printable(spec.path),
                            to_string(tensor.type), shape_text(tensor.shape)));
  }
  tensor.name = spec.name;
  return tensor;
}

}  // namespace

Tensor make_input(const InputSpec& spec, std::uint64_t seed) {
  if (spec.fill == FillKind::File) return make_from_file(spec);
  check_fill(spec);
  Tensor tensor = make_tensor(spec.name, spec.type, spec.shape);
  const std::uint64_t count = element_count(spec.shape);
  Random random(derive_seed(seed, spec.name.c_str()));
  switch (spec.fill) {
    case FillKind::Normal:
      fill_normal(tensor, count, random);
      break;
    case FillKind::Integers:
      fill_integers(tensor, count, spec.low, spec.high, random);
      break;
    case FillKind::Booleans:
      fill_integers(tensor, count, 0, 1, random);
      break;
    case FillKind::Ones:
      fill_integers(tensor, count, 1, 1, random);
      break;
    case FillKind::Denormal:
      fill_denormal(tensor, count, random);
      break;
    case FillKind::Sparse:
      fill_sparse(tensor, count, spec.zeros, random);
      break;
    case FillKind::Words:
      fill_words(tensor);
      break;
    case FillKind::Zeros:
    case FillKind::File:
      break;
  }
  return tensor;
}

}  // namespace headroom
