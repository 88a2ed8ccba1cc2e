// SPDX-License-Identifier: Apache-2.0
#include "model/wire.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace headroom::wire {
namespace {

using protozero::pbf_wire_type;

std::string_view name_of(pbf_wire_type type) {
  switch (type) {
    case pbf_wire_type::varint:
      return "an integer";
    case pbf_wire_type::fixed64:
      return "8 fixed bytes";
    case pbf_wire_type::length_delimited:
      return "a block of bytes";
    case pbf_wire_type::fixed32:
      return "4 fixed bytes";
    default:
      return "an unknown wire type";
  }
}

std::string text_of_one(const Place& place) {
  if (!place.name.empty()) return fmt::format("{} '{}'", place.kind, shown(place.name));
  if (!place.detail.empty()) {
    return fmt::format("{} #{} ({})", place.kind, place.index, shown(place.detail));
  }
  return fmt::format("{} #{}", place.kind, place.index);
}

}  // namespace

std::string shown(std::string_view name) {
  /// Long enough for the names that exporters make, short enough for a terminal.
  constexpr std::size_t kLongest = 160;
  if (name.size() <= kLongest) return printable(name);
  return printable(name.substr(0, kLongest)) + fmt::format("… ({} bytes)", name.size());
}

std::string to_string(const Place& place) {
  std::string text;
  if (!place.kind.empty()) text = text_of_one(place);
  for (const Place* outer = place.outer; outer != nullptr; outer = outer->outer) {
    if (outer->kind.empty()) continue;
    text = text.empty() ? text_of_one(*outer) : text_of_one(*outer) + ", " + text;
  }
  return text;
}

void fail(const Place& place, std::string_view message) {
  std::string text;
  if (place.input != nullptr && !place.input->file.empty()) {
    text = fmt::format("'{}': ", place.input->file);
  }
  const std::string where = to_string(place);
  if (!where.empty()) text += where + ": ";
  throw Error(ErrorKind::BadInput, text.append(message));
}

Fields::Fields(const Place& place, std::string_view message, ByteSpan bytes)
    : place_(place),
      message_(message),
      reader_(reinterpret_cast<const char*>(bytes.data()), bytes.size()) {}

bool Fields::next() {
  if (is_pending_) skip();
  begin_ = reader_.data().data();
  try {
    number_ = 0;
    is_pending_ = reader_.next();
    if (is_pending_) number_ = reader_.tag();
  } catch (const protozero::exception& error) {
    fail_here(error.what());
  }
  return is_pending_;
}

std::int64_t Fields::integer() {
  expect(pbf_wire_type::varint);
  try {
    return reader_.get_int64();
  } catch (const protozero::exception& error) {
    fail_here(error.what());
  }
}

float Fields::real() {
  expect(pbf_wire_type::fixed32);
  try {
    return reader_.get_float();
  } catch (const protozero::exception& error) {
    fail_here(error.what());
  }
}

std::string_view Fields::text() {
  expect(pbf_wire_type::length_delimited);
  return delimited();
}

ByteSpan Fields::bytes() {
  return bytes_of(text());
}

ByteSpan Fields::whole() {
  skip();
  return bytes_of({begin_, static_cast<std::size_t>(reader_.data().data() - begin_)});
}

void Fields::append_to(std::vector<std::int64_t>& integers) {
  if (reader_.wire_type() != pbf_wire_type::length_delimited) {
    integers.push_back(integer());
    return;
  }
  const std::string_view packed = text();
  // The last byte of each integer has its top bit clear.
  const auto count = std::count_if(packed.begin(), packed.end(), [](char byte) {
    return (static_cast<unsigned>(byte) & 0x80U) == 0;
  });
  // Only the first piece: exact reserves for each of many pieces would copy all of them each time.
  if (integers.empty()) integers.reserve(static_cast<std::size_t>(count));
  const char* at = packed.data();
  const char* const end = at + packed.size();
  try {
    while (at != end) {
      integers.push_back(static_cast<std::int64_t>(protozero::decode_varint(&at, end)));
    }
  } catch (const protozero::exception& error) {
    fail_here(error.what());
  }
}

void Fields::append_to(std::vector<float>& reals) {
  append_fixed(reals, pbf_wire_type::fixed32);
}

void Fields::append_to(std::vector<double>& reals) {
  append_fixed(reals, pbf_wire_type::fixed64);
}

template <class T>
void Fields::append_fixed(std::vector<T>& values, pbf_wire_type single) {
  std::string_view packed;
  if (reader_.wire_type() == pbf_wire_type::length_delimited) {
    packed = text();
    if (packed.size() % sizeof(T) != 0) fail_here("the packed list ends in the middle of a number");
  } else {
    expect(single);
    if (reader_.length() < sizeof(T)) fail_here("the file ends in the middle of a number");
    packed = std::string_view(reader_.data().data(), sizeof(T));
    reader_.skip();
  }
  if (packed.empty()) return;
  const std::size_t before = values.size();
  values.resize(before + packed.size() / sizeof(T));
  std::memcpy(values.data() + before, packed.data(), packed.size());
}

void Fields::expect(pbf_wire_type type) {
  if (reader_.wire_type() != type) {
    fail_here(
        fmt::format("{} is wanted, {} was found", name_of(type), name_of(reader_.wire_type())));
  }
  is_pending_ = false;
}

std::string_view Fields::delimited() {
  // Not pbf_reader::get_view: it cuts a length to 32 bits, which would hide a damaged one and
  // refuse a tensor of more than 4 GiB.
  const char* at = reader_.data().data();
  const char* const end = at + reader_.length();
  std::uint64_t length = 0;
  try {
    length = protozero::decode_varint(&at, end);
  } catch (const protozero::exception& error) {
    fail_here(error.what());
  }
  const auto left = static_cast<std::uint64_t>(end - at);
  if (length > left) {
    fail_here(fmt::format("{} bytes are announced, {} are left; the file is cut off or damaged",
                          length, left));
  }
  const std::string_view found(at, static_cast<std::size_t>(length));
  reader_ = protozero::pbf_reader(at + length, static_cast<std::size_t>(end - at) - found.size());
  return found;
}

void Fields::skip() {
  is_pending_ = false;
  if (reader_.wire_type() == pbf_wire_type::length_delimited) {
    delimited();
    return;
  }
  try {
    reader_.skip();
  } catch (const protozero::exception& error) {
    fail_here(error.what());
  }
}

void Fields::fail_here(std::string_view what) const {
  std::string text = fmt::format("not valid in {}", message_);
  if (number() != 0) text += fmt::format(", field {}", number());
  if (place_.input != nullptr && place_.input->begin != nullptr) {
    const auto* at = reinterpret_cast<const std::byte*>(reader_.data().data());
    text += fmt::format(", byte {}", at - place_.input->begin);
  }
  fail(place_, fmt::format("{}: {}", text, what));
}

}  // namespace headroom::wire
