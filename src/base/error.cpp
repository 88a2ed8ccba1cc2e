// SPDX-License-Identifier: Apache-2.0
// Names and exit statuses of the error kinds.
#include <headroom/base/error.h>

#include <array>

namespace headroom {
namespace {

struct KindFacts {
  ErrorKind kind;
  std::string_view name;
  int status;
};

constexpr std::array kKinds = {
    KindFacts{ErrorKind::Usage, "usage", 2},
    KindFacts{ErrorKind::NotFound, "not_found", 3},
    KindFacts{ErrorKind::BadInput, "bad_input", 3},
    KindFacts{ErrorKind::Unsupported, "unsupported", 4},
    KindFacts{ErrorKind::Engine, "engine", 5},
    KindFacts{ErrorKind::Limit, "limit", 6},
    KindFacts{ErrorKind::Interrupted, "interrupted", 130},
    KindFacts{ErrorKind::Internal, "internal", 70},
};

}  // namespace

int exit_status(ErrorKind kind) noexcept {
  for (const KindFacts& facts : kKinds)
    if (facts.kind == kind) return facts.status;
  return 70;
}

std::string_view to_string(ErrorKind kind) noexcept {
  for (const KindFacts& facts : kKinds)
    if (facts.kind == kind) return facts.name;
  return "internal";
}

ErrorKind error_kind_from(std::string_view name) noexcept {
  for (const KindFacts& facts : kKinds)
    if (facts.name == name) return facts.kind;
  return ErrorKind::Internal;
}

}  // namespace headroom
