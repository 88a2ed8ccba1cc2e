// SPDX-License-Identifier: Apache-2.0
// The table of tolerances by type.
#include "measure/tolerance.h"

#include <algorithm>
#include <cmath>

#include "measure/elements.h"

namespace headroom::measure {
namespace {

// Relative to the largest magnitude of the output. Float32: forty times the largest difference
// between an optimised and an unoptimised session over the corpus (2.5e-6), a tenth of what
// bfloat16 makes. Float16 and Bfloat16: four units in the last place.
constexpr double kFloat32Scale = 1e-4;
constexpr double kFloat16Scale = 0x1p-8;
constexpr double kBfloat16Scale = 0x1p-5;
// Below this, a difference is the rounding of an intermediate of size 1 seen through an
// exponential: probabilities near 0 keep the absolute, not the relative error of their logits.
constexpr double kFloor = 1e-6;
// An output may be this many times as far away as a nudged input moves it, and never further than
// this part of its magnitude.
constexpr double kNoiseFactor = 2;
constexpr double kNoiseCap = 0.05;

// One step of a type too coarse for anything finer: the neighbour of a normal number, and the
// smallest subnormal.
Tolerance one_step(ElementType type) {
  const SmallFloat layout = layout_of(type);
  const auto mantissa_bits = static_cast<int>(layout.mantissa_bits);
  return {.absolute = std::ldexp(1.0, 1 - layout.bias - mantissa_bits),
          .relative = std::ldexp(1.0, -mantissa_bits)};
}

Tolerance scaled(const Tensor& expected, double noise, double base, double relative) {
  const double scale = scale_of(expected);
  const double probed = std::min(kNoiseFactor * noise, kNoiseCap * scale);
  return {.absolute = std::max({kFloor, base * scale, probed}), .relative = relative};
}

}  // namespace

double scale_of(const Tensor& tensor) {
  double scale = 0;
  const std::size_t count = number_count(tensor);
  for (std::size_t i = 0; i < count; ++i) {
    const double magnitude = std::fabs(number_at(tensor, i));
    if (std::isfinite(magnitude)) scale = std::max(scale, magnitude);
  }
  return scale;
}

double precision_noise(std::string_view precision, double scale) {
  if (precision == "bf16") return kBfloat16Scale / kNoiseFactor * scale;
  if (precision == "f16") return kFloat16Scale / kNoiseFactor * scale;
  return 0;
}

Tolerance tolerance_for(const Tensor& expected, double noise) {
  switch (expected.type) {
    case ElementType::Float32:
    case ElementType::Float64:  // often a cast of float32 arithmetic: the type does not tell
    case ElementType::Complex64:
    case ElementType::Complex128:
      return scaled(expected, noise, kFloat32Scale, kFloat32Scale);
    case ElementType::Float16:
      return scaled(expected, noise, kFloat16Scale, kFloat16Scale / 2);
    case ElementType::Bfloat16:
      return scaled(expected, noise, kBfloat16Scale, kBfloat16Scale / 2);
    case ElementType::Float8E4M3FN:
    case ElementType::Float8E4M3FNUZ:
    case ElementType::Float8E5M2:
    case ElementType::Float8E5M2FNUZ:
    case ElementType::Float4E2M1:
      return one_step(expected.type);
    case ElementType::Float8E8M0:
      return {.relative = 1};  // the next power of two
    case ElementType::Int8:
    case ElementType::Uint8:
    case ElementType::Int4:
    case ElementType::Uint4:
    case ElementType::Int2:
    case ElementType::Uint2:
      return {.absolute = 1};  // quantised values: a tie may round either way
    default:
      return {};
  }
}

}  // namespace headroom::measure
