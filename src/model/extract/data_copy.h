// SPDX-License-Identifier: Apache-2.0
// External data that moves into a file of its own: which bytes, and messages that refer to them.
#pragma once

#include <headroom/base/file.h>
#include <headroom/model/model.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "model/read_state.h"

namespace headroom::extract {

/// What a message is, as far as tensors may lie in it.
enum class Message : std::uint8_t { Node, Attribute, Graph, Function, Tensor, SparseTensor };

class DataCopy {
 public:
  /// `location` is the name of the new file in external_data; `model` is for messages.
  DataCopy(const std::filesystem::path& model, std::string location);

  /// The message with its external tensors, at any depth, referring to the new file.
  /// Errors: NotFound for a missing file, and those of read_stored_tensor.
  std::string moved(Message message, wire::ByteSpan bytes);

  std::uint64_t size() const noexcept { return size_; }
  /// Appends all bytes in order. Errors: those of AtomicFile; Interrupted.
  void write(AtomicFile& file, const std::function<bool()>& is_stopped) const;

 private:
  /// Path, first byte, length.
  using Range = std::tuple<std::filesystem::path, std::uint64_t, std::uint64_t>;

  std::string moved_tensor(wire::ByteSpan bytes);
  std::uint64_t place_of(Range range);

  ReadState state_;
  wire::Place place_{};
  std::string location_;
  std::vector<std::pair<Range, std::uint64_t>> ranges_{};  ///< With their new places.
  std::map<Range, std::uint64_t> places_{};
  std::uint64_t size_ = 0;
};

/// The tensors with external data that lie in it, at any depth.
std::vector<const StoredTensor*> external_tensors(const Node& node);
std::vector<const StoredTensor*> external_tensors(const Model& model);
std::vector<const StoredTensor*> external_tensors(const Function& function);
std::vector<const StoredTensor*> external_tensors(const StoredSparseTensor& tensor);

}  // namespace headroom::extract
