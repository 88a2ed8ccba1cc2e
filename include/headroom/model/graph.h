// SPDX-License-Identifier: Apache-2.0
// The graph of an ONNX file as values: nodes, the values between them, attributes, and tensors that
// stay in the file. Names are resolved to indices once, so that every later pass is linear.
#pragma once

#include <headroom/model/element_type.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace headroom {

/// Index into Graph::values.
using ValueId = std::uint32_t;
/// An optional input or output that the node omits (an empty name in the file).
inline constexpr ValueId kNoValue = UINT32_MAX;

/// One dimension: its size where known (then `symbol` is empty), else a name for what is not known:
/// - `batch`: the symbol of the file;
/// - `x.dim2`: dimension 2 (from 0) of graph input `x`, which the file leaves open without a
/// symbol;
/// - `depends on data: /NonZero output 0, dimension 1`: only a run can tell;
/// - `batch -> /Mul output 0, dimension 2`: computed from what stands before the arrow.
/// Equal symbols are equal sizes; each computed or data-dependent dimension has a text of its own,
/// so that it equals only copies of itself. `root_of` gives the part before the arrow.
struct Dim {
  std::optional<std::int64_t> size{};
  std::string symbol{};

  bool operator==(const Dim&) const = default;
};
using Shape = std::vector<Dim>;

/// What an open dimension finally depends on: a symbol of the file, an input's dimension or data.
/// The whole symbol where nothing was computed; empty for a known size.
std::string_view root_of(const Dim& dim) noexcept;

/// `batchx3x224x224`: sizes and symbols joined by `x`, `?` for an open dimension that is computed,
/// depends on data or has no symbol, `scalar` for rank 0.
std::string to_string(const Shape& shape);
/// The sizes where all are known.
std::optional<std::vector<std::int64_t>> known_sizes(const Shape& shape);

enum class TypeKind : std::uint8_t { Unknown, Tensor, SparseTensor, Sequence, Optional, Map };

/// Type of a value. `shape` is absent where even the rank is unknown.
struct ValueType {
  TypeKind kind = TypeKind::Unknown;
  ElementType element = ElementType::Undefined;  ///< Of a tensor; the key type of a map.
  std::optional<Shape> shape{};                  ///< Of a tensor.
  std::vector<ValueType> inner{};  ///< One entry for sequence, optional and map (value).
};

/// A tensor stored in a file, not loaded.
struct StoredTensor {
  /// Data outside the model file.
  struct External {
    std::string location{};  ///< Relative to the model's folder, as written in the file.
    std::uint64_t offset = 0;
    std::optional<std::uint64_t> length{};
  };

  std::string name{};
  ElementType type = ElementType::Undefined;
  std::vector<std::int64_t> dims{};
  std::span<const std::byte> message{};  ///< The TensorProto's bytes inside the mapped file.
  std::optional<External> external{};
};

/// A sparse initialiser: `values` holds the non-zero elements of a tensor with `dims`.
struct StoredSparseTensor {
  StoredTensor values{};
  StoredTensor indices{};
  std::vector<std::int64_t> dims{};
  std::span<const std::byte> message{};  ///< The SparseTensorProto's bytes in the mapped file.
};

struct Graph;

/// What an attribute holds. std::monostate: a reference to an attribute of the enclosing function.
using AttributeValue =
    std::variant<std::monostate, std::int64_t, float, std::string, std::vector<std::int64_t>,
                 std::vector<float>, std::vector<std::string>, StoredTensor,
                 std::vector<StoredTensor>, StoredSparseTensor, std::vector<StoredSparseTensor>,
                 ValueType, std::vector<ValueType>, std::vector<Graph>>;

struct Attribute {
  std::string name{};
  /// A single GRAPH is a vector with one Graph. (No initialiser: for one, clang would need Graph
  /// here.)
  AttributeValue value;
  std::string reference{};  ///< ref_attr_name, inside a function's body.
};

