// SPDX-License-Identifier: Apache-2.0
// The index of uses.
#include "data/graph_walk.h"

namespace headroom {

GraphWalk::GraphWalk(const Graph& root) {
  add(root, nullptr, nullptr);
}

void GraphWalk::add(const Graph& graph, const Graph* outer, const Node* owner) {
  Entry& entry = entries_[&graph];
  entry.outer = outer;
  entry.owner = owner;
  entry.uses.resize(graph.values.size());
  entry.captures.resize(graph.values.size());
  if (outer != nullptr) {
    std::vector<std::vector<Place>>& captures = entries_.at(outer).captures;
    for (ValueId id = 0; id < graph.values.size(); ++id) {
      const Value& value = graph.values[id];
      if (value.origin == Origin::OuterScope) captures.at(value.index).push_back({&graph, id});
    }
  }
  for (const Node& node : graph.nodes) {
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      if (node.inputs[i] != kNoValue) entry.uses.at(node.inputs[i]).push_back({&graph, &node, i});
    }
    for (const Graph* body : node.bodies()) add(*body, &graph, &node);
  }
}

std::span<const Use> GraphWalk::uses(const Place& place) const {
  return entries_.at(place.graph).uses.at(place.value);
}

std::span<const Place> GraphWalk::captures(const Place& place) const {
  return entries_.at(place.graph).captures.at(place.value);
}

// Loop's body gives the condition first, which the node does not.
std::vector<Place> GraphWalk::results(const Place& place) const {
  const Entry& entry = entries_.at(place.graph);
  std::vector<Place> places;
  if (entry.owner == nullptr) return places;
  const std::size_t skipped = entry.owner->op == "Loop" ? 1 : 0;
  for (std::size_t i = skipped; i < place.graph->outputs.size(); ++i) {
    const bool is_given = i - skipped < entry.owner->outputs.size();
    if (place.graph->outputs[i] != place.value || !is_given) continue;
    places.push_back({entry.outer, entry.owner->outputs[i - skipped]});
  }
  return places;
}

Place GraphWalk::source(Place place) const {
  while (place.graph->values.at(place.value).origin == Origin::OuterScope) {
    place = {entries_.at(place.graph).outer, place.graph->values[place.value].index};
  }
  return place;
}

const Node* GraphWalk::maker(const Place& place) const {
  const Place source_place = source(place);
  const Value& value = source_place.graph->values.at(source_place.value);
  return value.origin == Origin::Node ? &source_place.graph->nodes.at(value.index) : nullptr;
}

}  // namespace headroom
