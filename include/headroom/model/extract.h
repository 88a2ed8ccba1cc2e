// SPDX-License-Identifier: Apache-2.0
// A part of a model as a model of its own: some nodes of the outermost graph with all that they
// read, copied from the file's bytes. Weights are never loaded.
#pragma once

#include <headroom/model/model.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headroom {

/// Nodes and values of the outermost graph as it stands in the file.
struct Part {
  std::vector<std::uint32_t> nodes{};   ///< In topological order.
  std::vector<ValueId> inputs{};        ///< What they read and nothing in the part makes.
  std::vector<ValueId> outputs{};       ///< What the part gives out.
  std::vector<ValueId> initializers{};  ///< Those that they read, sparse ones too.
};

/// The model as it stands in its file, functions not inlined, with the types that inference gives
/// the values of the outermost graph. Errors: those of load_model, inline_functions, infer_shapes.
Model load_for_parts(const std::filesystem::path& path);

/// The nodes that `texts` address, each a label (`node_labels`) or several joined by commas. The
/// name of a value means the node that makes it; `OP of VALUE` is what inspect shows for a node
/// without a name. Errors: Usage with the nearest name; for a node inside a function or a body,
/// which node of the outermost graph holds it.
std::vector<std::uint32_t> nodes_named(const Model& model, std::span<const std::string> texts);

/// These nodes and the Constant nodes that they read. It gives out what other nodes or the caller
/// of the model use; where nothing is, what the nodes make and do not read. Errors: Usage for no
/// nodes, and for nodes without outputs.
Part part_of(const Graph& graph, std::span<const std::uint32_t> nodes);

/// The nodes that the values `to` need, walking back no further than the values `from`, which
/// become inputs. Texts as in nodes_named; without `to` the model's outputs. Errors: Usage with the
/// nearest name; for values that no node makes (`to`) or that are not needed (`from`).
Part part_between(const Graph& graph, std::span<const std::string> from,
                  std::span<const std::string> to);

struct WriteOptions {
  /// External data above this size is not copied: an Error of kind Limit.
  std::uint64_t most_data = UINT64_MAX;
  std::function<bool()> is_stopped{};  ///< Asked between pieces of external data.
};

/// What write_part wrote.
struct WrittenPart {
  std::uint64_t bytes = 0;  ///< Of the model's file.
  struct Data {
    std::filesystem::path path{};
    std::uint64_t bytes = 0;
  };
  std::optional<Data> data{};  ///< External data that had to be copied.
  /// Inputs and outputs of which the file does not tell the type or the rank. ONNX's checker wants
  /// both, engines mostly do not.
  std::vector<std::string> incomplete{};
};

/// Writes the part as `output`: nodes, initializers and the functions that they call are copied as
/// they are; inputs and outputs get the inferred types, open dimensions a symbol. Operator sets,
/// versions and metadata are the model's. External data stays where it is when `output` lies in the
/// model's folder; else the parts that are needed go into `OUTPUT.data`, each at a multiple of 4096
/// bytes, so that engines can map it. Both files appear when they are complete. `model` is from
/// load_for_parts. Errors: Usage if `output` is one of the model's own files; Limit above what one
/// protobuf message holds, without space, and by the options; NotFound for missing external data
/// and a folder that cannot be written; Unsupported for an input without a known type; Interrupted.
/// Source: onnx.proto; docs of TensorProto.external_data (the alignment).
WrittenPart write_part(const Model& model, const Part& part, const std::filesystem::path& output,
                       const WriteOptions& options = {});

}  // namespace headroom
