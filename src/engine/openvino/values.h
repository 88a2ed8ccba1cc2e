// SPDX-License-Identifier: Apache-2.0
// Between OpenVINO's tensors and types and ours.
#pragma once

#include <headroom/engine.h>

#include <openvino/openvino.hpp>

namespace headroom::openvino {

/// Our name of an element type; Undefined for one that ONNX lacks.
ElementType element_type_of(const ov::element::Type& type);

/// The type of a port; sizes that are open have no symbol, since OpenVINO keeps none.
ValueType value_type_of(const ov::Output<const ov::Node>& port);

/// A view of the memory of `value`, which must outlive it.
/// Errors: Unsupported for an element type that OpenVINO lacks, and for what is no tensor: its
/// inputs are tensors, also where the model declares an optional.
ov::Tensor view_of(Datum& value);

/// A copy; ElementType::Undefined and no data for a type that ONNX lacks.
Tensor copy_tensor(const ov::Tensor& tensor, const std::string& name);

}  // namespace headroom::openvino
