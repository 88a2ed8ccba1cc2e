// SPDX-License-Identifier: Apache-2.0
// A graph literal for tests: writes ONNX model files field by field, well-formed or deliberately
// not.
#pragma once

#include <headroom/model/model.h>

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/onnx_spec.h"

namespace headroom::test {

class GraphBuilder;

/// The bytes of an AttributeProto.
struct AttributeSpec {
  std::string bytes{};
};
AttributeSpec attr(std::string_view name, std::int64_t value);
AttributeSpec attr(std::string_view name, int value);
AttributeSpec attr(std::string_view name, float value);
AttributeSpec attr(std::string_view name, const char* value);
AttributeSpec attr(std::string_view name, const std::vector<std::int64_t>& values);
AttributeSpec attr(std::string_view name, const std::vector<float>& values);
AttributeSpec attr(std::string_view name, const std::vector<std::string>& values);
AttributeSpec attr(std::string_view name, const TensorSpec& value);
AttributeSpec attr(std::string_view name, const std::vector<TensorSpec>& values);
AttributeSpec attr(std::string_view name, const SparseTensorSpec& value);
AttributeSpec attr(std::string_view name, const std::vector<SparseTensorSpec>& values);
AttributeSpec attr(std::string_view name, const TypeSpec& value);
AttributeSpec attr(std::string_view name, const std::vector<TypeSpec>& values);
AttributeSpec attr(std::string_view name, const GraphBuilder& value);
AttributeSpec attr(std::string_view name, const std::vector<GraphBuilder>& values);
/// Shorter for literals: `ints("pads", {1, 1, 1, 1})`.
AttributeSpec ints(std::string_view name, std::initializer_list<std::int64_t> values);
AttributeSpec floats(std::string_view name, std::initializer_list<float> values);
/// In a function's body: the value of the attribute `reference` of the call. `type` is the number
/// of AttributeProto.AttributeType (1 FLOAT, 2 INT, 3 STRING, 6 FLOATS, 7 INTS).
AttributeSpec reference(std::string_view name, std::string_view reference, int type);

/// Builds a GraphProto; the order of calls is the order in the file.
class GraphBuilder {
 public:
  explicit GraphBuilder(std::string_view name = "g");

  GraphBuilder& input(std::string_view name, ElementType type, const DimsSpec& dims = std::nullopt);
  GraphBuilder& input(std::string_view name, const TypeSpec& type);
  GraphBuilder& input(std::string_view name);  ///< Without a type, as in a body of If or Loop.
  GraphBuilder& output(std::string_view name, ElementType type,
                       const DimsSpec& dims = std::nullopt);
  GraphBuilder& output(std::string_view name, const TypeSpec& type);
  GraphBuilder& output(std::string_view name);
  GraphBuilder& value_info(std::string_view name, ElementType type,
                           const DimsSpec& dims = std::nullopt);
  GraphBuilder& initializer(const TensorSpec& tensor);
  GraphBuilder& initializer(std::string_view name, const std::vector<std::int64_t>& dims,
                            const std::vector<float>& values);
  GraphBuilder& initializer(std::string_view name, const std::vector<std::int64_t>& dims,
                            const std::vector<std::int64_t>& values);
  GraphBuilder& sparse_initializer(const SparseTensorSpec& tensor);
  /// An empty name among inputs or outputs omits it.
  GraphBuilder& node(std::string_view op, const std::vector<std::string>& inputs,
                     const std::vector<std::string>& outputs,
                     const std::vector<AttributeSpec>& attributes = {},
                     std::string_view domain = "", std::string_view name = "",
                     std::string_view overload = "");
  /// Any bytes, appended as they are.
  GraphBuilder& raw(std::string_view bytes);

  const std::string& graph_bytes() const { return graph_; }

 protected:
  std::string graph_{};
};

/// Builds a FunctionProto.
class FunctionBuilder {
 public:
  FunctionBuilder(std::string_view domain, std::string_view name, std::string_view overload = "");

  FunctionBuilder& inputs(const std::vector<std::string>& names);
  FunctionBuilder& outputs(const std::vector<std::string>& names);
  FunctionBuilder& attribute(std::string_view name);  ///< Without a default.
  FunctionBuilder& default_attribute(const AttributeSpec& value);
  FunctionBuilder& opset(std::string_view domain, std::int64_t version);
  FunctionBuilder& node(std::string_view op, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs,
                        const std::vector<AttributeSpec>& attributes = {},
                        std::string_view domain = "", std::string_view name = "",
                        std::string_view overload = "");

  const std::string& bytes() const { return function_; }

 private:
  std::string function_{};
};

/// Builds a ModelProto. IR version 10 and opset 21 of ai.onnx unless said otherwise.
class ModelBuilder : public GraphBuilder {
 public:
  ModelBuilder() = default;

  ModelBuilder& ir_version(std::optional<std::int64_t> version);  ///< Nothing leaves it out.
  /// The first call replaces the default import.
  ModelBuilder& opset(std::string_view domain, std::int64_t version);
  ModelBuilder& no_opset();
  ModelBuilder& function(const FunctionBuilder& function);
  ModelBuilder& metadata(std::string_view key, std::string_view value);
  /// Bytes appended to the ModelProto as they are.
  ModelBuilder& raw_model(std::string_view bytes);

  /// The file.
  std::string bytes() const;
  /// Reads it back. The Model keeps the file mapped; its name is removed before the call returns.
  Model parse() const;
  /// Writes the file, for tests of external data and of errors that name the file.
  void write(const std::filesystem::path& path) const;

 private:
  std::optional<std::int64_t> ir_version_{10};
  std::optional<std::vector<std::pair<std::string, std::int64_t>>> opsets_{};
  std::string rest_{};
};

/// A folder of its own for a test, removed with all its files at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace headroom::test
