// SPDX-License-Identifier: Apache-2.0
// Comparison of single outputs, with what is known about the model's own noise.
#pragma once

#include <headroom/engine.h>
#include <headroom/record.h>

namespace headroom::measure {

/// One output against its reference; `noise` as in tolerance_for. Every number in the result is
/// finite.
OutputCheck compare_output(const Tensor& actual, const Tensor& expected, double noise);

/// Whether type, shape and every bit are the same.
bool is_identical(const Tensor& a, const Tensor& b);

/// Largest finite |a - b|; nothing is compared, and the result is 0, where type or shape differ.
double largest_difference(const Tensor& a, const Tensor& b);

}  // namespace headroom::measure
