// SPDX-License-Identifier: Apache-2.0
// A protobuf message that is put together from bytes of its own and of a mapped file. The large
// ones stay where they are until the message is written.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/wire.h"

namespace headroom::extract {

class Pieces {
 public:
  /// Bytes of a mapped file, as they are, which must live as long as this.
  void add(wire::ByteSpan mapped);
  /// A field whose value is a message, text or bytes; what is mapped as in add, texts are copied.
  void add_field(std::uint32_t number, wire::ByteSpan mapped);
  void add_field(std::uint32_t number, std::string_view content);
  /// A field whose value is another message, which is moved into this one.
  void add_field(std::uint32_t number, Pieces content);

  std::uint64_t size() const noexcept { return size_; }
  template <class Write>
  void write(Write write_bytes) const {
    for (const Piece& piece : pieces_) {
      write_bytes(std::string_view{piece.own});
      write_bytes(wire::text_of(piece.mapped));
    }
  }

 private:
  struct Piece {
    std::string own{};
    wire::ByteSpan mapped{};  ///< Behind `own`.
  };
  void add_head(std::uint32_t number, std::uint64_t length);
  void add_copy(std::string_view bytes);

  std::vector<Piece> pieces_{1};
  std::uint64_t size_ = 0;
};

}  // namespace headroom::extract
