// SPDX-License-Identifier: Apache-2.0
// What the caller fixes about the inputs of a model.
#pragma once

#include <headroom/model/model.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace headroom::infer {

/// Sizes by symbol.
using Bindings = std::map<std::string, std::int64_t, std::less<>>;

/// Opens what the inputs leave open, then fixes it by `options`. Each open dimension has a symbol
/// afterwards; sizes bound to symbols are returned.
/// Errors: Usage for an unknown input or symbol, a wrong rank, a size below 0 and for
/// contradictions.
Bindings fix_inputs(Graph& graph, const ShapeOptions& options);

/// Notes the values that `options` gives as known. The shapes of the inputs are fixed.
/// Errors: Usage for an unknown input and for a count of values that its shape does not have.
void fix_values(Graph& graph, const ShapeOptions& options);

}  // namespace headroom::infer
