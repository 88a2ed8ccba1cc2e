// SPDX-License-Identifier: Apache-2.0
// Small floating-point formats: the nearest code to a number.
#pragma once

#include <headroom/model/element_type.h>

#include <cstdint>

namespace headroom {

/// The bits of the element of `type` that is nearest to `value`, ties to the even code, rounded
/// once from double. Beyond the largest number: infinity in float16 and bfloat16, the largest
/// number in the smaller types (as Cast with saturate=1 does). float8e8m0 holds powers of two
/// without a sign: the magnitude is taken, ties go up, and 2^-127 stands for zero. Source: ONNX,
/// "Float stored in 8 bits" and "Float stored in 4 bits"; IEEE 754. Errors: Internal for a type
/// that is not one of float16, bfloat16, float8*, float4e2m1.
std::uint32_t encode_float(double value, ElementType type);

}  // namespace headroom
