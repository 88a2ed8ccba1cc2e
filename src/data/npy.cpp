// SPDX-License-Identifier: Apache-2.0
// Reading NumPy's array files: a magic, a header that is a Python dictionary, then the elements.
#include "data/npy.h"

#include <headroom/base/error.h>
#include <headroom/base/file.h>
#include <headroom/base/text.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace headroom {
namespace {

/// How elements lie in the file.
struct Layout {
  ElementType type = ElementType::Undefined;
  std::size_t item_size = 0;  ///< Bytes of one element.
  std::size_t swap_unit = 1;  ///< Bytes that one byte order concerns.
  bool is_swapped = false;
  bool is_unicode = false;  ///< Strings of four-byte code points; else of bytes.
};

struct Header {
  Layout layout{};
  std::vector<std::int64_t> shape{};
  std::size_t data_offset = 0;
};

std::string named(const std::filesystem::path& path) {
  return "'" + printable(path.string()) + "'";
}

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view problem) {
  throw Error(ErrorKind::BadInput,
              fmt::format("{} is not a readable .npy file: {}", named(path), problem));
}

/// Walks over the header's text, a Python literal.
class Literal {
 public:
  Literal(std::string_view text, const std::filesystem::path& path) : text_(text), path_(path) {}

  bool accept(char wanted) {
    skip_spaces();
    if (!text_.starts_with(wanted)) return false;
    text_.remove_prefix(1);
    return true;
  }

  void expect(char wanted) {
    if (!accept(wanted)) fail(path_, fmt::format("its header lacks a '{}'", wanted));
  }

  std::string string() {
    skip_spaces();
    const char quote = text_.empty() ? ' ' : text_.front();
    const std::size_t end =
        quote == '\'' || quote == '"' ? text_.find(quote, 1) : std::string::npos;
    if (end == std::string::npos) fail(path_, "its header lacks a string");
    std::string result(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return result;
  }

  bool boolean() {
    skip_spaces();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(word.size());
      return value;
    }
    fail(path_, "its header has a fortran_order that is neither True nor False");
  }

  std::int64_t size() {
    skip_spaces();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc{} || value < 0)
      fail(path_, "its header has a shape that is not of sizes");
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    accept('L');  // Python 2 wrote long integers so.
    return value;
  }

  std::vector<std::int64_t> shape() {
    std::vector<std::int64_t> sizes;
    expect('(');
    while (!accept(')')) {
      sizes.push_back(size());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return sizes;
  }

  bool is_list_next() {
    skip_spaces();
    return text_.starts_with('[');
  }

 private:
  void skip_spaces() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n'))
      text_.remove_prefix(1);
  }

  std::string_view text_;
  const std::filesystem::path& path_;
};

std::optional<ElementType> number_type(char kind, std::size_t size) {
  using enum ElementType;
  struct Row {
    std::size_t size;
    char kind;
    ElementType type;
  };
  constexpr Row kRows[] = {{1, 'b', Bool},      {1, 'i', Int8},       {2, 'i', Int16},
                           {4, 'i', Int32},     {8, 'i', Int64},      {1, 'u', Uint8},
                           {2, 'u', Uint16},    {4, 'u', Uint32},     {8, 'u', Uint64},
                           {2, 'f', Float16},   {4, 'f', Float32},    {8, 'f', Float64},
                           {8, 'c', Complex64}, {16, 'c', Complex128}};
  for (const Row& row : kRows) {
    if (row.kind == kind && row.size == size) return row.type;
  }
  return std::nullopt;
}

[[noreturn]] void refuse_type(const std::filesystem::path& path, std::string_view descr) {
  throw Error(
      ErrorKind::Unsupported,
      fmt::format("{} holds elements of NumPy type '{}', which is not read; convert it with "
                  "astype to a bool, integer, float, complex or string type, or give the tensor "
                  "as an ONNX TensorProto (.pb)",
                  named(path), printable(descr)));
}

