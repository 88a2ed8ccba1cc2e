// SPDX-License-Identifier: Apache-2.0
// The words of `--fill`.
#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/plan.h>

#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace headroom {
namespace {

constexpr std::string_view kSparse = "sparse:";
constexpr std::array kWords = {std::pair{FillKind::Normal, std::string_view("random")},
                               std::pair{FillKind::Zeros, std::string_view("zeros")},
                               std::pair{FillKind::Ones, std::string_view("ones")},
                               std::pair{FillKind::Denormal, std::string_view("denormal")}};

}  // namespace

std::string to_string(const Fill& fill) {
  for (const auto& [kind, word] : kWords) {
    if (kind == fill.kind) return std::string(word);
  }
  return fmt::format("{}{}", kSparse, fill.zeros);
}

Fill fill_from(std::string_view text) {
  for (const auto& [kind, word] : kWords) {
    if (word == text) return {.kind = kind};
  }
  if (text.starts_with(kSparse)) {
    const std::string_view number = text.substr(kSparse.size());
    double zeros = 0;
    const auto [end, error] = std::from_chars(number.begin(), number.end(), zeros);
    if (error == std::errc{} && end == number.end() && zeros > 0 && zeros < 1)
      return {.kind = FillKind::Sparse, .zeros = zeros};
  }
  throw Error(ErrorKind::Usage,
              fmt::format("--fill: random, zeros, ones, denormal or sparse:S with a share of zeros "
                          "0 < S < 1 is needed, such as sparse:0.5; found '{}'",
                          printable(text)));
}

}  // namespace headroom
