// SPDX-License-Identifier: Apache-2.0
// Counts the work of a graph literal.
#pragma once

#include <headroom/cost.h>
#include <headroom/model/model.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "support/model_builder.h"

namespace headroom::test {

inline constexpr ElementType kF32 = ElementType::Float32;
inline constexpr ElementType kI64 = ElementType::Int64;
inline constexpr ElementType kU8 = ElementType::Uint8;
inline constexpr ElementType kI8 = ElementType::Int8;
inline constexpr std::string_view kMicrosoftDomain = "com.microsoft";
inline constexpr std::string_view kTrainingDomain = "ai.onnx.preview.training";
inline constexpr std::string_view kPreviewDomain = "ai.onnx.preview";

inline Work count(const ModelBuilder& builder, const ShapeOptions& options = {}) {
  Model model = builder.parse();
  inline_functions(model);
  infer_shapes(model, options);
  return count_work(model);
}

inline std::uint64_t other(const NodeWork& node, Arithmetic kind) {
  return node.other[static_cast<std::size_t>(kind)];
}

/// Sum over all kinds.
inline std::uint64_t all_other(const NodeWork& node) {
  return std::accumulate(node.other.begin(), node.other.end(), std::uint64_t{0});
}

/// An input of a one-node model. A weight is an initializer of zeros.
struct Given {
  ElementType type = kF32;
  std::vector<std::int64_t> dims{};
  bool is_weight = false;
  bool is_omitted = false;
};
inline Given data(std::vector<std::int64_t> dims, ElementType type = kF32) {
  return {.type = type, .dims = std::move(dims)};
}
inline Given weight(std::vector<std::int64_t> dims, ElementType type = kF32) {
  return {.type = type, .dims = std::move(dims), .is_weight = true};
}
inline Given omitted() {
  return {.is_omitted = true};
}

/// One node of `op` with outputs `outputs`, its inputs declared as given.
struct OneNode {
  std::string op{};
  std::vector<Given> inputs{};
  std::vector<AttributeSpec> attributes{};
  std::string domain{};
  std::int64_t opset = 21;
  std::vector<std::string> outputs = {"y"};
  /// Declared type of `y`, for operators whose output the library does not infer.
  std::optional<Given> declared{};
};

inline ModelBuilder model_of(const OneNode& one) {
  ModelBuilder builder;
  builder.opset("", one.opset).opset(kMicrosoftDomain, 1).opset("ai.onnx.ml", 3);
  builder.opset(kTrainingDomain, 1).opset(kPreviewDomain, 1);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < one.inputs.size(); ++i) {
    const Given& given = one.inputs[i];
    names.push_back(given.is_omitted ? std::string{} : "x" + std::to_string(i));
    if (given.is_omitted) continue;
    if (given.is_weight)
      builder.initializer(zero_tensor(names.back(), given.type, given.dims));
    else
      builder.input(names.back(), given.type,
                    std::vector<DimSpec>(given.dims.begin(), given.dims.end()));
  }
  builder.node(one.op, names, one.outputs, one.attributes, one.domain, "n");
  if (one.declared)
    builder.output("y", one.declared->type,
                   std::vector<DimSpec>(one.declared->dims.begin(), one.declared->dims.end()));
  else
    builder.output("y");
  return builder;
}

/// The work of the node itself.
inline NodeWork count_one(const OneNode& one) {
  return count(model_of(one)).nodes.front();
}

}  // namespace headroom::test
