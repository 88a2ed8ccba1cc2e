// SPDX-License-Identifier: Apache-2.0
// Values for a generated input, by docs/method/inputs.md.
#pragma once

#include <headroom/plan.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/facts.h"

namespace headroom {

struct ChosenValues {
  FillKind fill = FillKind::Normal;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::string reason{};
  bool is_guessed = false;             ///< A single element whose value is free.
  std::vector<std::int64_t> others{};  ///< Other customary values of it, most likely first.
};

/// `shape` is the input's; `sequence` the size of the longest sequence among all inputs, at
/// least 1.
ChosenValues choose_values(const InputFacts& input, std::span<const std::int64_t> shape,
                           std::int64_t sequence, const Guesses& guesses);

}  // namespace headroom
