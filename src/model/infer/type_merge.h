// SPDX-License-Identifier: Apache-2.0
// One type for a value that may be either of two: the branches of If, the rounds of Loop, the
// elements of a sequence.
#pragma once

#include <cstddef>

#include "model/infer/inference.h"

namespace headroom::infer {

/// What holds for both. Dimensions that differ become unknown ones of `output`; where kinds,
/// element types or ranks differ, less is said.
ValueType merged(const NodeInference& node, std::size_t output, const ValueType& a,
                 const ValueType& b);
/// The type of one element of a sequence (or of what an optional holds), as output `output`.
/// Elements may differ in what is open, so each extraction has dimensions of its own.
ValueType element_type(const NodeInference& node, std::size_t output, const ValueType& sequence);
/// Whether nothing differs, symbols included.
bool is_equal(const ValueType& a, const ValueType& b);

}  // namespace headroom::infer
