// SPDX-License-Identifier: Apache-2.0
#include "model/extract/pieces.h"

#include <iterator>
#include <utility>

#include <protozero/buffer_string.hpp>
#include <protozero/varint.hpp>

namespace headroom::extract {
namespace {

/// Smaller bytes are copied, so that a graph of many small nodes does not become as many pieces.
constexpr std::size_t kCopied = 1024;

/// Source: Protocol Buffers, Encoding.
constexpr std::uint32_t kLengthDelimited = 2;

}  // namespace

void Pieces::add(wire::ByteSpan mapped) {
  if (mapped.size() <= kCopied) return add_copy(wire::text_of(mapped));
  if (!pieces_.back().mapped.empty()) pieces_.emplace_back();
  pieces_.back().mapped = mapped;
  size_ += mapped.size();
}

void Pieces::add_field(std::uint32_t number, wire::ByteSpan mapped) {
  add_head(number, mapped.size());
  add(mapped);
}

void Pieces::add_field(std::uint32_t number, std::string_view content) {
  add_head(number, content.size());
  add_copy(content);
}

void Pieces::add_field(std::uint32_t number, Pieces content) {
  add_head(number, content.size());
  size_ += content.size();
  pieces_.insert(pieces_.end(), std::make_move_iterator(content.pieces_.begin()),
                 std::make_move_iterator(content.pieces_.end()));
}

void Pieces::add_head(std::uint32_t number, std::uint64_t length) {
  std::string head;
  protozero::add_varint_to_buffer(&head, (std::uint64_t{number} << 3U) | kLengthDelimited);
  protozero::add_varint_to_buffer(&head, length);
  add_copy(head);
}

void Pieces::add_copy(std::string_view bytes) {
  if (!pieces_.back().mapped.empty()) pieces_.emplace_back();
  pieces_.back().own.append(bytes);
  size_ += bytes.size();
}

}  // namespace headroom::extract
