// SPDX-License-Identifier: Apache-2.0
// Comparison of an output with a test case's expected one, as ONNX's own runner compares.
#pragma once

#include <headroom/engine.h>
#include <headroom/record.h>

#include "measure/tolerance.h"

namespace headroom::measure {

/// Kind, type and shape exactly; strings exactly; numbers where |actual - expected| <= absolute +
/// relative * |expected| (of complex numbers the moduli), NaN equals NaN, an infinity itself.
/// Sequences by length and element. For bfloat16 the relative tolerance is at least 2^-6. The
/// reason of a difference names the largest one and its place.
/// Source: onnx/backend/test/runner/__init__.py, assert_similar_outputs; numpy.isclose.
OutputCheck compare_value(const Datum& actual, const Datum& expected, const Tolerance& tolerance);

}  // namespace headroom::measure
