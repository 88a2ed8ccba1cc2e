// SPDX-License-Identifier: Apache-2.0
// Who uses a value, in its own graph and in the bodies of control flow.
#pragma once

#include <headroom/model/graph.h>

#include <compare>
#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace headroom {

/// A value in one of the graphs of a model.
struct Place {
  const Graph* graph = nullptr;
  ValueId value = kNoValue;

  auto operator<=>(const Place&) const = default;
};

/// A node that takes the value as its input number `input`.
struct Use {
  const Graph* graph = nullptr;
  const Node* node = nullptr;
  std::size_t input = 0;
};

/// An index over a graph and its bodies, which must outlive it. Cost: linear in the nodes.
class GraphWalk {
 public:
  explicit GraphWalk(const Graph& root);

  std::span<const Use> uses(const Place& place) const;
  /// The places in bodies that stand for the same value.
  std::span<const Place> captures(const Place& place) const;
  /// Where a value that a body takes from outside is defined.
  Place source(Place place) const;
  /// The outputs of If, Loop and Scan that this value becomes as an output of their body.
  std::vector<Place> results(const Place& place) const;
  /// The node that makes the value; nullptr for an input or initializer.
  const Node* maker(const Place& place) const;

 private:
  struct Entry {
    const Graph* outer = nullptr;
    const Node* owner = nullptr;  // Whose body the graph is.
    std::vector<std::vector<Use>> uses{};
    std::vector<std::vector<Place>> captures{};
  };

  void add(const Graph& graph, const Graph* outer, const Node* owner);

  std::map<const Graph*, Entry> entries_{};
};

}  // namespace headroom
