// SPDX-License-Identifier: Apache-2.0
// Conversion of types and tensors at the edge to ONNX Runtime.
#include "engine/onnxruntime/values.h"

#include <headroom/base/error.h>

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

namespace headroom::onnxruntime {
namespace {

struct TypePair {
  ONNXTensorElementDataType theirs;
  ElementType ours;
};

// Up to 4-bit floats both enumerations follow the file format; then ONNX Runtime's own numbers
// begin. The headers of 1.21 end with 4-bit integers; the numbers of the four types behind them are
// what a session of version 1.32 says of outputs of those types, and their tensors come back right
// (tests/engine/onnxruntime_values_test.cpp). An older library refuses them.
constexpr std::array kTypes = {
    TypePair{ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, ElementType::Float32},
    TypePair{ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8, ElementType::Uint8},
    TypePair{ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8, ElementType::Int8},
    TypePair{ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16, ElementType::Uint16},
    TypePair{ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16, ElementType::Int16},
    TypePair{ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32, ElementType::Int32},
    TypePair{ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, ElementType::Int64},
    TypePair{ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING, ElementType::String},
    TypePair{ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL, ElementType::Bool},
    TypePair{ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16, ElementType::Float16},
    TypePair{ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE, ElementType::Float64},
    TypePair{ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32, ElementType::Uint32},
    TypePair{ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64, ElementType::Uint64},
    TypePair{ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX64, ElementType::Complex64},
    TypePair{ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX128, ElementType::Complex128},
    TypePair{ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16, ElementType::Bfloat16},
    TypePair{ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FN, ElementType::Float8E4M3FN},
    TypePair{ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FNUZ, ElementType::Float8E4M3FNUZ},
    TypePair{ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2, ElementType::Float8E5M2},
    TypePair{ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2FNUZ, ElementType::Float8E5M2FNUZ},
    TypePair{ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT4, ElementType::Uint4},
    TypePair{ONNX_TENSOR_ELEMENT_DATA_TYPE_INT4, ElementType::Int4},
    TypePair{static_cast<ONNXTensorElementDataType>(23), ElementType::Float4E2M1},
    TypePair{static_cast<ONNXTensorElementDataType>(24), ElementType::Uint2},
    TypePair{static_cast<ONNXTensorElementDataType>(25), ElementType::Int2},
    TypePair{static_cast<ONNXTensorElementDataType>(26), ElementType::Float8E8M0},
};

ONNXTensorElementDataType their_type(const Tensor& tensor) {
  for (const TypePair& pair : kTypes) {
    if (pair.ours == tensor.type) return pair.theirs;
  }
  throw Error(
      ErrorKind::Unsupported,
      fmt::format("engine 'onnxruntime' cannot be given input '{}': it has no values of type {}",
                  tensor.name, to_string(tensor.type)));
}

template <class Info>
ValueType tensor_type_of(TypeKind kind, const Info& info) {
  ValueType type{.kind = kind,
                 .element = element_type_of(info.GetElementType()),
                 .shape = Shape{},
                 .inner = {}};
  const std::vector<std::int64_t> sizes = info.GetShape();
  std::vector<const char*> symbols(sizes.size(), nullptr);
  if (!symbols.empty()) info.GetSymbolicDimensions(symbols.data(), symbols.size());
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    Dim dim;
    if (sizes[axis] >= 0) dim.size = sizes[axis];
    if (symbols[axis] != nullptr) dim.symbol = symbols[axis];
    type.shape->push_back(std::move(dim));
  }
  return type;
}

ValueType wrapping(TypeKind kind, ElementType key, const Ort::TypeInfo& inner) {
  return {.kind = kind, .element = key, .shape = std::nullopt, .inner = {value_type_of(inner)}};
}

void copy_strings(const Ort::Value& value, Tensor& tensor) {
  for (std::size_t i = 0; i < tensor.strings.size(); ++i) {
    tensor.strings[i] = value.GetStringTensorElement(i);
  }
}

// The type of the values that a port takes, without the optional around it.
const ValueType& held_type(const ValueType& port) {
  const bool is_optional = port.kind == TypeKind::Optional && !port.inner.empty();
  return is_optional ? port.inner.front() : port;
}

// The interface makes no empty sequence; a model of one node does.
Ort::Value empty_sequence(ElementType element) {
  const std::string model = empty_sequence_model(element);
  const Ort::Env env(ORT_LOGGING_LEVEL_FATAL, "headroom");  // the process's one, shared
  Ort::SessionOptions options;
  options.SetIntraOpNumThreads(1);
  Ort::Session session(env, model.data(), model.size(), options);
  const char* output = "empty";
  std::vector<Ort::Value> values = session.Run(Ort::RunOptions{}, nullptr, nullptr, 0, &output, 1);
  return std::move(values.front());
}

Ort::Value sequence_of(Datum& datum, const ValueType& port) {
  const ValueType& sequence = held_type(port);
  const ValueType element = sequence.inner.empty() ? ValueType{} : sequence.inner.front();
  if (datum.elements.empty()) return empty_sequence(element.element);
  std::vector<Ort::Value> elements;
  for (Datum& value : datum.elements) elements.push_back(value_of(value, element));
  return Ort::Value::CreateSequence(elements);
}

Datum copy_sequence(const Ort::Value& value, const std::string& name) {
  Datum datum{.name = name, .kind = DatumKind::Sequence};
  Ort::AllocatorWithDefaultOptions allocator;
  const std::size_t count = value.GetCount();
  for (std::size_t i = 0; i < count; ++i) {
    datum.elements.push_back(copy_datum(value.GetValue(static_cast<int>(i), allocator), ""));
  }
  return datum;
}

}  // namespace