struct Node {
  std::string name{};    ///< As in the file; may be empty or, with a diagnostic, not unique.
  std::string op{};      ///< op_type.
  std::string domain{};  ///< Empty for ai.onnx.
  std::string overload{};
  std::vector<ValueId> inputs{};   ///< kNoValue where omitted.
  std::vector<ValueId> outputs{};  ///< kNoValue where omitted.
  std::vector<Attribute> attributes{};
  /// The NodeProto's bytes inside the mapped file, as they are there: of a node that was inlined,
  /// those in the function's body. Empty for a node that no file has.
  std::span<const std::byte> message{};

  const Attribute* find(std::string_view attribute) const;
  /// What the attribute holds; nullptr where the node lacks it or it is of another type.
  template <class T>
  const T* held(std::string_view attribute) const {
    const Attribute* found = find(attribute);
    return found == nullptr ? nullptr : std::get_if<T>(&found->value);
  }
  std::int64_t integer(std::string_view attribute, std::int64_t otherwise) const;
  float real(std::string_view attribute, float otherwise) const;
  /// Empty where the attribute is absent or holds something else.
  std::span<const std::int64_t> integers(std::string_view attribute) const;
  std::string_view text(std::string_view attribute, std::string_view otherwise) const;
  /// The bodies of If, Loop, Scan and others, in the order of the attributes.
  std::vector<const Graph*> bodies() const;
};

/// Where a value comes from.
enum class Origin : std::uint8_t { Input, Initializer, SparseInitializer, Node, OuterScope };

struct Value {
  std::string name{};
  Origin origin = Origin::Node;
  /// Index of the node (Node), of the initializer (Initializer, SparseInitializer); of the value in
  /// the enclosing graph (OuterScope); of the graph input (Input).
  std::uint32_t index = 0;
  ValueType type{};
  /// An initializer that is also listed as an input, so that a caller may replace it (IR < 4 lists
  /// all).
  bool is_overridable = false;
  /// The type, or a part of it, was seen in a run, since inference left it open.
  bool is_observed = false;
};

/// Elements are computed for tensors of at most this size. Shapes, permutations, index lists and
/// the masks that exporters compute from shapes stay below it; what is larger is data.
inline constexpr std::uint64_t kMaxKnownElements = 1024;

/// Elements of a small tensor whose shape is known, as far as they are known without running the
/// model.
struct KnownElements {
  /// Of an integer or bool tensor; absent elements are open dimensions or data.
  std::vector<std::optional<std::int64_t>> elements{};
  /// By element, what an absent one is, as Dim::symbol; empty when every element is known.
  std::vector<std::string> symbols{};
  /// Of a floating-point tensor, whose `elements` are empty; NaN where not known.
  std::vector<double> reals{};
  /// Given by the caller of inference (the value of an input, an observation), not deduced.
  bool is_given = false;
};

struct Graph {
  std::string name{};
  std::vector<Node> nodes{};  ///< In topological order: that of the file where it is one.
  std::vector<Value> values{};
  std::vector<ValueId> inputs{};  ///< As in the file, overridable initializers among them.
  std::vector<ValueId> outputs{};
  std::vector<StoredTensor> initializers{};
  std::vector<StoredSparseTensor> sparse_initializers{};
  /// Filled by infer_shapes: what it computed or read (initializers only as far as it needed them).
  std::unordered_map<ValueId, KnownElements> known{};

  /// Inputs that a caller must give: those without an initializer.
  std::vector<ValueId> required_inputs() const;
};

/// Calls `visit` with each value that `node` reads, those that its bodies see outside of them too;
/// with some more than once.
template <class Visit>
void for_each_read(const Node& node, Visit visit) {
  for (const ValueId id : node.inputs) {
    if (id != kNoValue) visit(id);
  }
  for (const Graph* body : node.bodies()) {
    for (const Value& value : body->values) {
      if (value.origin == Origin::OuterScope) visit(value.index);
    }
  }
}

/// By node, what it is called by: its name, or that of its first output where it has none or shares
/// it.
std::vector<std::string> node_labels(const Graph& graph);

}  // namespace headroom
