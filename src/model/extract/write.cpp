// SPDX-License-Identifier: Apache-2.0
// A part of a model as files: where they may lie, what they may hold, and how they appear.
#include <headroom/base/error.h>
#include <headroom/base/file.h>
#include <headroom/base/text.h>
#include <headroom/model/extract.h>

#include <cstdint>
#include <optional>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "model/extract/message.h"
#include "model/extract/types.h"

namespace headroom {
namespace {

namespace fs = std::filesystem;
using extract::DataCopy;
using extract::Pieces;

/// Source: Protocol Buffers, Encoding: no message is larger than 2 GiB less one byte.
constexpr std::uint64_t kLargestMessage = INT32_MAX;

Model inferred(Model model) {
  inline_functions(model);
  infer_shapes(model, {});
  return model;
}

bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code none;  // A file that is not there is not the same.
  return fs::equivalent(a, b, none);
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

void check_not_ours(const Model& model, const fs::path& output) {
  const auto refuse_if_same = [&](const fs::path& own, std::string_view what) {
    if (!is_same_file(own, output)) return;
    throw Error(ErrorKind::Usage,
                fmt::format("'{}' is {}, which would be overwritten; choose another name",
                            printable(output.string()), what));
  };
  refuse_if_same(model.path, "the model itself");
  std::set<std::string_view> locations;
  for (const StoredTensor* tensor : extract::external_tensors(model))
    locations.insert(tensor->external->location);
  for (const std::string_view location : locations)
    refuse_if_same(folder_of(model.path) / location, "external data of the model");
}

void check_size(const Pieces& message) {
  if (message.size() <= kLargestMessage) return;
  throw Error(ErrorKind::Limit,
              fmt::format("what is chosen has {} without external data, and one ONNX file holds at "
                          "most 2 GiB; choose fewer nodes, or save the model with its weights as "
                          "external data",
                          format_bytes(Bytes{message.size()})));
}

void check_data(const DataCopy& data, std::uint64_t most) {
  if (data.size() <= most) return;
  throw Error(ErrorKind::Limit,
              fmt::format("{} of external data would be copied; at most {} are",
                          format_bytes(Bytes{data.size()}), format_bytes(Bytes{most})));
}

std::vector<std::string> incomplete_ports(const Graph& graph, const Part& part) {
  std::vector<std::string> names;
  for (const auto& ids : {part.inputs, part.outputs}) {
    for (const ValueId id : ids) {
      const Value& value = graph.values[id];
      const bool has_rank = value.type.kind != TypeKind::Tensor || value.type.shape.has_value();
      if (!has_rank || !extract::is_complete(value.type)) names.push_back(value.name);
    }
  }
  return names;
}

}  // namespace

Model load_for_parts(const fs::path& path) {
  Model model = load_model(path);
  // Inlining keeps the values of the outermost graph and adds others behind them.
  const Model typed = inferred(load_model(path));
  for (std::size_t id = 0; id < model.graph.values.size(); ++id)
    model.graph.values[id].type = typed.graph.values[id].type;
  return model;
}

WrittenPart write_part(const Model& model, const Part& part, const fs::path& output,
                       const WriteOptions& options) {
  const fs::path data_path = output.string() + ".data";
  check_not_ours(model, output);
  std::optional<DataCopy> data;
  if (extract::has_external(model, part) && !is_same_file(folder_of(model.path), folder_of(output)))
    data.emplace(model.path, data_path.filename().string());
  const Pieces message = extract::message_of(model, part, data ? &*data : nullptr);
  check_size(message);
  AtomicFile file(output);
  message.write([&](std::string_view bytes) { file.write(bytes); });
  WrittenPart written{.bytes = message.size(), .incomplete = incomplete_ports(model.graph, part)};
  if (data) {
    check_not_ours(model, data_path);
    check_data(*data, options.most_data);
    AtomicFile data_file(data_path);
    data->write(data_file, options.is_stopped);
    file.sync();
    data_file.commit();
    written.data = {.path = data_path, .bytes = data->size()};
  }
  file.commit();
  return written;
}

}  // namespace headroom
