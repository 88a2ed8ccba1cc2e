// SPDX-License-Identifier: Apache-2.0
// Follows constants to what the file stores.
#include "cost/constants.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <utility>

#include "cost/view.h"

namespace headroom::cost {
namespace {

bool is_complete(const KnownElements& known, const ValueType& type) {
  if (type.kind != TypeKind::Tensor || !type.shape) return false;
  Amount elements = 1;
  for (const Dim& dim : *type.shape) {
    if (!dim.size || *dim.size < 0) return false;
    elements *= static_cast<std::uint64_t>(*dim.size);
  }
  const bool is_integers = std::all_of(known.elements.begin(), known.elements.end(),
                                       [](const auto& element) { return element.has_value(); });
  const bool is_reals = std::none_of(known.reals.begin(), known.reals.end(),
                                     [](double real) { return std::isnan(real); });
  return is_integers && is_reals &&
         std::max(known.elements.size(), known.reals.size()) == elements.value();
}

// Operators whose output holds the elements of input 0, each once.
bool is_one_to_one(const Node& node) {
  constexpr std::array<std::string_view, 8> kOps = {"Cast",      "DequantizeLinear", "Flatten",
                                                    "Identity",  "Reshape",          "Squeeze",
                                                    "Transpose", "Unsqueeze"};
  if (!node.domain.empty() && node.domain != "ai.onnx")
    return node.domain == "com.microsoft" && node.op == "DequantizeLinear";
  return std::find(kOps.begin(), kOps.end(), node.op) != kOps.end();
}

// Scales and zero points of DequantizeLinear belong to the stored form, a shape or axes do not.
std::size_t stored_inputs(const Node& node) {
  return node.op == "DequantizeLinear" ? node.inputs.size() : 1;
}

const Node* one_to_one_producer(const StoredConstant& constant) {
  const Value& value = constant.scope->graph.values[constant.id];
  if (value.origin != Origin::Node) return nullptr;
  const Node& node = constant.scope->graph.nodes[value.index];
  const bool leads_on = is_one_to_one(node) && !node.inputs.empty() && !node.outputs.empty() &&
                        node.outputs[0] == constant.id && node.inputs[0] != kNoValue &&
                        constant.scope->is_constant[node.inputs[0]] != 0;
  return leads_on ? &node : nullptr;
}

// Only the types that counts, conditions and lengths have.
std::optional<std::int64_t> stored_scalar(const StoredTensor& stored,
                                          const std::filesystem::path& folder) {
  const bool is_scalar = std::all_of(stored.dims.begin(), stored.dims.end(),
                                     [](std::int64_t dim) { return dim == 1; });
  if (!is_scalar || stored.external) return std::nullopt;
  const auto element = [&](auto sample) -> std::optional<std::int64_t> {
    const Tensor tensor = read_tensor(stored, folder);
    if (tensor.data.bytes().size() < sizeof(sample)) return std::nullopt;
    std::memcpy(&sample, tensor.data.bytes().data(), sizeof(sample));
    return static_cast<std::int64_t>(sample);
  };
  if (stored.type == ElementType::Int64) return element(std::int64_t{});
  if (stored.type == ElementType::Int32) return element(std::int32_t{});
  if (stored.type == ElementType::Bool) return element(std::uint8_t{});
  return std::nullopt;
}

// Whether a run's values of the node follow from values that were given for inputs. A shape does
// not.
bool needs_given(const Scope& scope, const Node& node) {
  if (node.domain.empty() && (node.op == "Shape" || node.op == "Size")) {
    return !node.inputs.empty() && node.inputs[0] != kNoValue &&
           scope.graph.values[node.inputs[0]].is_observed;
  }
  const auto is_given = [&](ValueId id) { return id != kNoValue && scope.is_given[id]; };
  if (std::any_of(node.inputs.begin(), node.inputs.end(), is_given)) return true;
  const std::vector<const Graph*> bodies = node.bodies();
  return std::any_of(bodies.begin(), bodies.end(), [&](const Graph* body) {
    return std::any_of(body->values.begin(), body->values.end(), [&](const Value& value) {
      return value.origin == Origin::OuterScope && is_given(value.index);
    });
  });
}

StoredConstant resolved(StoredConstant constant) {
  while (constant.scope->graph.values[constant.id].origin == Origin::OuterScope &&
         constant.scope->parent != nullptr)
    constant = {constant.scope->parent, constant.scope->graph.values[constant.id].index};
  return constant;
}

}  // namespace

Scope::Scope(const Model& model_)
    : model(model_),
      graph(model_.graph),
      is_constant(graph.values.size()),
      is_known(graph.values.size()),
      is_given(graph.values.size()),
      is_counted(graph.values.size()),
      used_elements(graph.nodes.size()) {
  for (const Diagnostic& diagnostic : model.diagnostics)
    if (diagnostic.code == "contradiction_in_body") contradictions.insert(diagnostic.place);
  find_constants();
}

Scope::Scope(Scope& outer, const Graph& body, std::string prefix_)
    : model(outer.model),
      graph(body),
      parent(&outer),
      prefix(std::move(prefix_)),
      is_constant(graph.values.size()),
      is_known(graph.values.size()),
      is_given(graph.values.size()),
      is_counted(graph.values.size()),
      used_elements(graph.nodes.size()) {
  find_constants();
}

void Scope::find_given() {
  const bool is_outermost = parent == nullptr;
  for (std::size_t id = 0; id < graph.values.size(); ++id) {
    const Value& value = graph.values[id];
    const auto known = graph.known.find(static_cast<ValueId>(id));
    if (value.origin == Origin::OuterScope && !is_outermost) {
      is_given[id] = parent->is_given[value.index];
    } else if (value.origin == Origin::Input && !is_outermost) {
      is_given[id] = parent->has_given;
    } else {
      is_given[id] = known != graph.known.end() && known->second.is_given;
    }
  }
  for (const Node& node : graph.nodes) {
    if (!needs_given(*this, node)) continue;
    for (const ValueId id : node.outputs) {
      if (id != kNoValue) is_given[id] = true;
    }
  }
  has_given = std::find(is_given.begin(), is_given.end(), true) != is_given.end();
}

void Scope::find_constants() {
  find_given();
  for (const auto& [id, known] : graph.known)
    is_known[id] = !is_given[id] && is_complete(known, graph.values[id].type) ? 1 : 0;
  for (std::size_t id = 0; id < graph.values.size(); ++id) {
    const Value& value = graph.values[id];
    if (value.origin == Origin::Initializer || value.origin == Origin::SparseInitializer) {
      is_constant[id] = 1;
    } else if (value.origin == Origin::OuterScope && parent != nullptr) {
      is_constant[id] = parent->is_constant[value.index];
    }
  }
}

void append_stored(Scope& scope, ValueId id, std::vector<StoredConstant>& out) {
  std::vector<StoredConstant> open = {{&scope, id}};
  while (!open.empty()) {
    const StoredConstant constant = resolved(open.back());
    open.pop_back();
    const Node* node = one_to_one_producer(constant);
    if (node == nullptr) {
      out.push_back(constant);
      continue;
    }
    for (std::size_t i = stored_inputs(*node); i-- > 0;)
      if (node->inputs[i] != kNoValue) open.push_back({constant.scope, node->inputs[i]});
  }
}

Amount elements_of(const StoredConstant& constant) {
  const Graph& graph = constant.scope->graph;
  const Value& value = graph.values[constant.id];
  Amount elements = 1;
  const auto multiply = [&](const std::vector<std::int64_t>& dims) {
    for (const std::int64_t dim : dims)
      elements *= static_cast<std::uint64_t>(std::max<std::int64_t>(dim, 0));
    return elements;
  };
  if (value.origin == Origin::Initializer) return multiply(graph.initializers[value.index].dims);
  if (value.origin == Origin::SparseInitializer)
    return multiply(graph.sparse_initializers[value.index].values.dims);
  if (value.type.kind != TypeKind::Tensor || !value.type.shape) return 0;
  for (const Dim& dim : *value.type.shape)
    elements *= static_cast<std::uint64_t>(std::max<std::int64_t>(dim.size.value_or(0), 0));
  return elements;
}

Amount bytes_of(const StoredConstant& constant) {
  const Graph& graph = constant.scope->graph;
  const Value& value = graph.values[constant.id];
  const auto packed = [](ElementType type, Amount elements) -> Amount {
    const unsigned bits = bits_of(type).value_or(0);
    return elements / 8 * bits + ((elements - elements / 8 * 8) * bits + 7) / 8;
  };
  const Amount elements = elements_of(constant);
  if (value.origin == Origin::SparseInitializer) {
    const StoredSparseTensor& sparse = graph.sparse_initializers[value.index];
    Amount indices = 1;
    for (const std::int64_t dim : sparse.indices.dims)
      indices *= static_cast<std::uint64_t>(std::max<std::int64_t>(dim, 0));
    return packed(sparse.values.type, elements) + packed(sparse.indices.type, indices);
  }
  const bool is_stored = value.origin == Origin::Initializer;
  return packed(is_stored ? graph.initializers[value.index].type : value.type.element, elements);
}

std::optional<std::int64_t> known_scalar(const Scope& scope, ValueId id) {
  const Scope* place = &scope;
  while (place->graph.values[id].origin == Origin::OuterScope && place->parent != nullptr) {
    id = place->graph.values[id].index;
    place = place->parent;
  }
  const Graph& graph = place->graph;
  if (const auto found = graph.known.find(id); found != graph.known.end())
    return found->second.elements.size() == 1 ? found->second.elements.front() : std::nullopt;
  const Value& value = graph.values[id];
  if (value.origin != Origin::Initializer) return std::nullopt;
  return stored_scalar(graph.initializers[value.index], scope.model.path.parent_path());
}

}  // namespace headroom::cost
