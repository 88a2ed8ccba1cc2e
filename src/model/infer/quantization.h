// SPDX-License-Identifier: Apache-2.0
// Quantisation rules that several domains share.
#pragma once

#include "model/infer/inference.h"

namespace headroom::infer {

void quantize_linear(NodeInference& node);
void dequantize_linear(NodeInference& node);

}  // namespace headroom::infer
