// SPDX-License-Identifier: Apache-2.0
// The table of rules: by domain and operator, one list for each family of operators.
#pragma once

#include <span>
#include <string_view>

#include "model/infer/inference.h"

namespace headroom::infer {

/// nullptr for an operator without a rule. Cost: one lookup in a table that is built at the first
/// call.
const Rule* find_rule(std::string_view domain, std::string_view op);

// Domain ai.onnx.
std::span<const Rule> elementwise_rules();
std::span<const Rule> type_rules();
std::span<const Rule> reduction_rules();
std::span<const Rule> convolution_rules();
std::span<const Rule> pooling_rules();
std::span<const Rule> product_rules();
std::span<const Rule> einsum_rules();
std::span<const Rule> recurrent_rules();
std::span<const Rule> normalization_rules();
std::span<const Rule> reshaping_rules();
std::span<const Rule> slicing_rules();
std::span<const Rule> gathering_rules();
std::span<const Rule> creation_rules();
std::span<const Rule> image_rules();
std::span<const Rule> signal_rules();
std::span<const Rule> quantization_rules();
std::span<const Rule> attention_rules();
std::span<const Rule> control_flow_rules();
std::span<const Rule> sequence_rules();
std::span<const Rule> text_rules();
std::span<const Rule> loss_rules();
// Other domains.
std::span<const Rule> traditional_ml_rules();  ///< ai.onnx.ml
std::span<const Rule> training_rules();        ///< ai.onnx.preview.training
std::span<const Rule> preview_rules();         ///< ai.onnx.preview
std::span<const Rule> microsoft_rules();       ///< com.microsoft
std::span<const Rule> microsoft_attention_rules();
std::span<const Rule> microsoft_quantized_rules();

}  // namespace headroom::infer