/// A NumPy type, `<f4`.
struct TypeText {
  char order = '|';      ///< Of the bytes: `<` little-endian, `>` big-endian.
  char kind = 'V';       ///< NumPy's letter for the kind of element.
  std::size_t size = 0;  ///< Bytes of one element; code points for kind `U`.
};

TypeText parse_type(const std::filesystem::path& path, const std::string& descr) {
  if (descr.size() < 3) refuse_type(path, descr);
  TypeText text{.order = descr[0], .kind = descr[1]};
  const char* const last = descr.data() + descr.size();
  const auto [end, error] = std::from_chars(descr.data() + 2, last, text.size);
  const bool is_order = std::string_view("<>|=").find(text.order) != std::string_view::npos;
  if (!is_order || error != std::errc{} || end != last) refuse_type(path, descr);
  return text;
}

std::optional<Layout> string_layout(const TypeText& text) {
  if (text.size > 1U << 24U) return std::nullopt;
  const bool is_unicode = text.kind == 'U';
  const std::size_t unit = is_unicode ? 4 : 1;
  return Layout{.type = ElementType::String,
                .item_size = text.size * unit,
                .swap_unit = unit,
                .is_unicode = is_unicode};
}

std::optional<Layout> number_layout(const TypeText& text) {
  const std::optional<ElementType> type = number_type(text.kind, text.size);
  if (!type) return std::nullopt;
  return Layout{.type = *type,
                .item_size = text.size,
                .swap_unit = text.kind == 'c' ? text.size / 2 : text.size};
}

Layout layout_of(const std::filesystem::path& path, const std::string& descr) {
  const TypeText text = parse_type(path, descr);
  const bool is_string = text.kind == 'U' || text.kind == 'S';
  std::optional<Layout> layout = is_string ? string_layout(text) : number_layout(text);
  if (!layout) refuse_type(path, descr);
  const char foreign_order = std::endian::native == std::endian::little ? '>' : '<';
  layout->is_swapped = text.order == foreign_order;
  return *layout;
}

std::uint32_t little_endian(std::span<const std::byte> bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes.size(); i > 0; --i)
    value = value << 8U | std::to_integer<std::uint32_t>(bytes[i - 1]);
  return value;
}

// The text of the header and where the data begins.
std::pair<std::string_view, std::size_t> header_text(const std::filesystem::path& path,
                                                     std::span<const std::byte> bytes) {
  constexpr std::string_view kMagic = "\x93NUMPY";
  if (bytes.size() < 10 || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
    fail(path, "it does not begin with NumPy's magic");
  }
  const auto version = std::to_integer<int>(bytes[6]);
  if (version < 1 || version > 3) {
    throw Error(ErrorKind::Unsupported,
                fmt::format("{} has version {} of the .npy format; versions 1 to 3 are read",
                            named(path), version));
  }
  const std::size_t width = version == 1 ? 2 : 4;
  const std::size_t start = 8 + width;
  if (bytes.size() < start) fail(path, "it ends inside its header");
  const std::size_t length = little_endian(bytes.subspan(8, width));
  if (length > bytes.size() - start) fail(path, "it ends inside its header");
  return {{reinterpret_cast<const char*>(bytes.data()) + start, length}, start + length};
}

Header read_header(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  const auto [text, data_offset] = header_text(path, bytes);
  Header header{.data_offset = data_offset};
  Literal literal(text, path);
  bool is_fortran = false;
  bool has_type = false;
  bool has_shape = false;
  literal.expect('{');
  while (!literal.accept('}')) {
    const std::string key = literal.string();
    literal.expect(':');
    if (key == "descr") {
      if (literal.is_list_next()) refuse_type(path, "of several fields");
      header.layout = layout_of(path, literal.string());
      has_type = true;
    } else if (key == "fortran_order") {
      is_fortran = literal.boolean();
    } else if (key == "shape") {
      header.shape = literal.shape();
      has_shape = true;
    } else {
      fail(path, "its header has an unknown key '" + printable(key) + "'");
    }
    literal.accept(',');
  }
  if (!has_type || !has_shape) fail(path, "its header lacks descr or shape");
  if (is_fortran && header.shape.size() > 1) {
    throw Error(ErrorKind::Unsupported,
                fmt::format("{} is in Fortran order; save it again with numpy.ascontiguousarray",
                            named(path)));
  }
  return header;
}

