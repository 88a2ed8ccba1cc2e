// SPDX-License-Identifier: Apache-2.0
// Field numbers are those of onnx.proto.
#include "model/extract/message.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "model/extract/types.h"
#include "model/type_proto.h"

namespace headroom::extract {
namespace {

using wire::ByteSpan;
using wire::Fields;
using wire::Place;

constexpr std::uint32_t kGraph = 7;
constexpr std::uint32_t kTrainingInfo = 20;
constexpr std::uint32_t kFunctions = 25;

bool calls(const Node& node, const Function& function) {
  return node.op == function.name && node.domain == function.domain &&
         node.overload == function.overload;
}

/// The functions that nodes call, those that functions call too.
class Called {
 public:
  explicit Called(const Model& model) : model_(model) {}

  void add(const Node& node) {
    for (std::size_t i = 0; i < model_.functions.size(); ++i) {
      const Function& function = model_.functions[i];
      if (calls(node, function) && found_.insert(i).second) add(function.body);
    }
    for (const Graph* body : node.bodies()) add(*body);
  }
  const std::set<std::size_t>& found() const { return found_; }

 private:
  void add(const Graph& graph) {
    for (const Node& node : graph.nodes) add(node);
  }

  const Model& model_;
  std::set<std::size_t> found_{};
};

std::set<std::size_t> called_functions(const Model& model, const Part& part) {
  Called called(model);
  for (const std::uint32_t node : part.nodes) called.add(model.graph.nodes[node]);
  return called.found();
}

class Writer {
 public:
  Writer(const Model& model, const Part& part, DataCopy* data)
      : model_(model),
        part_(part),
        data_(data),
        input_{printable(model.path.string()), model.file.bytes().data()},
        place_{&input_} {}

  Pieces model_message() {
    Pieces model;
    Fields fields(place_, "ModelProto", model_.file.bytes());
    ByteSpan graph;
    while (fields.next()) {
      const std::uint32_t number = fields.number();
      if (number == kGraph) graph = fields.bytes();
      if (number != kGraph && number != kTrainingInfo && number != kFunctions)
        model.add(fields.whole());
    }
    model.add_field(kGraph, graph_message(graph));
    for (const std::size_t index : called_functions(model_, part_)) {
      const Function& function = model_.functions[index];
      add(model, kFunctions, Message::Function, function.message,
          !external_tensors(function).empty());
    }
    return model;
  }

 private:
  void add(Pieces& into, std::uint32_t number, Message message, ByteSpan bytes, bool has_external) {
    if (data_ != nullptr && has_external) {
      into.add_field(number, data_->moved(message, bytes));
    } else {
      into.add_field(number, bytes);
    }
  }

  Pieces graph_message(ByteSpan file_graph) {
    const Graph& graph = model_.graph;
    Pieces pieces;
    for (const std::uint32_t index : part_.nodes) {
      const Node& node = graph.nodes[index];
      add(pieces, 1, Message::Node, node.message, !external_tensors(node).empty());
    }
    pieces.add_field(2, graph.name.empty() ? std::string("part") : graph.name);
    for (const ValueId id : part_.initializers) add_initializer(pieces, graph.values[id]);
    for (const ValueId id : part_.inputs) add_input(pieces, graph.values[id]);
    for (const ValueId id : part_.outputs)
      pieces.add_field(12, types_.value_info(graph.values[id]));
    add_inner_types(pieces, file_graph);
    return pieces;
  }

  void add_initializer(Pieces& pieces, const Value& value) {
    if (value.origin == Origin::Initializer) {
      const StoredTensor& tensor = model_.graph.initializers[value.index];
      add(pieces, 5, Message::Tensor, tensor.message, tensor.external.has_value());
    } else {
      const StoredSparseTensor& tensor = model_.graph.sparse_initializers[value.index];
      add(pieces, 15, Message::SparseTensor, tensor.message, !external_tensors(tensor).empty());
    }
    // Before IR version 4 every initializer is an input too.
    if (value.is_overridable || model_.ir_version < 4)
      pieces.add_field(11, types_.value_info(value));
  }

  void add_input(Pieces& pieces, const Value& value) {
    if (!is_complete(value.type)) {
      throw Error(ErrorKind::Unsupported,
                  fmt::format("the type of '{}' is not known from the file, and ONNX wants that of "
                              "each input; {}",
                              printable(value.name), remedy(value)));
    }
    pieces.add_field(11, types_.value_info(value));
  }

  std::string remedy(const Value& value) const {
    if (value.origin != Origin::Node) return "declare it when the model is exported";
    return "take the node that makes it along: " +
           shell_quote(printable(node_labels(model_.graph)[value.index]));
  }

  /// The declared types of values inside of the part, as they are declared.
  void add_inner_types(Pieces& pieces, ByteSpan file_graph) {
    std::set<std::string_view> inner;
    for (const std::uint32_t index : part_.nodes) {
      for (const ValueId id : model_.graph.nodes[index].outputs)
        if (id != kNoValue) inner.insert(model_.graph.values[id].name);
    }
    for (const ValueId id : part_.outputs) inner.erase(model_.graph.values[id].name);
    Fields fields(place_, "GraphProto", file_graph);
    while (fields.next()) {
      if (fields.number() != 13) continue;
      const ByteSpan info = fields.bytes();
      if (inner.contains(read_value_info(place_, info).name)) pieces.add_field(13, info);
    }
  }

  const Model& model_;
  const Part& part_;
  DataCopy* data_;
  wire::Input input_;
  Place place_;
  TypeWriter types_{};
};

}  // namespace

Pieces message_of(const Model& model, const Part& part, DataCopy* data) {
  return Writer(model, part, data).model_message();
}

bool has_external(const Model& model, const Part& part) {
  const Graph& graph = model.graph;
  const auto is_outside = [&](ValueId id) {
    const Value& value = graph.values[id];
    return value.origin == Origin::SparseInitializer
               ? !external_tensors(graph.sparse_initializers[value.index]).empty()
               : graph.initializers[value.index].external.has_value();
  };
  if (std::any_of(part.initializers.begin(), part.initializers.end(), is_outside)) return true;
  const bool in_nodes = std::any_of(part.nodes.begin(), part.nodes.end(), [&](std::uint32_t node) {
    return !external_tensors(graph.nodes[node]).empty();
  });
  if (in_nodes) return true;
  const std::set<std::size_t> called = called_functions(model, part);
  return std::any_of(called.begin(), called.end(), [&](std::size_t index) {
    return !external_tensors(model.functions[index]).empty();
  });
}

}  // namespace headroom::extract
