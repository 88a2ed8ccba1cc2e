// SPDX-License-Identifier: Apache-2.0
// GraphProto and the body of FunctionProto → Graph: names are resolved, nodes put in order.
#pragma once

#include <headroom/model/graph.h>

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/read_state.h"
#include "model/type_proto.h"

namespace headroom {

/// The values that names mean inside one graph, and the graph around it.
struct Scope {
  Graph& graph;
  Scope* outer = nullptr;
  std::size_t depth = 0;
  std::unordered_map<std::string_view, ValueId> names{};  ///< Views into the file.
  /// The outputs of nodes are defined in the order in which they are met again: the next of them.
  ValueId next_output = 0;

  /// The value that `name` means here; one of an outer graph gets an entry here and in each graph
  /// between.
  std::optional<ValueId> find(std::string_view name);
};

/// The pieces of a graph or a function's body, in the order of the file.
struct GraphParts {
  std::string_view name{};
  std::vector<wire::ByteSpan> nodes{};
  std::vector<wire::ByteSpan> initializers{};
  std::vector<wire::ByteSpan> sparse_initializers{};
  std::vector<ValueInfo> inputs{};
  std::vector<ValueInfo> outputs{};
  std::vector<ValueInfo> value_infos{};
};

/// Errors: BadInput for all that load_model checks in a graph.
Graph build_graph(ReadState& state, const wire::Place& place, const GraphParts& parts,
                  Scope* outer);

/// A GraphProto. Errors: as build_graph, and for nesting deeper than wire::kDeepest.
Graph read_graph(ReadState& state, const wire::Place& place, wire::ByteSpan bytes, Scope* outer);

}  // namespace headroom
