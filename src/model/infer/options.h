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
/// Errors: Usage for an unknown input or symbol, a wrong rank, a size below 1 and for
/// contradictions.
Bindings fix_inputs(Graph& graph, const ShapeOptions& options);

}  // namespace headroom::infer
