// SPDX-License-Identifier: Apache-2.0
// Walks the nodes once, adding buffers when they are made and removing them after their last use.
#include "cost/liveness.h"

#include <algorithm>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "cost/view.h"

namespace headroom::cost {
namespace {

constexpr std::uint32_t kNever = 0;
constexpr std::uint32_t kAlways = UINT32_MAX;

class Liveness {
 public:
  Liveness(const Scope& scope, const std::vector<std::uint8_t>& aliases,
           const std::map<std::size_t, BodyPeak>& bodies)
      : scope_(scope),
        graph_(scope.graph),
        bodies_(bodies),
        buffer_(graph_.values.size()),
        last_use_(graph_.values.size(), kNever) {
    std::iota(buffer_.begin(), buffer_.end(), ValueId{0});
    find_buffers(aliases);
    find_last_uses();
  }

  Peak peak() {
    for (std::size_t id = 0; id < graph_.values.size(); ++id)
      if (graph_.values[id].origin == Origin::Input) make(static_cast<ValueId>(id));
    raise_to(live_, nullptr);
    for (std::size_t i = 0; i < graph_.nodes.size() && peak_.reason.empty(); ++i) run_node(i);
    return peak_;
  }

 private:
  // A view's buffer is that of what it views, through views of views.
  void find_buffers(const std::vector<std::uint8_t>& aliases) {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      const Node& node = graph_.nodes[i];
      if (aliases[i] == 0 || node.inputs.empty() || node.outputs.empty()) continue;
      const ValueId from = node.inputs[0];
      const ValueId to = node.outputs[0];
      if (from == kNoValue || to == kNoValue || scope_.is_constant[from] != 0) continue;
      buffer_[to] = buffer_[from];
    }
  }

  void use(ValueId id, std::uint32_t step) {
    if (id != kNoValue) last_use_[buffer_[id]] = std::max(last_use_[buffer_[id]], step);
  }

  // A constant node does not run, so it needs none of its inputs: Shape needs no data.
  bool is_constant(const Node& node) const {
    return std::all_of(node.outputs.begin(), node.outputs.end(),
                       [&](ValueId id) { return id == kNoValue || scope_.is_constant[id] != 0; });
  }

  void use_captures(const Graph& body, std::uint32_t step) {
    for (const Value& value : body.values)
      if (value.origin == Origin::OuterScope) use(value.index, step);
  }

  // Step i + 1 is node i.
  void find_last_uses() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      const Node& node = graph_.nodes[i];
      if (is_constant(node)) continue;
      const auto step = static_cast<std::uint32_t>(i + 1);
      for (const ValueId id : node.inputs) use(id, step);
      for (const ValueId id : node.outputs) use(id, step);
      for (const Graph* body : node.bodies()) use_captures(*body, step);
    }
    for (const ValueId id : graph_.outputs) use(id, kAlways);
    for (std::size_t id = 0; id < graph_.values.size(); ++id)
      if (graph_.values[id].origin == Origin::Input) use(static_cast<ValueId>(id), kAlways);
  }

  // Bytes of a value's own buffer; none for constants, views and what lives in an enclosing graph.
  Amount own_bytes(ValueId id) {
    if (id == kNoValue || buffer_[id] != id || scope_.is_constant[id] != 0) return 0;
    const Value& value = graph_.values[id];
    if (value.origin == Origin::OuterScope) return 0;
    if (const auto bytes = sized_bytes(value.type)) return *bytes;
    std::string open_dimension;
    if (peak_.reason.empty()) {
      peak_.reason = fmt::format("the size of value '{}' is not known: {}", value.name,
                                 why_unsized(value.type, open_dimension));
    }
    return 0;
  }

  Amount make(ValueId id) {
    const Amount bytes = own_bytes(id);
    live_ += bytes;
    return bytes;
  }

  void free_after(std::uint32_t step, std::span<const ValueId> ids) {
    for (const ValueId id : ids) {
      if (id == kNoValue || last_use_[buffer_[id]] != step) continue;
      live_ = live_ - own_bytes(buffer_[id]);
      last_use_[buffer_[id]] = kAlways;  // Freed once, also when it is named twice.
    }
  }

  void raise_to(Amount bytes, const Node* node) {
    const bool is_higher = bytes.has_overflowed() || bytes.value() > peak_.bytes.value();
    if (!is_higher || peak_.bytes.has_overflowed()) return;
    peak_.bytes = bytes;
    peak_.node = node == nullptr ? std::string{} : display_name(scope_, *node);
  }

  void run_node(std::size_t index) {
    const Node& node = graph_.nodes[index];
    Amount outputs = 0;
    for (const ValueId id : node.outputs) outputs += make(id);
    raise_to(live_, &node);
    if (const auto body = bodies_.find(index); body != bodies_.end())
      add_body(node, body->second, outputs);
    const auto step = static_cast<std::uint32_t>(index + 1);
    free_after(step, node.inputs);
    free_after(step, node.outputs);
    for (const Graph* body : node.bodies()) {
      for (const Value& value : body->values) {
        if (value.origin == Origin::OuterScope) {
          const ValueId id = value.index;
          free_after(step, {&id, 1});
        }
      }
    }
  }

  void add_body(const Node& node, const BodyPeak& body, Amount outputs) {
    if (!body.peak.reason.empty() && peak_.reason.empty()) peak_.reason = body.peak.reason;
    const Amount before = peak_.bytes;
    raise_to((body.hands_over_outputs ? live_ - outputs : live_) + body.peak.bytes, &node);
    if (peak_.bytes.value() != before.value() && !body.peak.node.empty())
      peak_.node = body.peak.node;
  }

  const Scope& scope_;
  const Graph& graph_;
  const std::map<std::size_t, BodyPeak>& bodies_;
  std::vector<ValueId> buffer_;
  std::vector<std::uint32_t> last_use_;
  Amount live_{};
  Peak peak_{};
};

}  // namespace

Peak activation_peak(const Scope& scope, const std::vector<std::uint8_t>& aliases,
                     const std::map<std::size_t, BodyPeak>& bodies) {
  return Liveness(scope, aliases, bodies).peak();
}

std::string display_name(const Scope& scope, const Node& node) {
  if (!node.name.empty()) return scope.prefix + node.name;
  for (const ValueId id : node.outputs) {
    if (id != kNoValue)
      return fmt::format("{}{} of {}", scope.prefix, node.op, scope.graph.values[id].name);
  }
  return scope.prefix + node.op;
}

}  // namespace headroom::cost
