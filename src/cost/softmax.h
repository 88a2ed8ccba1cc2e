// SPDX-License-Identifier: Apache-2.0
// Softmax, which attention and several other operators contain.
#pragma once

#include "cost/view.h"

namespace headroom::cost {

/// The stable form: the maximum of each of `rows` rows, its subtraction, exp, the sum, the
/// division.
void add_softmax(Tally& tally, Amount elements, Amount rows);

/// x - max - log(sum(exp(x - max))).
void add_log_softmax(Tally& tally, Amount elements, Amount rows);

}  // namespace headroom::cost
