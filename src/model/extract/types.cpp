// SPDX-License-Identifier: Apache-2.0
// Field numbers are those of onnx.proto.
#include "model/extract/types.h"

#include <algorithm>

#include <fmt/format.h>
#include <protozero/pbf_writer.hpp>

#include "model/infer/dims.h"

namespace headroom::extract {
namespace {

using protozero::pbf_writer;

/// Number of the TypeProto's field for this kind.
std::uint32_t field_of(TypeKind kind) {
  switch (kind) {
    case TypeKind::Sequence:
      return 4;
    case TypeKind::Map:
      return 5;
    case TypeKind::SparseTensor:
      return 8;
    case TypeKind::Optional:
      return 9;
    default:
      return 1;
  }
}

}  // namespace

bool is_complete(const ValueType& type) {
  if (type.kind == TypeKind::Unknown) return false;
  const bool has_element = type.kind == TypeKind::Tensor || type.kind == TypeKind::SparseTensor ||
                           type.kind == TypeKind::Map;
  if (has_element && !is_defined(type.element)) return false;
  return std::all_of(type.inner.begin(), type.inner.end(), is_complete);
}

std::string TypeWriter::value_info(const Value& value) {
  std::string bytes;
  pbf_writer writer(bytes);
  writer.add_string(1, value.name);
  if (is_complete(value.type)) writer.add_message(2, type(value.type, value.name));
  return bytes;
}

std::string TypeWriter::type(const ValueType& type, const std::string& name) {
  std::string inner;
  if (type.kind == TypeKind::Tensor || type.kind == TypeKind::SparseTensor) {
    inner = tensor(type, name);
  } else {
    pbf_writer writer(inner);
    if (type.kind == TypeKind::Map) writer.add_int32(1, static_cast<std::int32_t>(type.element));
    writer.add_message(type.kind == TypeKind::Map ? 2 : 1, this->type(type.inner.at(0), name));
  }
  std::string bytes;
  pbf_writer(bytes).add_message(field_of(type.kind), inner);
  return bytes;
}

std::string TypeWriter::tensor(const ValueType& type, const std::string& name) {
  std::string bytes;
  pbf_writer writer(bytes);
  writer.add_int32(1, static_cast<std::int32_t>(type.element));
  if (!type.shape) return bytes;
  std::string shape;
  for (std::size_t axis = 0; axis < type.shape->size(); ++axis) {
    const Dim& dim = (*type.shape)[axis];
    std::string dim_bytes;
    if (dim.size) {
      pbf_writer(dim_bytes).add_int64(1, *dim.size);
    } else if (!dim.symbol.empty()) {
      pbf_writer(dim_bytes).add_string(2, symbol(dim, name, axis));
    }
    pbf_writer(shape).add_message(1, dim_bytes);
  }
  writer.add_message(2, shape);
  return bytes;
}

const std::string& TypeWriter::symbol(const Dim& dim, const std::string& name, std::size_t axis) {
  if (infer::is_plain_symbol(dim)) return dim.symbol;
  return names_.try_emplace(dim.symbol, fmt::format("{}.dim{}", name, axis)).first->second;
}

}  // namespace headroom::extract
