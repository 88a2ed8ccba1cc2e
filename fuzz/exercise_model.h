// SPDX-License-Identifier: Apache-2.0
// What is done with a file that may be hostile: everything that needs no engine.
#pragma once

#include <cstddef>
#include <span>

namespace headroom::fuzz {

/// Reads `bytes` as a model, inlines, infers, counts, reads small tensors; and as the stored values
/// of a test data set. An Error is an answer like any other; whatever else happens is a finding.
void exercise_model(std::span<const std::byte> bytes);

}  // namespace headroom::fuzz
