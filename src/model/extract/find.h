// SPDX-License-Identifier: Apache-2.0
// Names to values of the outermost graph.
#pragma once

#include <headroom/model/graph.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::extract {

/// Each once; texts as in nodes_named. Errors: Usage naming `option`, with the nearest name.
std::vector<ValueId> values_named(const Graph& graph, std::span<const std::string> texts,
                                  std::string_view option);

}  // namespace headroom::extract
