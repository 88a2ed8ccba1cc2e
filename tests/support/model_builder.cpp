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

std::string shape_bytes(const std::vector<DimSpec>& dims) {
  std::string shape;
  pbf_writer writer(shape);
  for (const DimSpec& dim : dims) {
    std::string bytes;
    pbf_writer dim_writer(bytes);
    if (dim.size) dim_writer.add_int64(1, *dim.size);
    if (!dim.symbol.empty()) dim_writer.add_string(2, dim.symbol);
    writer.add_message(1, bytes);
  }
  return shape;
}

TypeSpec type_with(std::uint32_t field, const std::string& inner) {
  TypeSpec type;
  pbf_writer(type.bytes).add_message(field, inner);
  return type;
}

std::string element_and_shape(ElementType element, const DimsSpec& dims) {
  std::string inner;
  pbf_writer writer(inner);
  writer.add_int32(1, static_cast<std::int32_t>(element));
  if (dims) writer.add_message(2, shape_bytes(*dims));
  return inner;
}

std::string value_info_bytes(std::string_view name, const std::optional<TypeSpec>& type) {
  std::string bytes;
  pbf_writer writer(bytes);
  add_text(writer, 1, name);
  if (type) writer.add_message(2, type->bytes);
  return bytes;
}

/// Name, type and dims; the caller adds the data.
TensorSpec tensor_head(std::string_view name, ElementType type,
                       const std::vector<std::int64_t>& dims) {
  TensorSpec tensor;
  pbf_writer writer(tensor.bytes);
  add_dims(writer, 1, dims);
  writer.add_int32(2, static_cast<std::int32_t>(type));
  if (!name.empty()) add_text(writer, 8, name);
  return tensor;
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

TypeSpec tensor_type(ElementType element, const DimsSpec& dims) {
  return type_with(1, element_and_shape(element, dims));
}

TypeSpec sparse_tensor_type(ElementType element, const DimsSpec& dims) {
  return type_with(8, element_and_shape(element, dims));
}

TypeSpec sequence_type(const TypeSpec& element) {
  return type_with(4, type_with(1, element.bytes).bytes);
}

TypeSpec optional_type(const TypeSpec& element) {
  return type_with(9, type_with(1, element.bytes).bytes);
}

TypeSpec map_type(ElementType key, const TypeSpec& value) {
  std::string inner;
  pbf_writer writer(inner);
  writer.add_int32(1, static_cast<std::int32_t>(key));
  writer.add_message(2, value.bytes);
  return type_with(5, inner);
}

TypeSpec opaque_type(std::string_view domain, std::string_view name) {
  std::string inner;
  pbf_writer writer(inner);
  add_text(writer, 1, domain);
  add_text(writer, 2, name);
  return type_with(7, inner);
}

TensorSpec float_tensor(std::string_view name, const std::vector<std::int64_t>& dims,
                        const std::vector<float>& values) {
  TensorSpec tensor = tensor_head(name, ElementType::Float32, dims);
  pbf_writer(tensor.bytes).add_packed_float(4, values.begin(), values.end());
  return tensor;
}

TensorSpec int64_tensor(std::string_view name, const std::vector<std::int64_t>& dims,
                        const std::vector<std::int64_t>& values) {
  TensorSpec tensor = tensor_head(name, ElementType::Int64, dims);
  pbf_writer(tensor.bytes).add_packed_int64(7, values.begin(), values.end());
  return tensor;
}

TensorSpec int32_data_tensor(std::string_view name, ElementType type,
                             const std::vector<std::int64_t>& dims,
                             const std::vector<std::int32_t>& values) {
  TensorSpec tensor = tensor_head(name, type, dims);
  pbf_writer(tensor.bytes).add_packed_int32(5, values.begin(), values.end());
  return tensor;
}

TensorSpec double_tensor(std::string_view name, const std::vector<std::int64_t>& dims,
                         const std::vector<double>& values) {
  TensorSpec tensor = tensor_head(name, ElementType::Float64, dims);
  pbf_writer(tensor.bytes).add_packed_double(10, values.begin(), values.end());
  return tensor;
}

TensorSpec uint64_data_tensor(std::string_view name, ElementType type,
                              const std::vector<std::int64_t>& dims,
                              const std::vector<std::uint64_t>& values) {
  TensorSpec tensor = tensor_head(name, type, dims);
  pbf_writer(tensor.bytes).add_packed_uint64(11, values.begin(), values.end());
  return tensor;
}

TensorSpec string_tensor(std::string_view name, const std::vector<std::int64_t>& dims,
                         const std::vector<std::string>& values) {
  TensorSpec tensor = tensor_head(name, ElementType::String, dims);
  pbf_writer writer(tensor.bytes);
  for (const std::string& value : values) writer.add_string(6, value);
  return tensor;
}

TensorSpec raw_tensor(std::string_view name, ElementType type,
                      const std::vector<std::int64_t>& dims, std::string_view bytes) {
  TensorSpec tensor = tensor_head(name, type, dims);
  pbf_writer(tensor.bytes).add_bytes(9, bytes.data(), bytes.size());
  return tensor;
}

TensorSpec zero_tensor(std::string_view name, ElementType type,
                       const std::vector<std::int64_t>& dims) {
  std::uint64_t elements = 1;
  for (const std::int64_t dim : dims) elements *= static_cast<std::uint64_t>(dim);
  const std::string zeros(packed_size(type, elements).value().value, '\0');
  return raw_tensor(name, type, dims, zeros);
}

TensorSpec external_tensor_entries(
    std::string_view name, ElementType type, const std::vector<std::int64_t>& dims,
    const std::vector<std::pair<std::string, std::string>>& entries) {
  TensorSpec tensor = tensor_head(name, type, dims);
  pbf_writer writer(tensor.bytes);
  for (const auto& [key, value] : entries) add_entry(writer, 13, key, value);
  writer.add_int32(14, 1);
  return tensor;
}

TensorSpec external_tensor(std::string_view name, ElementType type,
                           const std::vector<std::int64_t>& dims, std::string_view location,
                           std::optional<std::uint64_t> offset,
                           std::optional<std::uint64_t> length) {
  std::vector<std::pair<std::string, std::string>> entries{{"location", std::string(location)}};
  if (offset) entries.emplace_back("offset", std::to_string(*offset));
  if (length) entries.emplace_back("length", std::to_string(*length));
  return external_tensor_entries(name, type, dims, entries);
}

SparseTensorSpec sparse_tensor(const TensorSpec& values, const TensorSpec& indices,
                               const std::vector<std::int64_t>& dims) {
  SparseTensorSpec sparse;
  pbf_writer writer(sparse.bytes);
  writer.add_message(1, values.bytes);
  writer.add_message(2, indices.bytes);
  add_dims(writer, 3, dims);
  return sparse;
}

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
