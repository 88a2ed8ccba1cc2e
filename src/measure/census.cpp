// SPDX-License-Identifier: Apache-2.0
// One pass over the elements: as stored for the usual types, as numbers for the others.
#include <headroom/measure.h>

#include <cfloat>
#include <cmath>
#include <cstring>
#include <span>

#include "measure/elements.h"

namespace headroom {
namespace {

using measure::bits_at;
using measure::number_at;
using measure::number_count;

/// Below this a number of the type is denormal; 0 for a type in which that costs nothing.
double smallest_normal(ElementType type) {
  switch (type) {
    case ElementType::Float64:
      return DBL_MIN;
    case ElementType::Float32:
    case ElementType::Bfloat16:
      return double{FLT_MIN};
    case ElementType::Float16:
      return 0x1p-14;
    default:
      return 0;
  }
}

template <class T>
void count(T value, T normal, ElementCensus& census) {
  if (value == 0) {
    ++census.zeros;
  } else if (std::isnan(value)) {
    ++census.nans;
  } else if (std::isinf(value)) {
    ++census.infinities;
  } else if (std::abs(value) < normal) {
    ++census.denormals;
  }
}

// Weights are of this type, and there may be hundreds of millions.
void count_floats(std::span<const std::byte> bytes, ElementCensus& census) {
  for (std::uint64_t i = 0; i < census.elements; ++i) {
    float value = 0;
    std::memcpy(&value, bytes.data() + i * sizeof(value), sizeof(value));
    count(value, FLT_MIN, census);
  }
}

bool are_all_equal(const Tensor& tensor, std::size_t numbers) {
  if (numbers < 2) return false;
  const std::size_t width = bits_of(tensor.type).value_or(0) / 8;
  if (width > 0) {
    const std::byte* const data = tensor.data.bytes().data();
    return std::memcmp(data, data + width, (numbers - 1) * width) == 0;
  }
  for (std::size_t i = 1; i < numbers; ++i) {
    if (bits_at(tensor, i) != bits_at(tensor, 0)) return false;
  }
  return true;
}

}  // namespace

ElementCensus census_of(const Tensor& tensor) {
  ElementCensus census{.elements = element_count(tensor.shape)};
  const std::size_t numbers = number_count(tensor);
  if (numbers != census.elements) return census;
  if (tensor.type == ElementType::Float32) {
    count_floats(tensor.data.bytes(), census);
  } else {
    const double normal = smallest_normal(tensor.type);
    for (std::size_t i = 0; i < numbers; ++i) count(number_at(tensor, i), normal, census);
  }
  census.is_constant = are_all_equal(tensor, numbers);
  return census;
}

}  // namespace headroom
