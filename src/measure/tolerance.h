// SPDX-License-Identifier: Apache-2.0
// How far an output may be from its reference; docs/method/correctness.md argues the numbers.
#pragma once

#include <headroom/engine.h>

namespace headroom::measure {

/// An element passes if |actual - expected| <= absolute + relative * |expected|.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
};

/// The largest finite magnitude in the tensor; 0 where there is none.
double scale_of(const Tensor& tensor);

/// Tolerance for an output like `expected`. `noise` is how far this output moves when the inputs
/// move by a rounding error (0 where that is not known); it counts for types of 16 bits and more.
Tolerance tolerance_for(const Tensor& expected, double noise);

}  // namespace headroom::measure
