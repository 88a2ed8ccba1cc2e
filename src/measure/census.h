// SPDX-License-Identifier: Apache-2.0
// What about the elements of a tensor can change how fast it is computed with.
#pragma once

#include <headroom/engine.h>
#include <headroom/record.h>

namespace headroom::measure {

/// Strings and complex numbers are counted, not looked at. Cost: one pass.
ElementCensus census_of(const Tensor& tensor);

}  // namespace headroom::measure
