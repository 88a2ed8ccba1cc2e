// SPDX-License-Identifier: Apache-2.0
// TypeProto and ValueInfoProto → ValueType.
#pragma once

#include <headroom/model/graph.h>

#include <string_view>

#include "model/read_state.h"

namespace headroom {

/// A type that ONNX does not define for elements becomes Undefined, with a diagnostic.
/// Errors: BadInput for wire format or nesting deeper than wire::kDeepest.
ValueType read_type(ReadState& state, const wire::Place& place, wire::ByteSpan bytes);

/// A declared value: the bytes of its type are read only when wanted.
struct ValueInfo {
  std::string_view name{};
  wire::ByteSpan type{};  ///< Empty where no type is given.
};
ValueInfo read_value_info(const wire::Place& place, wire::ByteSpan bytes);

/// The element type with this number in the file; nothing if ONNX does not define it.
std::optional<ElementType> element_type_of(std::int64_t number) noexcept;

}  // namespace headroom
