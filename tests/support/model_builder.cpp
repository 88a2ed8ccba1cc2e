// SPDX-License-Identifier: Apache-2.0
// Field numbers are those of onnx.proto.
#include "support/model_builder.h"

#include <fstream>
#include <stdexcept>

#include <protozero/pbf_writer.hpp>
#include <stdlib.h>  // mkdtemp

namespace headroom::test {
namespace {

using protozero::pbf_writer;

void add_dims(pbf_writer& writer, std::uint32_t field, const std::vector<std::int64_t>& dims) {
  for (const std::int64_t dim : dims) writer.add_int64(field, dim);
}

void add_entry(pbf_writer& writer, std::uint32_t field, std::string_view key,
               std::string_view value) {
  std::string entry;
  pbf_writer entry_writer(entry);
  entry_writer.add_string(1, key.data(), key.size());
  entry_writer.add_string(2, value.data(), value.size());
  writer.add_message(field, entry);
}

void add_text(pbf_writer& writer, std::uint32_t field, std::string_view text) {
  writer.add_string(field, text.data(), text.size());
}

std::string value_info_bytes(std::string_view name, const std::optional<TypeSpec>& type) {
  std::string bytes;
  pbf_writer writer(bytes);
  add_text(writer, 1, name);
  if (type) writer.add_message(2, type->bytes);
  return bytes;
}

/// Name and type; `add` writes the value.
template <class Add>
AttributeSpec attribute_with(std::string_view name, int type, Add add) {
  AttributeSpec attribute;
  pbf_writer writer(attribute.bytes);
  add_text(writer, 1, name);
  add(writer);
  writer.add_int32(20, type);
  return attribute;
}

std::string node_bytes(std::string_view op, const std::vector<std::string>& inputs,
                       const std::vector<std::string>& outputs,
                       const std::vector<AttributeSpec>& attributes, std::string_view domain,
                       std::string_view name, std::string_view overload) {
  std::string bytes;
  pbf_writer writer(bytes);
  for (const std::string& input : inputs) writer.add_string(1, input);
  for (const std::string& output : outputs) writer.add_string(2, output);
  if (!name.empty()) add_text(writer, 3, name);
  add_text(writer, 4, op);
  for (const AttributeSpec& attribute : attributes) writer.add_message(5, attribute.bytes);
  if (!domain.empty()) add_text(writer, 7, domain);
  if (!overload.empty()) add_text(writer, 8, overload);
  return bytes;
}

std::string opset_bytes(std::string_view domain, std::int64_t version) {
  std::string bytes;
  pbf_writer writer(bytes);
  add_text(writer, 1, domain);
  writer.add_int64(2, version);
  return bytes;
}

}  // namespace

AttributeSpec attr(std::string_view name, std::int64_t value) {
  return attribute_with(name, 2, [&](pbf_writer& writer) { writer.add_int64(3, value); });
}

AttributeSpec attr(std::string_view name, int value) {
  return attr(name, static_cast<std::int64_t>(value));
}

AttributeSpec attr(std::string_view name, float value) {
  return attribute_with(name, 1, [&](pbf_writer& writer) { writer.add_float(2, value); });
}

AttributeSpec attr(std::string_view name, const char* value) {
  return attribute_with(name, 3, [&](pbf_writer& writer) { writer.add_string(4, value); });
}

AttributeSpec attr(std::string_view name, const std::vector<std::int64_t>& values) {
  return attribute_with(name, 7, [&](pbf_writer& writer) { add_dims(writer, 8, values); });
}

AttributeSpec attr(std::string_view name, const std::vector<float>& values) {
  return attribute_with(name, 6, [&](pbf_writer& writer) {
    for (const float value : values) writer.add_float(7, value);
  });
}

AttributeSpec attr(std::string_view name, const std::vector<std::string>& values) {
  return attribute_with(name, 8, [&](pbf_writer& writer) {
    for (const std::string& value : values) writer.add_string(9, value);
  });
}

AttributeSpec attr(std::string_view name, const TensorSpec& value) {
  return attribute_with(name, 4, [&](pbf_writer& writer) { writer.add_message(5, value.bytes); });
}

AttributeSpec attr(std::string_view name, const std::vector<TensorSpec>& values) {
  return attribute_with(name, 9, [&](pbf_writer& writer) {
    for (const TensorSpec& value : values) writer.add_message(10, value.bytes);
  });
}

AttributeSpec attr(std::string_view name, const SparseTensorSpec& value) {
  return attribute_with(name, 11, [&](pbf_writer& writer) { writer.add_message(22, value.bytes); });
}

AttributeSpec attr(std::string_view name, const std::vector<SparseTensorSpec>& values) {
  return attribute_with(name, 12, [&](pbf_writer& writer) {
    for (const SparseTensorSpec& value : values) writer.add_message(23, value.bytes);
  });
}

AttributeSpec attr(std::string_view name, const TypeSpec& value) {
  return attribute_with(name, 13, [&](pbf_writer& writer) { writer.add_message(14, value.bytes); });
}

AttributeSpec attr(std::string_view name, const std::vector<TypeSpec>& values) {
  return attribute_with(name, 14, [&](pbf_writer& writer) {
    for (const TypeSpec& value : values) writer.add_message(15, value.bytes);
  });
}

AttributeSpec attr(std::string_view name, const GraphBuilder& value) {
  return attribute_with(name, 5,
                        [&](pbf_writer& writer) { writer.add_message(6, value.graph_bytes()); });
}

AttributeSpec attr(std::string_view name, const std::vector<GraphBuilder>& values) {
  return attribute_with(name, 10, [&](pbf_writer& writer) {
    for (const GraphBuilder& value : values) writer.add_message(11, value.graph_bytes());
  });
}

AttributeSpec ints(std::string_view name, std::initializer_list<std::int64_t> values) {
  return attr(name, std::vector<std::int64_t>(values));
}

AttributeSpec floats(std::string_view name, std::initializer_list<float> values) {
  return attr(name, std::vector<float>(values));
}

AttributeSpec reference(std::string_view name, std::string_view reference, int type) {
  return attribute_with(name, type, [&](pbf_writer& writer) { add_text(writer, 21, reference); });
}

GraphBuilder::GraphBuilder(std::string_view name) {
  pbf_writer writer(graph_);
  add_text(writer, 2, name);
}

GraphBuilder& GraphBuilder::input(std::string_view name, ElementType type, const DimsSpec& dims) {
  return input(name, tensor_type(type, dims));
}

GraphBuilder& GraphBuilder::input(std::string_view name, const TypeSpec& type) {
  pbf_writer(graph_).add_message(11, value_info_bytes(name, type));
  return *this;
}

GraphBuilder& GraphBuilder::input(std::string_view name) {
  pbf_writer(graph_).add_message(11, value_info_bytes(name, std::nullopt));
  return *this;
}

GraphBuilder& GraphBuilder::output(std::string_view name, ElementType type, const DimsSpec& dims) {
  return output(name, tensor_type(type, dims));
}

GraphBuilder& GraphBuilder::output(std::string_view name, const TypeSpec& type) {
  pbf_writer(graph_).add_message(12, value_info_bytes(name, type));
  return *this;
}

GraphBuilder& GraphBuilder::output(std::string_view name) {
  pbf_writer(graph_).add_message(12, value_info_bytes(name, std::nullopt));
  return *this;
}

GraphBuilder& GraphBuilder::value_info(std::string_view name, ElementType type,
                                       const DimsSpec& dims) {
  pbf_writer(graph_).add_message(13, value_info_bytes(name, tensor_type(type, dims)));
  return *this;
}

GraphBuilder& GraphBuilder::initializer(const TensorSpec& tensor) {
  pbf_writer(graph_).add_message(5, tensor.bytes);
  return *this;
}

GraphBuilder& GraphBuilder::initializer(std::string_view name,
                                        const std::vector<std::int64_t>& dims,
                                        const std::vector<float>& values) {
  return initializer(float_tensor(name, dims, values));
}

GraphBuilder& GraphBuilder::initializer(std::string_view name,
                                        const std::vector<std::int64_t>& dims,
                                        const std::vector<std::int64_t>& values) {
  return initializer(int64_tensor(name, dims, values));
}

GraphBuilder& GraphBuilder::sparse_initializer(const SparseTensorSpec& tensor) {
  pbf_writer(graph_).add_message(15, tensor.bytes);
  return *this;
}

GraphBuilder& GraphBuilder::node(std::string_view op, const std::vector<std::string>& inputs,
                                 const std::vector<std::string>& outputs,
                                 const std::vector<AttributeSpec>& attributes,
                                 std::string_view domain, std::string_view name,
                                 std::string_view overload) {
  pbf_writer(graph_).add_message(
      1, node_bytes(op, inputs, outputs, attributes, domain, name, overload));
  return *this;
}

GraphBuilder& GraphBuilder::raw(std::string_view bytes) {
  graph_ += bytes;
  return *this;
}

FunctionBuilder::FunctionBuilder(std::string_view domain, std::string_view name,
                                 std::string_view overload) {
  pbf_writer writer(function_);
  add_text(writer, 1, name);
  add_text(writer, 10, domain);
  if (!overload.empty()) add_text(writer, 13, overload);
}

FunctionBuilder& FunctionBuilder::inputs(const std::vector<std::string>& names) {
  for (const std::string& name : names) pbf_writer(function_).add_string(4, name);
  return *this;
}

FunctionBuilder& FunctionBuilder::outputs(const std::vector<std::string>& names) {
  for (const std::string& name : names) pbf_writer(function_).add_string(5, name);
  return *this;
}

FunctionBuilder& FunctionBuilder::attribute(std::string_view name) {
  pbf_writer writer(function_);
  add_text(writer, 6, name);
  return *this;
}

FunctionBuilder& FunctionBuilder::default_attribute(const AttributeSpec& value) {
  pbf_writer(function_).add_message(11, value.bytes);
  return *this;
}

FunctionBuilder& FunctionBuilder::opset(std::string_view domain, std::int64_t version) {
  pbf_writer(function_).add_message(9, opset_bytes(domain, version));
  return *this;
}

FunctionBuilder& FunctionBuilder::node(std::string_view op, const std::vector<std::string>& inputs,
                                       const std::vector<std::string>& outputs,
                                       const std::vector<AttributeSpec>& attributes,
                                       std::string_view domain, std::string_view name,
                                       std::string_view overload) {
  pbf_writer(function_).add_message(
      7, node_bytes(op, inputs, outputs, attributes, domain, name, overload));
  return *this;
}

ModelBuilder& ModelBuilder::ir_version(std::optional<std::int64_t> version) {
  ir_version_ = version;
  return *this;
}

ModelBuilder& ModelBuilder::opset(std::string_view domain, std::int64_t version) {
  if (!opsets_) opsets_.emplace();
  opsets_->emplace_back(domain, version);
  return *this;
}

ModelBuilder& ModelBuilder::no_opset() {
  opsets_.emplace();
  return *this;
}

ModelBuilder& ModelBuilder::function(const FunctionBuilder& function) {
  pbf_writer(rest_).add_message(25, function.bytes());
  return *this;
}

ModelBuilder& ModelBuilder::metadata(std::string_view key, std::string_view value) {
  pbf_writer writer(rest_);
  add_entry(writer, 14, key, value);
  return *this;
}

ModelBuilder& ModelBuilder::raw_model(std::string_view bytes) {
  rest_ += bytes;
  return *this;
}

std::string ModelBuilder::bytes() const {
  std::string model;
  pbf_writer writer(model);
  if (ir_version_) writer.add_int64(1, *ir_version_);
  writer.add_string(2, "test");
  writer.add_message(7, graph_);
  if (!opsets_) writer.add_message(8, opset_bytes("", 21));
  if (opsets_) {
    for (const auto& [domain, version] : *opsets_) {
      writer.add_message(8, opset_bytes(domain, version));
    }
  }
  return model + rest_;
}

Model ModelBuilder::parse() const {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "model.onnx";
  write(path);
  return load_model(path);
}

void ModelBuilder::write(const std::filesystem::path& path) const {
  const std::string content = bytes();
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "headroom-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace headroom::test
