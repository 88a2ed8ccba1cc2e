// SPDX-License-Identifier: Apache-2.0
// ValueType → TypeProto and ValueInfoProto.
#pragma once

#include <headroom/model/graph.h>

#include <string>
#include <unordered_map>

namespace headroom::extract {

/// Whether ONNX has a type for what is known: an engine needs one of each input.
bool is_complete(const ValueType& type);

/// Writes the types of one graph's values.
class TypeWriter {
 public:
  /// The bytes of a ValueInfoProto; without a type where none is complete.
  std::string value_info(const Value& value);

 private:
  std::string type(const ValueType& type, const std::string& name);
  std::string tensor(const ValueType& type, const std::string& name);
  const std::string& symbol(const Dim& dim, const std::string& name, std::size_t axis);

  /// What a symbol becomes: one that tells how a size was computed gets a name of its own, as
  /// inference names an input's open dimension (`x.dim2`), and equal ones the same.
  std::unordered_map<std::string, std::string> names_{};
};

}  // namespace headroom::extract
