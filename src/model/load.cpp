// SPDX-License-Identifier: Apache-2.0
// ModelProto → Model. Field numbers are those of onnx.proto.
#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/model/model.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "model/file_kind.h"
#include "model/graph_reader.h"
#include "model/node_proto.h"

namespace headroom {
namespace {

using wire::ByteSpan;
using wire::Fields;
using wire::Place;

/// The file format that this reader knows. Source: onnx.proto, enum Version; versions 1 and 2 are
/// from before the first release and have no opset imports.
constexpr std::int64_t kOldestIr = 3;
constexpr std::int64_t kNewestIr = 13;

/// Operator sets that a model or function may import: each is searched for each node.
/// Source: ours; models have up to about 20.
constexpr std::size_t kMostOpsets = 1000;

/// The messages in a ModelProto that are read after its plain fields.
struct ModelParts {
  std::optional<ByteSpan> graph{};
  std::vector<ByteSpan> functions{};
  std::string_view producer_name{};
  std::string_view producer_version{};
  bool has_training_info = false;
};

void read_opset(const Place& place, ByteSpan bytes, std::vector<OpsetImport>& opsets) {
  OpsetImport opset;
  Fields fields(place, "OperatorSetIdProto", bytes);
  while (fields.next()) {
    if (fields.number() == 1) opset.domain = canonical_domain(fields.text());
    if (fields.number() == 2) opset.version = fields.integer();
  }
  if (opsets.size() == kMostOpsets) {
    wire::fail(place, fmt::format("more than {} operator sets are imported", kMostOpsets));
  }
  opsets.push_back(std::move(opset));
}

void read_metadata(const Place& place, ByteSpan bytes, std::map<std::string, std::string>& into) {
  std::string_view key;
  std::string_view value;
  Fields fields(place, "StringStringEntryProto", bytes);
  while (fields.next()) {
    if (fields.number() == 1) key = fields.text();
    if (fields.number() == 2) value = fields.text();
  }
  into.insert_or_assign(std::string(key), std::string(value));
}

ModelParts read_plain_fields(const Place& place, ByteSpan bytes, Model& model) {
  ModelParts parts;
  Fields fields(place, "ModelProto", bytes);
  while (fields.next()) {
    switch (fields.number()) {
      case 1:
        model.ir_version = fields.integer();
        break;
      case 2:
        parts.producer_name = fields.text();
        break;
      case 3:
        parts.producer_version = fields.text();
        break;
      case 4:
        model.domain = fields.text();
        break;
      case 7:
        parts.graph = fields.bytes();
        break;
      case 8:
        read_opset(place, fields.bytes(), model.opsets);
        break;
      case 14:
        read_metadata(place, fields.bytes(), model.metadata);
        break;
      case 20:
        parts.has_training_info = true;
        break;
      case 25:
        parts.functions.push_back(fields.bytes());
        break;
      default:
        break;
    }
  }
  return parts;
}

void read_default(ReadState& state, const Place& place, ByteSpan bytes, Function& function) {
  if (function.default_attributes.size() == kMostAttributes) {
    wire::fail(place, fmt::format("more than {} attributes have a default", kMostAttributes));
  }
  function.default_attributes.push_back(read_attribute(state, place, bytes, nullptr));
}

/// The body of a FunctionProto as a graph's pieces; the rest goes into `function`.
GraphParts split_function(ReadState& state, const Place& place, ByteSpan bytes,
                          Function& function) {
  GraphParts parts;
  Fields fields(place, "FunctionProto", bytes);
  while (fields.next()) {
    switch (fields.number()) {
      case 1:
        parts.name = fields.text();
        break;
      case 4:
        parts.inputs.push_back({fields.text(), {}});
        break;
      case 5:
        parts.outputs.push_back({fields.text(), {}});
        break;
      case 6:
        function.attributes.emplace_back(fields.text());
        break;
      case 7:
        parts.nodes.push_back(fields.bytes());
        break;
      case 9:
        read_opset(place, fields.bytes(), function.opsets);
        break;
      case 10:
        function.domain = canonical_domain(fields.text());
        break;
      case 11:
        read_default(state, place, fields.bytes(), function);
        break;
      case 12:
        parts.value_infos.push_back(read_value_info(place, fields.bytes()));
        break;
      case 13:
        function.overload = fields.text();
        break;
      default:
        break;
    }
  }
  return parts;
}

/// `place` is the model or the function whose nodes have been read last.
void note_foreign_domains(ReadState& state, const Place& place,
                          std::span<const OpsetImport> opsets) {
  for (const OpsetImport& import : opsets) state.domains.erase(import.domain);
  for (const std::string_view domain : std::exchange(state.domains, {})) {
    if (domain.empty()) continue;  // Said of the model by no_opset.
    state.findings.add(Severity::Warning, "domain_not_imported", place,
                       fmt::format("nodes of the domain '{}' are used, which is not imported",
                                   wire::shown(domain)));
  }
}

Function read_function(ReadState& state, const Place& outer, ByteSpan bytes, std::size_t index) {
  Function function;
  const GraphParts parts =
      split_function(state, outer.inside("function", {}, index), bytes, function);
  const Place place = outer.inside("function", parts.name, index);
  if (parts.name.empty()) wire::fail(place, "it has no name");
  function.name = parts.name;
  function.message = bytes;
  function.body = build_graph(state, place, parts, nullptr);
  note_foreign_domains(state, place, function.opsets);
  return function;
}

void read_functions(ReadState& state, const Place& place, const ModelParts& parts, Model& model) {
  std::set<std::tuple<std::string, std::string, std::string>> seen;
  model.functions.reserve(parts.functions.size());
  for (std::size_t i = 0; i < parts.functions.size(); ++i) {
    Function function = read_function(state, place, parts.functions[i], i);
    if (!seen.emplace(function.domain, function.name, function.overload).second) {
      wire::fail(place.inside("function", function.name),
                 fmt::format("domain '{}' defines it twice", wire::shown(function.domain)));
    }
    model.functions.push_back(std::move(function));
  }
}

void check_version(ReadState& state, const Place& place, const Model& model) {
  if (model.ir_version < kOldestIr) {
    wire::fail(place,
               fmt::format("its IR version is {}; {} to {} are understood; convert the model "
                           "with a current onnx package",
                           model.ir_version, kOldestIr, kNewestIr));
  }
  if (model.ir_version > kNewestIr) {
    state.findings.add(
        Severity::Warning, "newer_ir_version", place,
        fmt::format("its IR version is {}; versions up to {} are known, what is newer "
                    "in the file is skipped",
                    model.ir_version, kNewestIr));
  }
  if (model.opsets.empty()) {
    state.findings.add(
        Severity::Warning, "no_opset", place,
        "no operator set is imported (opset_import); what its operators mean is not known");
  }
}

void read_model(ReadState& state, ByteSpan bytes, Model& model) {
  const Place place{&state.input};
  if (bytes.empty()) wire::fail(place, "the file is empty; an ONNX model is wanted");
  const ModelParts parts = read_plain_fields(place, bytes, model);
  if (!parts.graph) {
    wire::fail(place, "there is no graph in it; an ONNX model (ModelProto) is wanted");
  }
  model.producer = parts.producer_name;
  if (!parts.producer_version.empty()) {
    model.producer.append(model.producer.empty() ? "" : " ").append(parts.producer_version);
  }
  check_version(state, place, model);
  read_functions(state, place, parts, model);
  model.graph = read_graph(state, place, *parts.graph, nullptr);
  note_foreign_domains(state, place, model.opsets);
  if (parts.has_training_info) {
    state.findings.add(Severity::Note, "training_info_skipped", place,
                       "its training information is skipped; what is measured is inference");
  }
  model.diagnostics = state.findings.take();
}

/// Adds to an error what the file really is, where that can be seen.
void read_or_explain(ReadState& state, ByteSpan bytes, Model& model) {
  try {
    read_model(state, bytes, model);
  } catch (const Error& error) {
    const std::string_view hint = what_it_looks_like(bytes);
    if (hint.empty()) throw;
    throw Error(error.kind(), fmt::format("{} ({})", error.what(), hint));
  }
}

}  // namespace

std::string_view to_string(Severity severity) noexcept {
  switch (severity) {
    case Severity::Note:
      return "note";
    case Severity::Warning:
      return "warning";
    case Severity::Error:
      break;
  }
  return "error";
}

std::int64_t Model::opset(std::string_view domain_name) const {
  const std::string_view wanted = canonical_domain(domain_name);
  const auto found = std::find_if(opsets.rbegin(), opsets.rend(), [&](const OpsetImport& import) {
    return import.domain == wanted;
  });
  return found == opsets.rend() ? 0 : found->version;
}

Model load_model(const std::filesystem::path& path) {
  Model model;
  model.file = MappedFile(path);
  model.path = path;
  const ByteSpan bytes = model.file.bytes();
  ReadState state{{printable(path.string()), bytes.data()}, ExternalData(path.parent_path())};
  read_or_explain(state, bytes, model);
  return model;
}

Model parse_model(std::span<const std::byte> bytes, const std::filesystem::path& folder) {
  ReadState state{{{}, bytes.data()}, ExternalData(folder)};
  Model model;
  read_or_explain(state, bytes, model);
  return model;
}

}  // namespace headroom
