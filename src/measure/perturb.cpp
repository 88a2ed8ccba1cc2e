// SPDX-License-Identifier: Apache-2.0
// Changes are made on the bits, so that no type needs an encoder of its own.
#include "measure/perturb.h"

#include <headroom/base/random.h>
#include <headroom/data.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "measure/compare.h"
#include "measure/preparation.h"

namespace headroom::measure {
namespace {

constexpr double kNudge = 0x1p-12;

template <class Element>
std::span<Element> elements_of(Tensor& tensor) {
  const auto bytes = tensor.data.bytes();
  // Buffers are aligned to 64 bytes and hold nothing but elements of the tensor's type.
  return {reinterpret_cast<Element*>(bytes.data()), bytes.size() / sizeof(Element)};
}

template <class Float>
void nudge(std::span<Float> elements, Random& random) {
  for (Float& element : elements) {
    const double factor = random.below(2) == 0 ? 1 - kNudge : 1 + kNudge;
    element = static_cast<Float>(static_cast<double>(element) * factor);
  }
}

// A 16-bit float: its neighbour, further from or nearer to zero.
void nudge_halves(std::span<std::uint16_t> elements, unsigned mantissa_bits, Random& random) {
  const unsigned top = 0x7FFFU >> mantissa_bits << mantissa_bits;  // all-ones exponent
  for (std::uint16_t& element : elements) {
    const unsigned magnitude = element & 0x7FFFU;
    if (magnitude == 0 || magnitude + 1 >= top) continue;
    const unsigned moved = random.below(2) == 0 ? magnitude - 1 : magnitude + 1;
    element = static_cast<std::uint16_t>((element & 0x8000U) | moved);
  }
}

template <class Float>
void scale(std::span<Float> elements) {
  for (Float& element : elements)
    if (std::isfinite(element * Float{4})) element *= Float{4};
}

// Two more in the exponent; subnormal and very large numbers stay.
void scale_halves(std::span<std::uint16_t> elements, unsigned mantissa_bits) {
  const unsigned step = 1U << mantissa_bits;
  const unsigned top = 0x7FFFU >> mantissa_bits << mantissa_bits;
  for (std::uint16_t& element : elements) {
    const unsigned magnitude = element & 0x7FFFU;
    if (magnitude >= step && magnitude + 2 * step < top)
      element = static_cast<std::uint16_t>(element + 2 * step);
  }
}

constexpr unsigned kFloat16Mantissa = 10;
constexpr unsigned kBfloat16Mantissa = 7;

bool can_nudge(ElementType type) {
  return type == ElementType::Float32 || type == ElementType::Float64 ||
         type == ElementType::Float16 || type == ElementType::Bfloat16;
}

void nudge(Tensor& tensor, Random& random) {
  switch (tensor.type) {
    case ElementType::Float32:
      return nudge(elements_of<float>(tensor), random);
    case ElementType::Float64:
      return nudge(elements_of<double>(tensor), random);
    case ElementType::Float16:
      return nudge_halves(elements_of<std::uint16_t>(tensor), kFloat16Mantissa, random);
    case ElementType::Bfloat16:
      return nudge_halves(elements_of<std::uint16_t>(tensor), kBfloat16Mantissa, random);
    default:
      return;
  }
}

void scale(Tensor& tensor) {
  switch (tensor.type) {
    case ElementType::Float32:
      return scale(elements_of<float>(tensor));
    case ElementType::Float64:
      return scale(elements_of<double>(tensor));
    case ElementType::Float16:
      return scale_halves(elements_of<std::uint16_t>(tensor), kFloat16Mantissa);
    case ElementType::Bfloat16:
      return scale_halves(elements_of<std::uint16_t>(tensor), kBfloat16Mantissa);
    default:
      return;
  }
}

template <class Element>
void exchange(std::span<Element> elements, Random& random) {
  for (std::size_t i = elements.size(); i > 1; --i)
    std::swap(elements[i - 1], elements[random.below(i)]);
}

struct Pair {
  std::uint64_t parts[2];
};

// Elements change places, so that each stays a value that the file's author found valid. Packed
// types move by the byte.
void exchange(Tensor& tensor, Random& random) {
  if (tensor.type == ElementType::String) return exchange(std::span(tensor.strings), random);
  switch (bits_of(tensor.type).value_or(8)) {
    case 128:
      return exchange(elements_of<Pair>(tensor), random);
    case 64:
      return exchange(elements_of<std::uint64_t>(tensor), random);
    case 32:
      return exchange(elements_of<std::uint32_t>(tensor), random);
    case 16:
      return exchange(elements_of<std::uint16_t>(tensor), random);
    default:
      return exchange(elements_of<std::uint8_t>(tensor), random);
  }
}

// All elements as the first one: a value that the file's author found valid.
void level(Tensor& tensor) {
  if (!tensor.strings.empty())
    std::fill(tensor.strings.begin(), tensor.strings.end(), std::string(tensor.strings.front()));
  const auto bytes = tensor.data.bytes();
  const std::size_t width = std::max(8U, bits_of(tensor.type).value_or(8)) / 8;
  for (std::size_t i = width; i + width <= bytes.size(); i += width)
    std::copy_n(bytes.begin(), width, bytes.begin() + static_cast<std::ptrdiff_t>(i));
}

Tensor nudged(const Tensor& input, Random& random) {
  Tensor changed = copy_of(input);
  nudge(changed, random);
  return changed;
}

// What was asked for to see how fast it is computed with may be too small or too uniform to show
// whether the input matters.
bool is_special(FillKind fill) {
  return fill == FillKind::Ones || fill == FillKind::Denormal || fill == FillKind::Sparse;
}

Tensor others(InputSpec spec, const Tensor& input, std::uint64_t seed, Random& random) {
  if (is_special(spec.fill)) spec.fill = FillKind::Normal;
  if (spec.fill != FillKind::File) return make_input(spec, seed);
  Tensor changed = copy_of(input);
  exchange(changed, random);
  nudge(changed, random);
  return changed;
}

Tensor low(InputSpec spec, const Tensor& input, std::uint64_t seed) {
  spec.high = spec.low;
  Tensor changed = spec.fill == FillKind::File ? copy_of(input) : make_input(spec, seed);
  if (can_nudge(changed.type) || spec.fill == FillKind::Booleans) {
    std::fill(changed.data.bytes().begin(), changed.data.bytes().end(), std::byte{0});
  } else if (spec.fill == FillKind::File) {
    level(changed);
  }
  return changed;
}

Tensor high(InputSpec spec, const Tensor& input, std::uint64_t seed, Random& random) {
  spec.low = spec.high;
  Tensor changed = others(spec, input, seed, random);
  scale(changed);
  return changed;
}

Tensor changed_input(const InputSpec& spec, const Tensor& input, Change change, std::uint64_t seed,
                     Random& random) {
  switch (change) {
    case Change::Nudge:
      return nudged(input, random);
    case Change::Others:
      return others(spec, input, seed, random);
    case Change::Low:
      return low(spec, input, seed);
    case Change::High:
      return high(spec, input, seed, random);
  }
  return copy_of(input);
}

}  // namespace

std::optional<std::vector<Tensor>> changed_inputs(const Case& plan_case,
                                                  std::span<const Tensor> inputs, Change change,
                                                  std::uint64_t seed) {
  Random random(seed);
  std::vector<Tensor> changed;
  bool is_different = false;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    changed.push_back(changed_input(plan_case.inputs[i], inputs[i], change, seed, random));
    changed.back().name = inputs[i].name;
    is_different = is_different || !is_identical(changed.back(), inputs[i]);
  }
  if (!is_different) return std::nullopt;
  return changed;
}

}  // namespace headroom::measure
