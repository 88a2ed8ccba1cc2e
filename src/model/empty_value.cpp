// SPDX-License-Identifier: Apache-2.0
// A model of one node that makes an empty sequence or optional. Field numbers are those of
// onnx.proto.
#include <headroom/base/error.h>
#include <headroom/model/datum.h>

#include <fmt/format.h>
#include <protozero/pbf_writer.hpp>

namespace headroom {
namespace {

using protozero::pbf_writer;

/// SequenceEmpty exists since opset 11, Optional since 15.
constexpr std::int64_t kOpset = 15;
constexpr std::int64_t kIrVersion = 8;
constexpr std::string_view kOutput = "empty";

enum AttributeKind : std::int32_t { kInt = 2, kTypeProto = 13 };

void put_text(pbf_writer& writer, std::uint32_t field, std::string_view text) {
  writer.add_bytes(field, text.data(), text.size());
}

std::string_view name_of(TypeKind kind) {
  switch (kind) {
    case TypeKind::Tensor:
      return "a tensor";
    case TypeKind::SparseTensor:
      return "a sparse tensor";
    case TypeKind::Sequence:
      return "such a sequence";
    case TypeKind::Optional:
      return "such an optional";
    case TypeKind::Map:
      return "a map";
    case TypeKind::Unknown:
      break;
  }
  return "an unknown type";
}

[[noreturn]] void refuse(const ValueType& type) {
  throw Error(ErrorKind::Unsupported,
              fmt::format("an empty value can be made of a sequence of tensors and of an optional "
                          "tensor or sequence, not of {}",
                          name_of(type.kind)));
}

std::string type_bytes(const ValueType& type) {
  std::string bytes;
  pbf_writer writer(bytes);
  if (type.kind == TypeKind::Tensor) {
    pbf_writer tensor(writer, 1);
    tensor.add_enum(1, static_cast<std::int32_t>(type.element));
    return tensor.commit(), bytes;
  }
  const bool is_sequence = type.kind == TypeKind::Sequence;
  if ((!is_sequence && type.kind != TypeKind::Optional) || type.inner.empty()) refuse(type);
  std::string inner;
  pbf_writer(inner).add_message(1, type_bytes(type.inner.front()));
  writer.add_message(is_sequence ? 4 : 9, inner);
  return bytes;
}

std::string attribute_bytes(const ValueType& type) {
  std::string bytes;
  pbf_writer writer(bytes);
  if (type.kind == TypeKind::Sequence) {
    put_text(writer, 1, "dtype");
    writer.add_int64(3, static_cast<std::int64_t>(type.inner.front().element));
    writer.add_enum(20, kInt);
  } else {
    put_text(writer, 1, "type");
    writer.add_message(14, type_bytes(type.inner.front()));
    writer.add_enum(20, kTypeProto);
  }
  return bytes;
}

std::string node_bytes(const ValueType& type) {
  std::string bytes;
  pbf_writer writer(bytes);
  put_text(writer, 2, kOutput);
  put_text(writer, 4, type.kind == TypeKind::Sequence ? "SequenceEmpty" : "Optional");
  writer.add_message(5, attribute_bytes(type));
  return bytes;
}

std::string graph_bytes(const ValueType& type) {
  std::string output;
  pbf_writer output_writer(output);
  put_text(output_writer, 1, kOutput);
  output_writer.add_message(2, type_bytes(type));
  std::string bytes;
  pbf_writer writer(bytes);
  writer.add_message(1, node_bytes(type));
  put_text(writer, 2, "empty value");
  writer.add_message(12, output);
  return bytes;
}

}  // namespace

std::string empty_value_model(const ValueType& type) {
  const bool is_optional = type.kind == TypeKind::Optional && !type.inner.empty();
  const bool is_sequence = type.kind == TypeKind::Sequence && !type.inner.empty() &&
                           type.inner.front().kind == TypeKind::Tensor;
  if (!is_optional && !is_sequence) refuse(type);
  std::string opset;
  pbf_writer(opset).add_int64(2, kOpset);
  std::string bytes;
  pbf_writer writer(bytes);
  writer.add_int64(1, kIrVersion);
  writer.add_message(7, graph_bytes(type));
  writer.add_message(8, opset);
  return bytes;
}

}  // namespace headroom
