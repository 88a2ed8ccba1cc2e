// SPDX-License-Identifier: Apache-2.0
// ONNX file → Model: read over a memory map, checked, shapes and types inferred. No engine, no
// clock; weights are never loaded.
#pragma once

#include <headroom/base/file.h>
#include <headroom/model/graph.h>
#include <headroom/model/tensor.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

enum class Severity : std::uint8_t { Note, Warning, Error };
std::string_view to_string(Severity severity) noexcept;

/// A finding beside a usable value.
struct Diagnostic {
  Severity severity = Severity::Note;
  std::string code{};     ///< Stable identifier in snake_case: `external_data_missing`.
  std::string place{};    ///< The node, value or tensor: `node '/conv1/Conv'`.
  std::string message{};  ///< What was wanted, what was found, what to try.
};

struct OpsetImport {
  std::string domain{};  ///< Empty for ai.onnx.
  std::int64_t version = 0;
};

/// A model-local function. In the body, inputs and outputs are the parameters by position.
struct Function {
  std::string name{};
  std::string domain{};
  std::string overload{};
  std::vector<std::string> attributes{};  ///< Without a default.
  std::vector<Attribute> default_attributes{};
  std::vector<OpsetImport> opsets{};
  Graph body{};
  std::span<const std::byte> message{};  ///< The FunctionProto's bytes inside the mapped file.
};

/// Spans inside point into `file`; they are valid as long as the Model lives (moving it is fine).
struct Model {
  MappedFile file;
  std::filesystem::path path{};
  std::int64_t ir_version = 0;
  std::string producer{};  ///< Name and version, as far as given.
  std::string domain{};
  std::vector<OpsetImport> opsets{};
  std::map<std::string, std::string> metadata{};
  std::vector<Function> functions{};
  Graph graph{};
  std::vector<Diagnostic> diagnostics{};

  /// Version imported for `domain`; 0 if it is not imported.
  std::int64_t opset(std::string_view domain = "") const;
};

/// Reads ModelProto over a memory map. Checks: wire format, limits of nesting and size, names
/// (duplicates, unknown), cycles, external data (only stat-ed: outside the model's folder or out of
/// range is an Error; a missing file is a diagnostic).
/// Errors: NotFound, BadInput; the message names the file and the place (byte, node, tensor).
/// Source: onnx.proto, IR versions 3 to 13. Cost: linear in the file without its weights.
Model load_model(const std::filesystem::path& path);

/// The same from bytes that the caller keeps alive; `folder` is where external data is looked for.
Model parse_model(std::span<const std::byte> bytes, const std::filesystem::path& folder);

/// Replaces calls of model-local functions by their bodies, recursively; inner nodes are named
/// `CALLER/INNER`. Errors: BadInput for a function that calls itself or wrong parameter counts.
void inline_functions(Model& model);

/// What a run gave of a value.
struct ObservedType {
  ValueType type{};
  std::optional<KnownElements> elements{};  ///< Of a small tensor.
};

/// What is known beforehand: shapes, sizes of named dimensions, values of inputs, and what a run
/// gave.
struct ShapeOptions {
  std::map<std::string, std::vector<std::int64_t>> shapes{};  ///< By input name.
  std::map<std::string, std::int64_t> dims{};                 ///< By symbol.
  /// By input name, the elements of small inputs (`known_elements`). What follows from them holds
  /// for these values only.
  std::map<std::string, KnownElements> values{};
  /// By name of a value that a node of the outermost graph makes. Where inference leaves its type
  /// open, this one is taken (Value::is_observed); one that differs is a diagnostic
  /// (`observed_differs`), and is taken too.
  std::map<std::string, ObservedType, std::less<>> observed{};
};

/// The elements of a tensor as inference computes with them; nothing for a tensor of more than
/// kMaxKnownElements elements and for types other than bool, integers of 8 to 64 bits, float32 and
/// float64.
std::optional<KnownElements> known_elements(const Tensor& tensor);

/// Fixes the inputs by `options`, then infers type and shape of every value, subgraphs included,
/// and the known elements of integer tensors. Declared sizes of 0, -1 and `?` count as open on
/// inputs. What cannot be inferred stays open and its Dim says where it comes from. Errors: Usage
/// for an unknown input or symbol in `options` (with the nearest name), a rank that contradicts the
/// model's, or values that do not fill their input; BadInput when shapes contradict each other (the
/// node is named). Cost: linear in the nodes.
void infer_shapes(Model& model, const ShapeOptions& options);

/// Values that nodes of the outermost graph make and the model does not give out.
std::vector<std::string> intermediate_values(const Graph& graph);

/// Bytes that, behind those of the model's file, make it give out `values` too, without types. They
/// are a second `graph` field, which a protobuf parser merges into the first.
/// Source: Protocol Buffers, Encoding, "Last One Wins".
std::string exposing_bytes(const std::vector<std::string>& values);

/// The elements of a stored tensor. Errors: BadInput if the data does not match type and dims;
/// NotFound if external data is missing. `model_folder` is where external data is looked for.
Tensor read_tensor(const StoredTensor& stored, const std::filesystem::path& model_folder);

/// A TensorProto in a file of its own (`input_0.pb`). Errors: as load_model.
Tensor read_tensor_file(const std::filesystem::path& path);

}  // namespace headroom
