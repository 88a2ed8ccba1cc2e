// SPDX-License-Identifier: Apache-2.0
// How far an output may be from its reference; docs/method/correctness.md argues the numbers.
#pragma once

#include <headroom/engine.h>

#include <string_view>

namespace headroom::measure {

/// An element passes if |actual - expected| <= absolute + relative * |expected|.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
};

/// The largest finite magnitude in the tensor; 0 where there is none.
double scale_of(const Tensor& tensor);

/// How far an output of magnitude `scale` may move because the whole model computes in `precision`
/// (`bf16`, `f16`), as noise for tolerance_for; 0 for any other.
double precision_noise(std::string_view precision, double scale);

/// Tolerance for an output like `expected`. `noise` is how far this output moves when the inputs
/// move by a rounding error (0 where that is not known); it counts for types of 16 bits and more.
Tolerance tolerance_for(const Tensor& expected, double noise);

}  // namespace headroom::measure
