// SPDX-License-Identifier: Apache-2.0
// The activation peak: how many bytes of values are alive at once in the given order.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cost/amount.h"
#include "cost/constants.h"

namespace headroom::cost {

/// The largest sum of live bytes and where it is reached; with a reason, it is not known.
struct Peak {
  Amount bytes{};
  std::string node{};
  std::string reason{};
};

/// What a node's bodies hold at once beside the values of the graph around them.
struct BodyPeak {
  Peak peak{};
  bool hands_over_outputs = false;  ///< If: the branch's outputs are the node's.
};

/// Every value has a buffer of its own from the node that makes it to its last use; a node's inputs
/// and outputs are alive together. Graph inputs are the caller's and alive throughout, graph
/// outputs until the end. `aliases[i]` says that node i is a view: its output 0 is the buffer of
/// its input 0. Constants take none, and neither do values of enclosing graphs, which are alive
/// there.
Peak activation_peak(const Scope& scope, const std::vector<std::uint8_t>& aliases,
                     const std::map<std::size_t, BodyPeak>& bodies);

/// Name for reports: the node's own, or `OP of OUTPUT`.
std::string display_name(const Scope& scope, const Node& node);

}  // namespace headroom::cost
