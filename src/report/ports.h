// SPDX-License-Identifier: Apache-2.0
// The inputs and outputs of a graph, as text and as JSON.
#pragma once

#include <headroom/model/graph.h>
#include <headroom/report/text_style.h>

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace headroom::report {

/// What a JSON member says that has no value.
Json absent(const std::string& reason);

std::string_view kind_name(TypeKind kind);

/// `[{name, type, shape}]`; an open dimension is its symbol.
Json ports_json(const Graph& graph, const std::vector<ValueId>& ids);

/// A line for each input that a caller must give, then for each output.
void write_ports(std::ostream& out, const TextStyle& style, const Graph& graph);

}  // namespace headroom::report
