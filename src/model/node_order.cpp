// SPDX-License-Identifier: Apache-2.0
#include "model/node_order.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include <fmt/format.h>

namespace headroom {
namespace {

/// Calls `visit` with the number of each node whose output `node` needs; of some more than once.
template <class Visit>
void for_each_producer(const Graph& graph, const Node& node, Visit visit) {
  for_each_read(node, [&](ValueId id) {
    if (graph.values[id].origin == Origin::Node) visit(graph.values[id].index);
  });
}

bool is_sorted(const Graph& graph) {
  bool sorted = true;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for_each_producer(graph, graph.nodes[i],
                      [&](std::uint32_t producer) { sorted = sorted && producer < i; });
  }
  return sorted;
}

/// By node, the nodes that need it: those of node n are targets[begin[n]] to targets[begin[n + 1]].
struct Consumers {
  std::vector<std::size_t> begin;
  std::vector<std::uint32_t> targets;
  std::vector<std::uint32_t> needs;  ///< By node, how many entries of `targets` name it.
};

Consumers consumers_of(const Graph& graph) {
  const std::size_t count = graph.nodes.size();
  Consumers consumers{std::vector<std::size_t>(count + 2), {}, std::vector<std::uint32_t>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    for_each_producer(graph, graph.nodes[i], [&](std::uint32_t producer) {
      ++consumers.begin[producer + 2];
      ++consumers.needs[i];
    });
  }
  for (std::size_t i = 2; i < consumers.begin.size(); ++i) {
    consumers.begin[i] += consumers.begin[i - 1];
  }
  consumers.targets.resize(consumers.begin.back());
  for (std::size_t i = 0; i < count; ++i) {
    for_each_producer(graph, graph.nodes[i], [&](std::uint32_t producer) {
      consumers.targets[consumers.begin[producer + 1]++] = static_cast<std::uint32_t>(i);
    });
  }
  return consumers;
}

std::string named(const Graph& graph, std::uint32_t index) {
  const Node& node = graph.nodes[index];
  const wire::Place root;
  return wire::to_string(root.inside("node", node.name, index, node.op));
}

/// `needs` is above 0 for the nodes that could not be sorted: each of them needs another of them,
/// so a walk from any of them ends in a cycle.
[[noreturn]] void throw_cycle(const wire::Place& place, const Graph& graph,
                              const std::vector<std::uint32_t>& needs) {
  constexpr std::size_t kMostNamed = 8;
  const auto start = std::find_if(needs.begin(), needs.end(), [](auto n) { return n > 0; });
  auto at = static_cast<std::uint32_t>(start - needs.begin());
  std::vector<std::size_t> step(graph.nodes.size());  // When a node was met; 0: not yet.
  std::vector<std::uint32_t> path;
  while (step[at] == 0) {
    path.push_back(at);
    step[at] = path.size();
    std::uint32_t next = at;
    for_each_producer(graph, graph.nodes[at], [&](std::uint32_t producer) {
      if (needs[producer] > 0) next = producer;
    });
    at = next;
  }
  const std::span<const std::uint32_t> cycle = std::span(path).subspan(step[at] - 1);
  std::string text;
  for (std::size_t i = 0; i < std::min(cycle.size(), kMostNamed); ++i) {
    text += named(graph, cycle[i]) + " needs ";
  }
  if (cycle.size() > kMostNamed) text += fmt::format("… ({} nodes in all) needs ", cycle.size());
  wire::fail(place, fmt::format("the nodes form a cycle: {}{}", text, named(graph, cycle[0])));
}

/// The numbers of the nodes in their new order.
std::vector<std::uint32_t> sorted_order(const wire::Place& place, const Graph& graph) {
  Consumers consumers = consumers_of(graph);
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
    if (consumers.needs[i] == 0) ready.push(i);
  }
  std::vector<std::uint32_t> order;
  order.reserve(graph.nodes.size());
  while (!ready.empty()) {
    const std::uint32_t next = ready.top();
    ready.pop();
    order.push_back(next);
    for (std::size_t i = consumers.begin[next]; i < consumers.begin[next + 1]; ++i) {
      if (--consumers.needs[consumers.targets[i]] == 0) ready.push(consumers.targets[i]);
    }
  }
  if (order.size() != graph.nodes.size()) throw_cycle(place, graph, consumers.needs);
  return order;
}

}  // namespace

bool sort_nodes(const wire::Place& place, Graph& graph) {
  if (is_sorted(graph)) return false;
  const std::vector<std::uint32_t> order = sorted_order(place, graph);
  std::vector<Node> nodes;
  nodes.reserve(order.size());
  std::vector<std::uint32_t> moved_to(order.size());
  for (const std::uint32_t index : order) {
    moved_to[index] = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back(std::move(graph.nodes[index]));
  }
  graph.nodes = std::move(nodes);
  for (Value& value : graph.values) {
    if (value.origin == Origin::Node) value.index = moved_to[value.index];
  }
  return true;
}

}  // namespace headroom
