// SPDX-License-Identifier: Apache-2.0
// What inference says about a value, as text that a test can compare whole.
#pragma once

#include <headroom/model/model.h>

#include <string>
#include <string_view>
#include <vector>

#include "support/model_builder.h"

namespace headroom::test {

/// A declared rank of 0.
inline const DimsSpec kScalar = std::vector<DimSpec>{};

inline Model inferred(const ModelBuilder& builder, const ShapeOptions& options = {}) {
  Model model = builder.parse();
  infer_shapes(model, options);
  return model;
}

inline const Value* find_value(const Model& model, std::string_view name) {
  for (const Value& value : model.graph.values)
    if (value.name == name) return &value;
  return nullptr;
}

/// `float32 batchx3x224`, `int64 scalar`, `float32 of unknown rank`, `unknown`, `sequence of …`.
inline std::string text_of(const ValueType& type) {
  if (type.kind == TypeKind::Unknown) return "unknown";
  if (type.kind == TypeKind::Sequence) return "sequence of " + text_of(type.inner.front());
  if (type.kind == TypeKind::Optional) return "optional " + text_of(type.inner.front());
  if (type.kind == TypeKind::Map) return "map";
  const std::string shape = type.shape ? to_string(*type.shape) : "of unknown rank";
  return std::string(to_string(type.element)) + " " + shape;
}

inline std::string type_of(const Model& model, std::string_view name) {
  const Value* value = find_value(model, name);
  return value ? text_of(value->type) : "no such value";
}

/// The symbols of the open dimensions of a value, in order.
inline std::vector<std::string> open_dims(const Model& model, std::string_view name) {
  std::vector<std::string> symbols;
  const Value* value = find_value(model, name);
  if (!value || !value->type.shape) return symbols;
  for (const Dim& dim : *value->type.shape)
    if (!dim.size) symbols.push_back(dim.symbol);
  return symbols;
}

/// A node between the input x and the output y, whose other inputs are initializers i1, i2, ….
class OneNode {
 public:
  OneNode(std::string_view op, const DimsSpec& x, ElementType type = ElementType::Float32)
      : op_(op) {
    model_.input("x", type, x);
  }
  OneNode& opset(std::int64_t version, std::string_view domain = "") {
    domain_ = domain;
    if (!domain.empty()) model_.opset("", 21);
    model_.opset(domain, version);
    return *this;
  }
  OneNode& with(const AttributeSpec& attribute) {
    attributes_.push_back(attribute);
    return *this;
  }
  OneNode& list(const std::vector<std::int64_t>& values) {
    inputs_.push_back("i" + std::to_string(inputs_.size()));
    model_.initializer(inputs_.back(), {static_cast<std::int64_t>(values.size())}, values);
    return *this;
  }
  OneNode& scalar(std::int64_t value) {
    inputs_.push_back("i" + std::to_string(inputs_.size()));
    model_.initializer(inputs_.back(), std::vector<std::int64_t>{},
                       std::vector<std::int64_t>{value});
    return *this;
  }
  OneNode& reals(const std::vector<float>& values) {
    inputs_.push_back("i" + std::to_string(inputs_.size()));
    model_.initializer(inputs_.back(), {static_cast<std::int64_t>(values.size())}, values);
    return *this;
  }
  /// An input of the model: shape known, data not.
  OneNode& input(const DimsSpec& dims, ElementType type = ElementType::Float32) {
    inputs_.push_back("i" + std::to_string(inputs_.size()));
    model_.input(inputs_.back(), type, dims);
    return *this;
  }
  OneNode& omitted() {
    inputs_.emplace_back();
    return *this;
  }
  Model infer(const std::vector<std::string>& outputs = {"y"}) const {
    ModelBuilder model = model_;
    model.node(op_, inputs_, outputs, attributes_, domain_, "n");
    for (const std::string& output : outputs)
      if (!output.empty()) model.output(output);
    return inferred(model);
  }
  std::string y() const { return type_of(infer(), "y"); }

 private:
  std::string op_;
  std::string domain_{};
  ModelBuilder model_{};
  std::vector<std::string> inputs_{"x"};
  std::vector<AttributeSpec> attributes_{};
};

}  // namespace headroom::test