void append_utf8(std::string& text, std::uint32_t point) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (point < 0x80) {
    put(point);
  } else if (point < 0x800) {
    put(0xC0 | point >> 6U);
    put(0x80 | (point & 0x3FU));
  } else if (point < 0x10000) {
    put(0xE0 | point >> 12U);
    put(0x80 | (point >> 6U & 0x3FU));
    put(0x80 | (point & 0x3FU));
  } else {
    put(0xF0 | point >> 18U);
    put(0x80 | (point >> 12U & 0x3FU));
    put(0x80 | (point >> 6U & 0x3FU));
    put(0x80 | (point & 0x3FU));
  }
}

// Strings are padded with zeros to the size of the longest.
std::string string_at(const Layout& layout, std::span<const std::byte> bytes,
                      const std::filesystem::path& path) {
  std::string text;
  if (!layout.is_unicode) {
    text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    text.resize(text.find_last_not_of('\0') + 1);
    return text;
  }
  std::size_t points = bytes.size() / 4;
  std::vector<std::uint32_t> codes(points);
  for (std::size_t i = 0; i < points; ++i) {
    std::memcpy(&codes[i], bytes.data() + 4 * i, 4);
    if (layout.is_swapped) codes[i] = __builtin_bswap32(codes[i]);
  }
  while (points > 0 && codes[points - 1] == 0) --points;
  for (std::size_t i = 0; i < points; ++i) {
    const bool is_surrogate = codes[i] >= 0xD800 && codes[i] < 0xE000;
    if (codes[i] > 0x10FFFF || is_surrogate) fail(path, "it holds a string that is not Unicode");
    append_utf8(text, codes[i]);
  }
  return text;
}

void copy_numbers(const Layout& layout, std::span<const std::byte> bytes,
                  std::span<std::byte> target) {
  if (bytes.empty()) return;
  std::memcpy(target.data(), bytes.data(), bytes.size());
  if (!layout.is_swapped) return;
  for (std::size_t i = 0; i < target.size(); i += layout.swap_unit) {
    std::reverse(target.begin() + static_cast<std::ptrdiff_t>(i),
                 target.begin() + static_cast<std::ptrdiff_t>(i + layout.swap_unit));
  }
}

// The bytes of the elements, exactly as many as the header promises.
std::span<const std::byte> elements_of(const std::filesystem::path& path, const Header& header,
                                       std::span<const std::byte> bytes, std::uint64_t count) {
  const std::span<const std::byte> found = bytes.subspan(header.data_offset);
  const std::size_t item = header.layout.item_size;
  const bool fits =
      item == 0 ? found.empty() : found.size() % item == 0 && found.size() / item == count;
  if (fits) return found;
  fail(path,
       fmt::format("its shape {} of {} bytes an element does not match the {} bytes that follow "
                   "the header",
                   shape_text(header.shape), item, found.size()));
}

}  // namespace

FileTensor describe_npy(const std::filesystem::path& path) {
  const MappedFile file(path);
  const Header header = read_header(path, file.bytes());
  return {.type = header.layout.type, .shape = header.shape};
}

Tensor read_npy(const std::filesystem::path& path) {
  const MappedFile file(path);
  const Header header = read_header(path, file.bytes());
  const std::uint64_t count = element_count(header.shape);
  const std::span<const std::byte> bytes = elements_of(path, header, file.bytes(), count);
  Tensor tensor = make_tensor(path.stem().string(), header.layout.type, header.shape);
  if (tensor.type != ElementType::String) {
    copy_numbers(header.layout, bytes, tensor.data.bytes());
    return tensor;
  }
  const std::size_t item = header.layout.item_size;
  for (std::size_t i = 0; i < tensor.strings.size(); ++i) {
    tensor.strings[i] = string_at(header.layout, bytes.subspan(i * item, item), path);
  }
  return tensor;
}

}  // namespace headroom
