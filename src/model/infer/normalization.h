// SPDX-License-Identifier: Apache-2.0
// Normalisation rules that operators of several domains share.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/infer/inference.h"

namespace headroom::infer {

/// LayerNormalization: the mean and the inverse deviation keep the dimensions before `axis`.
void layer_normalization(NodeInference& node);
/// The outputs `first` up to `end` have the shape of input 0 with 1 from `axis` on.
void set_statistics(NodeInference& node, std::size_t first, std::size_t end, std::int64_t axis,
                    ElementType element);

}  // namespace headroom::infer
