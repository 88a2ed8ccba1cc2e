// SPDX-License-Identifier: Apache-2.0
// One node as formulas see it: sizes of its operands, attributes, elements that are known. Whatever
// a formula asks for and the model does not say is noted, and then the node counts as unknown.
#pragma once

#include <headroom/model/model.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cost/amount.h"
#include "cost/constants.h"

namespace headroom::cost {

class NodeView;

/// An input or output of the node. Asked for a size that is open, it answers 1 and the view keeps
/// the reason.
class Operand {
 public:
  /// Whether the node has it (it may be omitted).
  bool exists() const { return value_ != nullptr; }
  /// 0 where the rank is open.
  std::size_t rank() const;
  /// Negative axes count from the end.
  Amount dim(std::int64_t axis) const;
  Amount elements() const;
  /// Product of the dimensions `first` to `last`, both included; negative axes count from the end.
  Amount product(std::int64_t first, std::int64_t last) const;
  /// Bytes as ONNX packs them. Strings, sequences, maps have no size: noted as a reason.
  Amount bytes() const;
  /// The tensor's element type; Undefined where the operand is no tensor or is omitted.
  ElementType element() const;
  /// Whether its elements do not depend on the inputs of the run.
  bool is_constant() const { return is_constant_; }
  /// Of a sequence of maps from numbers to scalar numbers: a key and a value; else noted as a
  /// reason.
  Amount bytes_of_map_entry() const;
  bool is_sequence() const { return exists() && value_->type.kind == TypeKind::Sequence; }
  std::string describe() const;

 private:
  friend class NodeView;
  Operand(NodeView& view, bool is_input, std::size_t index, const Value* value, bool is_constant)
      : view_(&view),
        value_(value),
        index_(index),
        is_input_(is_input),
        is_constant_(is_constant) {}

  const Shape* shape() const;
  std::int64_t normalized(std::int64_t axis) const;
  Amount size_of(const Dim& dim, std::size_t axis) const;

  NodeView* view_;
  const Value* value_;
  std::size_t index_;
  bool is_input_;
  bool is_constant_;
};

class NodeView {
 public:
  NodeView(const Scope& scope, const Node& node)
      : scope_(&scope), node_(&node), opset_(scope.model.opset(node.domain)) {}

  const Node& node() const { return *node_; }
  /// Version imported for the node's domain.
  std::int64_t opset() const { return opset_; }
  std::size_t input_count() const { return node_->inputs.size(); }
  std::size_t output_count() const { return node_->outputs.size(); }
  Operand input(std::size_t index);
  Operand output(std::size_t index);
  /// Number of inputs that are not omitted.
  std::size_t present_inputs() const;

  std::int64_t integer(std::string_view attribute, std::int64_t otherwise) const {
    return node_->integer(attribute, otherwise);
  }
  bool flag(std::string_view attribute) const { return integer(attribute, 0) != 0; }
  /// Element `index` of entry `index` of an integer list; `otherwise` where it is shorter.
  std::int64_t entry(std::string_view attribute, std::size_t index, std::int64_t otherwise) const;
  /// The only element of an input whose elements are known.
  std::optional<std::int64_t> known_scalar(std::size_t input) const;

  /// Notes what is missing; the first reason stays. `open_dimension` as in NodeWork.
  void note(const std::string& reason, const std::string& open_dimension = {});
  bool has_reason() const { return !reason_.empty(); }
  const std::string& reason() const { return reason_; }
  const std::string& open_dimension() const { return open_dimension_; }

 private:
  Operand operand(bool is_input, std::size_t index, std::span<const ValueId> ids);

  const Scope* scope_;
  const Node* node_;
  std::int64_t opset_;
  std::string reason_{};
  std::string open_dimension_{};
};

/// Why `type` has no size, empty where it has one; sets `open_dimension` as in NodeWork.
std::string why_unsized(const ValueType& type, std::string& open_dimension);
/// Bytes of a tensor type whose size is known; nothing otherwise.
std::optional<Amount> sized_bytes(const ValueType& type);

}  // namespace headroom::cost
