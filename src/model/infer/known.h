// SPDX-License-Identifier: Apache-2.0
// Elements of small stored tensors, as numbers that rules can compute with.
#pragma once

#include <headroom/model/graph.h>

#include <filesystem>
#include <optional>

namespace headroom::infer {

/// Whether rules compute with elements of this type: integers of 8 to 64 bits, bool, float32,
/// float64.
bool has_numbers(ElementType type) noexcept;
/// Whether the tensor is small and has numbers.
bool is_readable(const StoredTensor& tensor) noexcept;

/// Nothing when the data lies in an external file that is missing, or nobody knows where
/// (`model_folder` is empty): then it is simply not known. Errors: BadInput, as read_tensor.
std::optional<KnownElements> read_elements(const StoredTensor& tensor,
                                           const std::filesystem::path& model_folder);

/// Whether `value` is a number of the integer type `type` (or 0 or 1 for Bool).
bool fits(ElementType type, std::int64_t value) noexcept;

}  // namespace headroom::infer
