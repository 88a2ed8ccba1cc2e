// SPDX-License-Identifier: Apache-2.0
// Reads the NAME=VALUE arguments of the verbs.
#include <headroom/app/arguments.h>
#include <headroom/base/error.h>
#include <headroom/base/text.h>

#include <algorithm>

#include <fmt/format.h>

namespace headroom::app {
namespace {

std::int64_t parse_size(const std::string& text, const std::string& option) {
  const std::int64_t size = parse_integer(text, option);
  if (size < 1) {
    throw Error(ErrorKind::Usage,
                fmt::format("{}: a number of at least 1 is needed, found {}", option, size));
  }
  return size;
}

[[noreturn]] void throw_twice(std::string_view option, const std::string& name) {
  throw Error(ErrorKind::Usage,
              fmt::format("{}: '{}' is given twice; name it once", option, printable(name)));
}

using Sizes = std::vector<std::int64_t>;

Sizes parse_sizes(const std::string& value, const std::string& option) {
  Sizes sizes;
  if (value == "scalar") return sizes;
  for (const std::string& part : split(value, 'x')) sizes.push_back(parse_size(part, option));
  return sizes;
}

/// More runs than this in one call are a slip.
constexpr std::size_t kMostNumbers = 100;

/// Linux has no more of them in all. Source: proc(5), threads-max, FUTEX_TID_MASK.
constexpr std::int64_t kMostThreads = 0x3fffffff;

[[noreturn]] void throw_too_many(const std::string& option) {
  throw Error(ErrorKind::Usage, fmt::format("{}: more than {} values; give fewer, or a wider step",
                                            option, kMostNumbers));
}

// `A..B`, `A..B*F` or `A..B+S`, where `dots` is the place of the two dots.
void append_range(const std::string& text, std::size_t dots, const std::string& option,
                  Sizes& numbers) {
  const std::size_t mark = text.find_first_of("*+", dots);
  const std::int64_t first = parse_size(text.substr(0, dots), option);
  const std::int64_t last = parse_size(text.substr(dots + 2, mark - dots - 2), option);
  const bool is_factor = mark != std::string::npos && text[mark] == '*';
  const std::int64_t step =
      mark == std::string::npos ? 1 : parse_size(text.substr(mark + 1), option);
  if (last < first || (is_factor && step < 2)) {
    throw Error(ErrorKind::Usage, fmt::format("{}: '{}' is no range; 1..8, 1..64*2 and 1..9+2 are",
                                              option, printable(text)));
  }
  for (std::int64_t number = first; number <= last;) {
    numbers.push_back(number);
    if (numbers.size() > kMostNumbers) throw_too_many(option);
    if (is_factor ? number > last / step : number > last - step) break;
    number = is_factor ? number * step : number + step;
  }
}

std::map<std::string, std::vector<Sizes>> shapes_by_input(std::span<const std::string> texts) {
  std::map<std::string, std::vector<Sizes>> shapes;
  for (const std::string& text : texts) {
    const auto [name, value] = split_pair(text, "--shape");
    const Sizes sizes = parse_sizes(value, fmt::format("--shape {}", printable(text)));
    std::vector<Sizes>& known = shapes[name];
    if (std::find(known.begin(), known.end(), sizes) != known.end()) throw_twice("--shape", text);
    known.push_back(sizes);
  }
  return shapes;
}

std::map<std::string, Sizes> sizes_by_dim(std::span<const std::string> texts) {
  std::map<std::string, Sizes> sizes;
  for (const std::string& text : texts) {
    const auto [name, value] = split_pair(text, "--dim");
    const Sizes numbers = parse_numbers(value, fmt::format("--dim {}", printable(text)));
    Sizes& known = sizes[name];
    for (const std::int64_t number : numbers) {
      if (std::find(known.begin(), known.end(), number) != known.end())
        throw_twice("--dim", fmt::format("{}={}", name, number));
      known.push_back(number);
    }
  }
  return sizes;
}

// How many shapes each input has, one being common to all.
std::size_t count_shapes(const std::map<std::string, std::vector<Sizes>>& shapes) {
  std::size_t count = 1;
  std::string first;
  for (const auto& [name, sizes] : shapes) {
    if (sizes.size() == 1) continue;
    if (count > 1 && sizes.size() != count) {
      throw Error(ErrorKind::Usage,
                  fmt::format("--shape: '{}' has {} shapes and '{}' {}; they go together in order, "
                              "so give each as many, or one for all",
                              printable(first), count, printable(name), sizes.size()));
    }
    count = sizes.size();
    first = name;
  }
  return count;
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
  const std::vector<ShapeOptions> axes = parse_shape_axes(shapes, dims);
  if (axes.size() == 1) return axes.front();
  throw Error(ErrorKind::Usage,
              fmt::format("--shape and --dim give {} combinations here, and one is needed; `run` "
                          "takes several",
                          axes.size()));
}

std::vector<std::string> parse_names(const std::string& text, const std::string& option) {
  std::vector<std::string> names = split(text, ',');
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (name->empty()) {
      throw Error(ErrorKind::Usage,
                  fmt::format("{}: '{}' holds an empty name", option, printable(text)));
    }
    if (std::find(names.begin(), name, *name) != name) throw_twice(option, *name);
  }
  return names;
}

std::vector<std::int64_t> parse_numbers(const std::string& text, const std::string& option) {
  Sizes numbers;
  for (const std::string& part : split(text, ',')) {
    const std::size_t dots = part.find("..");
    if (dots == std::string::npos) {
      numbers.push_back(parse_size(part, option));
    } else {
      append_range(part, dots, option, numbers);
    }
    if (numbers.size() > kMostNumbers) throw_too_many(option);
  }
  for (auto number = numbers.begin(); number != numbers.end(); ++number) {
    if (std::find(numbers.begin(), number, *number) != number)
      throw_twice(option, std::to_string(*number));
  }
  return numbers;
}

std::vector<int> parse_threads(const std::string& text) {
  std::vector<int> threads;
  for (const std::int64_t number : parse_numbers(text, "--threads")) {
    if (number > kMostThreads) {
      throw Error(ErrorKind::Usage, fmt::format("--threads: at most {} are possible, found {}",
                                                kMostThreads, number));
    }
    threads.push_back(static_cast<int>(number));
  }
  return threads;
}

std::vector<ShapeOptions> parse_shape_axes(std::span<const std::string> shapes,
                                           std::span<const std::string> dims) {
  const auto by_input = shapes_by_input(shapes);
  std::vector<ShapeOptions> all(count_shapes(by_input));
  for (const auto& [name, sizes] : by_input) {
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i].shapes.emplace(name, sizes.size() == 1 ? sizes.front() : sizes[i]);
  }
  for (const auto& [name, sizes] : sizes_by_dim(dims)) {
    std::vector<ShapeOptions> combined;
    for (const ShapeOptions& options : all) {
      for (const std::int64_t size : sizes) {
        combined.push_back(options);
        combined.back().dims.emplace(name, size);
      }
    }
    all = std::move(combined);
  }
  return all;
}

void parse_fills(std::span<const std::string> texts, InputOptions& options) {
  for (const std::string& text : texts) {
    if (text.find('=') == std::string::npos) {
      if (options.fill) throw_twice("--fill", text);
      options.fill = fill_from(text);
      continue;
    }
    const auto [name, kind] = split_pair(text, "--fill");
    if (!options.fills.emplace(name, fill_from(kind)).second) throw_twice("--fill", name);
  }
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
