// SPDX-License-Identifier: Apache-2.0
// NodeProto and AttributeProto → Node and Attribute.
#pragma once

#include <headroom/model/graph.h>

#include <cstddef>

#include "model/graph_reader.h"

namespace headroom {

/// Attributes of a node, which are searched by name one after the other. Source: ours; the
/// operators of ONNX have up to 20.
inline constexpr std::size_t kMostAttributes = 1000;

/// Names are resolved in `scope`, whose outputs of nodes are all defined already.
/// Errors: BadInput for an unknown name, a missing op_type, an attribute that is twice there.
Node read_node(ReadState& state, const wire::Place& outer, wire::ByteSpan bytes, std::size_t index,
               Scope& scope);

/// The place of a node, for messages: its name, or its number and operator.
wire::Place node_place(const wire::Place& outer, wire::ByteSpan bytes, std::size_t index);

/// `scope` is what subgraphs see; it is null for the defaults of a function, which can hold none.
Attribute read_attribute(ReadState& state, const wire::Place& outer, wire::ByteSpan bytes,
                         Scope* scope);

/// `ai.onnx` is the default domain, whose name is empty.
std::string_view canonical_domain(std::string_view domain) noexcept;

}  // namespace headroom
