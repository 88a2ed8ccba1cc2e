// SPDX-License-Identifier: Apache-2.0
// TensorProto and SparseTensorProto: what they declare, where their data lies, and whether the two
// agree. Elements are read by read_tensor only.
#pragma once

#include <headroom/model/graph.h>

#include <array>

#include "model/read_state.h"

namespace headroom {

/// The fields of a TensorProto, its data as pieces of the message.
struct TensorFields {
  std::string_view name{};
  std::int64_t type = 0;
  std::vector<std::int64_t> dims{};
  bool has_segment = false;
  bool is_external = false;
  std::optional<wire::ByteSpan> raw{};
  std::array<bool, 12> has_field{};  ///< By field number, as far as the data fields go.
  /// Sizes of float_data and double_data in elements of the list; the others take a pass to count.
  std::uint64_t reals = 0;
  std::optional<std::string_view> location{}, offset{}, length{};
};
TensorFields read_tensor_fields(const wire::Place& place, wire::ByteSpan bytes);

/// Only the name, as a view into the file.
std::string_view tensor_name(const wire::Place& place, wire::ByteSpan bytes);

/// Number of the typed data field that holds elements of `type`. Source: onnx.proto, TensorProto.
std::uint32_t data_field_of(ElementType type) noexcept;
/// Entries of that field for `elements` elements: two for a complex number, one for two 4-bit ones.
std::uint64_t data_entries_of(ElementType type, std::uint64_t elements) noexcept;
/// For messages: `float_data`.
std::string_view data_field_name(std::uint32_t number) noexcept;

/// Reads and checks; the place of errors is `place` with the tensor's name added.
/// Errors: BadInput for an undefined type, dims that are negative or whose size overflows, data
/// that is absent or has the wrong size, external data that is refused or out of range. Missing
/// external files are a diagnostic.
StoredTensor read_stored_tensor(ReadState& state, const wire::Place& place, wire::ByteSpan bytes);
StoredSparseTensor read_stored_sparse_tensor(ReadState& state, const wire::Place& place,
                                             wire::ByteSpan bytes);

/// The type of an initializer or constant.
ValueType type_of(const StoredTensor& tensor);
/// Engines give nodes the dense form of a sparse initializer, so it counts as a Tensor.
ValueType type_of(const StoredSparseTensor& tensor);

}  // namespace headroom
