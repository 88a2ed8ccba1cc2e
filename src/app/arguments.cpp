// SPDX-License-Identifier: Apache-2.0
// Reads the NAME=VALUE arguments of the verbs.
#include <headroom/app/arguments.h>
#include <headroom/base/error.h>
#include <headroom/base/text.h>

#include <fmt/format.h>

namespace headroom::app {
namespace {

std::int64_t parse_size(const std::string& text, const std::string& option) {
  const std::int64_t size = parse_integer(text, option);
  if (size < 1) {
    throw Error(ErrorKind::Usage,
                fmt::format("{}: a dimension must be at least 1, found {}", option, size));
  }
  return size;
}

[[noreturn]] void throw_twice(std::string_view option, const std::string& name) {
  throw Error(ErrorKind::Usage,
              fmt::format("{}: '{}' is given twice; name it once", option, printable(name)));
}

}  // namespace

std::pair<std::string, std::string> split_pair(const std::string& text, std::string_view option) {
  const std::size_t place = text.rfind('=');
  if (place == std::string::npos || place == 0 || place + 1 == text.size()) {
    throw Error(ErrorKind::Usage,
                fmt::format("{}: NAME=VALUE is needed, found '{}'", option, printable(text)));
  }
  return {text.substr(0, place), text.substr(place + 1)};
}

ShapeOptions parse_shape_options(std::span<const std::string> shapes,
                                 std::span<const std::string> dims) {
  ShapeOptions options;
  for (const std::string& text : shapes) {
    const auto [name, value] = split_pair(text, "--shape");
    std::vector<std::int64_t> sizes;
    if (value != "scalar") {
      for (const std::string& part : split(value, 'x'))
        sizes.push_back(parse_size(part, fmt::format("--shape {}", printable(text))));
    }
    if (!options.shapes.emplace(name, sizes).second) throw_twice("--shape", name);
  }
  for (const std::string& text : dims) {
    const auto [name, value] = split_pair(text, "--dim");
    const std::int64_t size = parse_size(value, fmt::format("--dim {}", printable(text)));
    if (!options.dims.emplace(name, size).second) throw_twice("--dim", name);
  }
  return options;
}

std::map<std::string, std::string> parse_pairs(std::span<const std::string> texts,
                                               std::string_view option) {
  std::map<std::string, std::string> pairs;
  for (const std::string& text : texts) {
    const auto [name, value] = split_pair(text, option);
    if (!pairs.emplace(name, value).second) throw_twice(option, name);
  }
  return pairs;
}

}  // namespace headroom::app
