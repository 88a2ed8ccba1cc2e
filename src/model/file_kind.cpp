// SPDX-License-Identifier: Apache-2.0
#include "model/file_kind.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace headroom {
namespace {

bool starts_with_ignoring_case(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  return std::equal(lower.begin(), lower.end(), text.begin(), [](char wanted, char found) {
    return wanted == std::tolower(static_cast<unsigned char>(found));
  });
}

bool is_text_byte(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return value >= 0x20 ? value != 0x7F : value == '\n' || value == '\r' || value == '\t';
}

struct Kind {
  std::string_view start;  ///< In lower case.
  std::string_view hint;
};

using namespace std::string_view_literals;
constexpr std::array kKinds{
    Kind{"version https://git-lfs"sv,
         "it is a git-lfs pointer, not the file itself; fetch that with `git lfs pull`"sv},
    Kind{"<!doctype html"sv, "it is an HTML page: the download gave a web page, not the file"sv},
    Kind{"<html"sv, "it is an HTML page: the download gave a web page, not the file"sv},
    Kind{"pk\x03\x04"sv, "it is a zip archive (PyTorch's .pt is one too); unpack or export it"sv},
    Kind{"\x1f\x8b"sv, "it is compressed with gzip; unpack it"sv},
    Kind{"\x89hdf"sv, "it is an HDF5 file, as Keras writes; export it to ONNX"sv},
};

}  // namespace

std::string_view what_it_looks_like(wire::ByteSpan bytes) noexcept {
  constexpr std::size_t kLooked = 512;
  std::string_view text = wire::text_of(bytes.first(std::min(bytes.size(), kLooked)));
  if (text.empty()) return {};
  const bool is_text = std::all_of(text.begin(), text.end(), is_text_byte);
  const std::size_t start = text.find_first_not_of(" \r\n\t");
  if (start != std::string_view::npos) text.remove_prefix(start);
  for (const Kind& kind : kKinds) {
    if (starts_with_ignoring_case(text, kind.start)) return kind.hint;
  }
  if (bytes.size() >= 8 && wire::text_of(bytes.subspan(4, 4)) == "TFL3") {
    return "it is a TensorFlow Lite model; convert it to ONNX";
  }
  if (is_text) return "it looks like text; the binary form is wanted, as onnx.save writes it";
  return {};
}

}  // namespace headroom
