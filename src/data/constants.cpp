// SPDX-License-Identifier: Apache-2.0
// Reading constants without loading weights.
#include "data/constants.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace headroom {
namespace {

constexpr std::uint64_t kMaxElements = 65'536;
constexpr int kMaxSteps = 16;  // Of operators between a constant and its use.

template <class T>
std::vector<double> converted(const Tensor& tensor) {
  const std::span<const std::byte> bytes = tensor.data.bytes();
  std::vector<double> values(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    T value{};
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    values[i] = static_cast<double>(value);
  }
  return values;
}

std::optional<std::vector<double>> numbers_of(const Tensor& tensor) {
  switch (tensor.type) {
    case ElementType::Float32:
      return converted<float>(tensor);
    case ElementType::Float64:
      return converted<double>(tensor);
    case ElementType::Bool:
    case ElementType::Uint8:
      return converted<std::uint8_t>(tensor);
    case ElementType::Int8:
      return converted<std::int8_t>(tensor);
    case ElementType::Uint16:
      return converted<std::uint16_t>(tensor);
    case ElementType::Int16:
      return converted<std::int16_t>(tensor);
    case ElementType::Uint32:
      return converted<std::uint32_t>(tensor);
    case ElementType::Int32:
      return converted<std::int32_t>(tensor);
    case ElementType::Uint64:
      return converted<std::uint64_t>(tensor);
    case ElementType::Int64:
      return converted<std::int64_t>(tensor);
    default:
      return std::nullopt;
  }
}

std::optional<std::vector<double>> stored_numbers(const StoredTensor& stored, const Model& model) {
  const bool is_open = std::any_of(stored.dims.begin(), stored.dims.end(),
                                   [](std::int64_t size) { return size < 0; });
  if (is_open || stored.external || element_count(stored.dims) > kMaxElements) return std::nullopt;
  if (stored.type == ElementType::String) return std::nullopt;
  return numbers_of(read_tensor(stored, model.path.parent_path()));
}

// What a Constant node holds. Source: ONNX operator Constant, versions 1 to 25.
std::optional<std::vector<double>> node_numbers(const Node& node, const Model& model) {
  for (const Attribute& attribute : node.attributes) {
    if (const auto* stored = std::get_if<StoredTensor>(&attribute.value)) {
      return stored_numbers(*stored, model);
    }
    if (const auto* integer = std::get_if<std::int64_t>(&attribute.value)) {
      return std::vector<double>{static_cast<double>(*integer)};
    }
    if (const auto* real = std::get_if<float>(&attribute.value)) {
      return std::vector<double>{static_cast<double>(*real)};
    }
    if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&attribute.value)) {
      return std::vector<double>(integers->begin(), integers->end());
    }
    if (const auto* reals = std::get_if<std::vector<float>>(&attribute.value)) {
      return std::vector<double>(reals->begin(), reals->end());
    }
  }
  return std::nullopt;
}

// Elements that shape inference found, if all are known.
std::optional<std::vector<double>> inferred_numbers(const Place& place) {
  const auto found = place.graph->known.find(place.value);
  if (found == place.graph->known.end()) return std::nullopt;
  std::vector<double> values;
  for (const std::optional<std::int64_t>& element : found->second.elements) {
    if (!element) return std::nullopt;
    values.push_back(static_cast<double>(*element));
  }
  return values;
}

bool keeps_elements(const Node& node) {
  constexpr std::array<std::string_view, 7> kOps = {"Cast",    "Identity", "Reshape",  "Unsqueeze",
                                                    "Squeeze", "Expand",   "Transpose"};
  return node.domain.empty() && std::find(kOps.begin(), kOps.end(), node.op) != kOps.end() &&
         !node.inputs.empty() && node.inputs[0] != kNoValue;
}

}  // namespace

std::optional<std::vector<double>> Constants::elements(const Place& place) const {
  Place at = walk_.source(place);
  for (int step = 0; step < kMaxSteps; ++step) {
    const Value& value = at.graph->values.at(at.value);
    if (value.origin == Origin::Initializer) {
      return stored_numbers(at.graph->initializers.at(value.index), model_);
    }
    if (auto inferred = inferred_numbers(at)) return inferred;
    const Node* maker = walk_.maker(at);
    if (maker == nullptr) return std::nullopt;
    if (maker->op == "Constant" && maker->domain.empty()) return node_numbers(*maker, model_);
    if (!keeps_elements(*maker)) return std::nullopt;
    at = walk_.source({at.graph, maker->inputs[0]});
  }
  return std::nullopt;
}

bool Constants::is_constant(const Place& place) const {
  const Place at = walk_.source(place);
  const Node* maker = walk_.maker(at);
  if (maker != nullptr) return maker->op == "Constant" && maker->domain.empty();
  return at.graph->values.at(at.value).origin == Origin::Initializer;
}

std::optional<double> Constants::single(const Place& place) const {
  const auto values = elements(place);
  if (!values || values->empty()) return std::nullopt;
  const bool is_same = std::all_of(values->begin(), values->end(),
                                   [&](double value) { return value == values->front(); });
  return is_same ? std::optional(values->front()) : std::nullopt;
}

std::optional<Shape> Constants::shape(const Place& place) const {
  const auto fixed = [](std::span<const std::int64_t> sizes) {
    Shape shape;
    for (const std::int64_t size : sizes) shape.push_back({.size = size, .symbol = {}});
    return shape;
  };
  const Place at = walk_.source(place);
  const Value& value = at.graph->values.at(at.value);
  if (value.origin == Origin::Initializer)
    return fixed(at.graph->initializers.at(value.index).dims);
  const Node* maker = walk_.maker(at);
  if (maker != nullptr && maker->op == "Constant" && maker->domain.empty()) {
    for (const Attribute& attribute : maker->attributes) {
      if (const auto* stored = std::get_if<StoredTensor>(&attribute.value))
        return fixed(stored->dims);
    }
  }
  return value.type.shape;
}

std::optional<std::vector<std::int64_t>> Constants::sizes(const Place& place) const {
  const auto found = shape(place);
  return found ? known_sizes(*found) : std::nullopt;
}

std::optional<std::size_t> Constants::rank(const Place& place) const {
  const auto found = shape(place);
  return found ? std::optional(found->size()) : std::nullopt;
}

std::optional<std::int64_t> Constants::size(const Place& place, std::size_t axis) const {
  const auto found = shape(place);
  return found ? found->at(axis).size : std::nullopt;
}

}  // namespace headroom
