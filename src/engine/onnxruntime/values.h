// SPDX-License-Identifier: Apache-2.0
// Between ONNX Runtime's values and types and ours.
#pragma once

#include <headroom/engine.h>

#include "engine/onnxruntime/api.h"

namespace headroom::onnxruntime {

/// Our name of an element type; Undefined for a number that this header does not know.
ElementType element_type_of(ONNXTensorElementDataType type);

ValueType value_type_of(const Ort::TypeInfo& info);

/// A view of `tensor`'s memory, which must outlive it; strings are copied.
/// Errors: Unsupported for an element type that ONNX Runtime's values do not have.
Ort::Value view_of(Tensor& tensor);

/// A tensor or sequence for an input of type `port`: a view of the tensors' memory, which must
/// outlive it; the engine copies the elements of a sequence. Errors: as view_of; Unsupported for
/// other kinds.
Ort::Value value_of(Datum& datum, const ValueType& port);

/// A copy of a tensor; ElementType::Undefined and no data for any other value.
Tensor copy_value(const Ort::Value& value, const std::string& name);

/// A copy of a tensor, a sequence or an optional; DatumKind::Other for what cannot be copied.
Datum copy_datum(const Ort::Value& value, const std::string& name);

}  // namespace headroom::onnxruntime
