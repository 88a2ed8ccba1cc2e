// SPDX-License-Identifier: Apache-2.0
// The protobuf wire format under the reader: fields one after the other, each checked against the
// bytes that are there, and errors that name the place in the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <protozero/pbf_reader.hpp>

namespace headroom::wire {

using ByteSpan = std::span<const std::byte>;

/// Subgraphs in subgraphs, types in types, functions that call functions. Source: ours; the deepest
/// model of the corpus has three, and every reader here recurses.
inline constexpr std::size_t kDeepest = 64;

/// What is read, for messages only.
struct Input {
  std::string file{};  ///< As shown; empty for bytes without a file.
  const std::byte* begin = nullptr;
};

/// Where in the model the reader is: a chain on the stack that becomes text when an error needs it.
struct Place {
  const Input* input = nullptr;
  const Place* outer = nullptr;
  std::string_view kind{};
  std::string_view name{};
  std::size_t index = 0;      ///< Shown where the name is empty.
  std::string_view detail{};  ///< Shown with the index.

  /// Keeps a pointer to this Place.
  Place inside(std::string_view inner_kind, std::string_view inner_name,
               std::size_t inner_index = 0, std::string_view inner_detail = {}) const& {
    return {input, this, inner_kind, inner_name, inner_index, inner_detail};
  }
  Place inside(std::string_view, std::string_view, std::size_t = 0,
               std::string_view = {}) const&& = delete;
};

/// `node '/loop/Loop', attribute 'body', node #3 (Add)`: from the outermost to the innermost.
std::string to_string(const Place& place);
/// A name from the file, safe to print and not longer than a line.
std::string shown(std::string_view name);

/// Errors: always BadInput, with file and place before `message`.
[[noreturn]] void fail(const Place& place, std::string_view message);

/// The fields of one message. Each read checks the wire type; fields that nobody asks for are
/// skipped by `next`. Errors: BadInput naming message, field and byte.
class Fields {
 public:
  Fields(const Place& place, std::string_view message, ByteSpan bytes);

  bool next();
  bool is_delimited() const noexcept {
    return reader_.has_wire_type(protozero::pbf_wire_type::length_delimited);
  }
  std::uint32_t number() const noexcept { return number_; }

  std::int64_t integer();
  float real();
  std::string_view text();
  ByteSpan bytes();
  /// The whole field as it stands in the file, tag and length included.
  ByteSpan whole();
  /// One entry, or several packed.
  void append_to(std::vector<std::int64_t>& integers);
  void append_to(std::vector<float>& reals);
  void append_to(std::vector<double>& reals);

 private:
  void expect(protozero::pbf_wire_type type);
  std::string_view delimited();
  void skip();
  template <class T>
  void append_fixed(std::vector<T>& values, protozero::pbf_wire_type single);
  [[noreturn]] void fail_here(std::string_view what) const;

  const Place& place_;
  std::string_view message_;
  protozero::pbf_reader reader_;
  const char* begin_ = nullptr;  ///< Of the current field.
  std::uint32_t number_ = 0;
  bool is_pending_ = false;  ///< The current field has not been read yet.
};

inline std::string_view text_of(ByteSpan bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
inline ByteSpan bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

}  // namespace headroom::wire
