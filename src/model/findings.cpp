// SPDX-License-Identifier: Apache-2.0
#include "model/findings.h"

#include <utility>

#include <fmt/format.h>

namespace headroom {
namespace {

/// Diagnostics of one code that are kept one by one.
constexpr std::size_t kMostOfOneCode = 100;

}  // namespace

void Findings::add(Severity severity, std::string_view code, const wire::Place& place,
                   std::string message) {
  std::size_t& count = counts_.try_emplace(std::string(code), 0).first->second;
  if (++count > kMostOfOneCode) return;
  std::string where = wire::to_string(place);
  if (where.empty()) where = "model";
  diagnostics_.push_back({severity, std::string(code), std::move(where), std::move(message)});
}

std::vector<Diagnostic> Findings::take() {
  for (const auto& [code, count] : counts_) {
    if (count <= kMostOfOneCode) continue;
    diagnostics_.push_back(
        {Severity::Note, code, "model",
         fmt::format("{} more of this kind are left out", count - kMostOfOneCode)});
  }
  counts_.clear();
  return std::exchange(diagnostics_, {});
}

}  // namespace headroom