ElementType element_type_of(ONNXTensorElementDataType type) {
  for (const TypePair& pair : kTypes) {
    if (pair.theirs == type) return pair.ours;
  }
  return ElementType::Undefined;
}

ValueType value_type_of(const Ort::TypeInfo& info) {
  switch (info.GetONNXType()) {
    case ONNX_TYPE_TENSOR:
      return tensor_type_of(TypeKind::Tensor, info.GetTensorTypeAndShapeInfo());
    case ONNX_TYPE_SPARSETENSOR:
      return tensor_type_of(TypeKind::SparseTensor, info.GetTensorTypeAndShapeInfo());
    case ONNX_TYPE_SEQUENCE:
      return wrapping(TypeKind::Sequence, ElementType::Undefined,
                      info.GetSequenceTypeInfo().GetSequenceElementType());
    case ONNX_TYPE_MAP: {
      const auto map = info.GetMapTypeInfo();
      return wrapping(TypeKind::Map, element_type_of(map.GetMapKeyType()), map.GetMapValueType());
    }
    case ONNX_TYPE_OPTIONAL:
      return wrapping(TypeKind::Optional, ElementType::Undefined,
                      info.GetOptionalTypeInfo().GetOptionalElementType());
    case ONNX_TYPE_UNKNOWN:
    case ONNX_TYPE_OPAQUE:
      break;
  }
  return {};
}

Ort::Value view_of(Tensor& tensor) {
  const ONNXTensorElementDataType type = their_type(tensor);
  if (tensor.type == ElementType::String) {
    Ort::AllocatorWithDefaultOptions allocator;
    Ort::Value value =
        Ort::Value::CreateTensor(allocator, tensor.shape.data(), tensor.shape.size(), type);
    for (std::size_t i = 0; i < tensor.strings.size(); ++i) {
      const std::string& text = tensor.strings[i];
      char* place = value.GetResizedStringTensorElementBuffer(i, text.size());
      std::copy(text.begin(), text.end(), place);
    }
    return value;
  }
  const Ort::MemoryInfo memory = Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);
  const std::span<std::byte> bytes = tensor.data.bytes();
  return Ort::Value::CreateTensor(memory, bytes.data(), bytes.size(), tensor.shape.data(),
                                  tensor.shape.size(), type);
}

Ort::Value value_of(Datum& datum, const ValueType& port) {
  switch (datum.kind) {
    case DatumKind::Tensor:
      return view_of(datum.tensor);
    case DatumKind::Sequence:
      return sequence_of(datum, port);
    case DatumKind::None:
    case DatumKind::Other:
      break;
  }
  throw Error(ErrorKind::Unsupported,
              fmt::format("engine 'onnxruntime' cannot be given input '{}' as {}", datum.name,
                          description_of(datum)));
}

Datum copy_datum(const Ort::Value& value, const std::string& name) {
  if (!value.HasValue()) return {.name = name, .kind = DatumKind::None};
  const ONNXType type = value.GetTypeInfo().GetONNXType();
  if (type == ONNX_TYPE_SEQUENCE) return copy_sequence(value, name);
  if (type != ONNX_TYPE_TENSOR) return {.name = name, .kind = DatumKind::Other};
  Datum datum = datum_of(copy_value(value, name));
  if (datum.tensor.type == ElementType::Undefined) datum.kind = DatumKind::Other;
  return datum;
}

Tensor copy_value(const Ort::Value& value, const std::string& name) {
  if (!value.HasValue() || !value.IsTensor()) return {.name = name};
  const Ort::TensorTypeAndShapeInfo info = value.GetTensorTypeAndShapeInfo();
  const ElementType type = element_type_of(info.GetElementType());
  if (type == ElementType::Undefined) return {.name = name};
  Tensor tensor = make_tensor(name, type, info.GetShape());
  if (type == ElementType::String) {
    copy_strings(value, tensor);
  } else if (!tensor.data.bytes().empty()) {
    std::memcpy(tensor.data.bytes().data(), value.GetTensorRawData(), tensor.data.bytes().size());
  }
  return tensor;
}

}  // namespace headroom::onnxruntime
