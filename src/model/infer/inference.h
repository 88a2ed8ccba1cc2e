// SPDX-License-Identifier: Apache-2.0
// One node as a rule of inference sees it: what is known about its inputs, its attributes, and
// where the types of its outputs go.
#pragma once

#include <headroom/model/graph.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/infer/dims.h"

namespace headroom::infer {

class NodeInference;
class Walk;

/// How the outputs of one operator follow from its inputs.
struct Rule {
  std::string_view op{};
  void (*infer)(NodeInference&) = nullptr;
  /// Inputs that must be present; fewer are an error of the file.
  std::size_t inputs = 0;
  /// Computes the elements of output 0 where its shape is known and small.
  void (*evaluate)(NodeInference&) = nullptr;
  ElementType element = ElementType::Undefined;  ///< Of output 0, where it is not that of input 0.
  std::int64_t axes_input_since = 0;             ///< The opset in which `axes` became an input.
};

/// A graph and the graph around it.
struct Scope {
  Graph& graph;
  Scope* outer = nullptr;
};

class NodeInference {
 public:
  NodeInference(Walk& walk, Scope& scope, Node& node, const Rule& rule, std::int64_t opset)
      : walk_(walk), scope_(scope), node_(node), rule_(rule), opset_(opset) {}

  const Node& node() const noexcept { return node_; }
  const Rule& rule() const noexcept { return rule_; }
  /// Version of the node's domain that the model imports.
  std::int64_t opset() const noexcept { return opset_; }
  Walk& walk() noexcept { return walk_; }
  Scope& scope() noexcept { return scope_; }
  /// The body under this attribute; nullptr if the node has none.
  Graph* body(std::string_view attribute);

  // Inputs. An index beyond the node's inputs is an omitted input.
  std::size_t input_count() const noexcept { return node_.inputs.size(); }
  bool has_input(std::size_t input) const noexcept;
  const ValueType& input(std::size_t input) const noexcept;
  ElementType element(std::size_t input) const noexcept { return this->input(input).element; }
  /// nullptr for an omitted input, an unknown rank and what is not a tensor.
  const Shape* shape(std::size_t input) const noexcept;
  /// Elements computed so far; nullptr where nothing is known.
  const KnownElements* known(std::size_t input);
  /// Whether `known` would give something, without reading a stored tensor.
  bool is_known(std::size_t input) const;
  /// The same for an integer or bool tensor; nullptr for another.
  const KnownElements* known_integers(std::size_t input);
  /// The only element of an integer tensor as a dimension of output 0: its value, the size it was
  /// copied from, or an open dimension.
  Dim scalar_size(std::size_t input, std::size_t dimension);
  /// All elements, where every one is known.
  std::optional<std::vector<std::int64_t>> integers(std::size_t input);
  /// The only element of an integer tensor, where it is known.
  Integer integer(std::size_t input);
  std::optional<std::vector<double>> reals(std::size_t input);
  std::optional<double> real(std::size_t input);
  /// Number of elements of a tensor of rank 1 (or of a scalar: 1).
  Integer length(std::size_t input) const;

  // Attributes. Errors: BadInput for a missing or undefined one.
  bool has(std::string_view attribute) const { return node_.find(attribute) != nullptr; }
  std::int64_t required_integer(std::string_view attribute) const;
  ElementType element_attribute(std::string_view attribute, ElementType otherwise) const;
  /// `axis` counted from the front. Errors: BadInput outside [-rank, rank).
  std::size_t axis(std::int64_t axis, std::size_t rank) const;

  // Outputs. What the node does not list is ignored.
  std::size_t output_count() const noexcept { return node_.outputs.size(); }
  bool has_output(std::size_t output) const noexcept;
  const ValueType& output(std::size_t output) const noexcept;
  void set(std::size_t output, ValueType type);
  /// Errors: BadInput for a negative size and for an element count that does not fit 63 bits.
  void set(std::size_t output, ElementType element, Shape shape);
  /// A tensor of unknown rank.
  void set_element(std::size_t output, ElementType element);
  void set_known(std::size_t output, KnownElements known);

  // Open dimensions.
  /// Computed from `from`, an open one.
  Dim derived(std::size_t output, std::size_t dimension, const Dim& from) const;
  /// Decided by a run.
  Dim unknown(std::size_t output, std::size_t dimension) const;
  Dim derived_element(std::size_t index, const Dim& from) const;
  Dim unknown_element(std::size_t index) const;
  /// As many unknown dimensions as `rank` says.
  Shape unknown_shape(std::size_t output, std::size_t rank) const;
  /// The size. Errors: BadInput if there is none (it does not fit) or it is negative.
  Dim sized(Integer size) const;
  /// `sized(f(sizes...))` where all `dims` are known, else derived from the first open one.
  template <class F, class... Dims>
  Dim compute(std::size_t output, std::size_t dimension, F f, const Dims&... dims) const {
    for (const Dim* dim : {&dims...})
      if (!dim->size) return derived(output, dimension, *dim);
    return sized(f(*dims.size...));
  }
  /// The size that both must have. Errors: BadInput, saying `what`, if they differ.
  const Dim& agreed(const Dim& a, const Dim& b, std::string_view what) const;
  /// Errors: BadInput unless the shape has this rank.
  void require_rank(std::size_t input, std::size_t rank) const;

  /// Errors: always BadInput, with the node, its inputs and their shapes behind `what`.
  [[noreturn]] void fail(std::string_view what) const;

 private:
  std::string place(std::size_t output, std::string_view kind, std::size_t index) const;

  Walk& walk_;
  Scope& scope_;
  Node& node_;
  const Rule& rule_;
  std::int64_t opset_;
};

/// `node '/conv1/Conv' (Conv)`, or `Conv node with output 'y'` where the node has no name.
std::string place_of(const Graph& graph, const Node& node);
/// `float32 batchx3x224x224`, `sequence of float32 ?`, `unknown type`.
std::string type_text(const ValueType& type);

}  // namespace headroom::infer
