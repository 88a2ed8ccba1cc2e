// SPDX-License-Identifier: Apache-2.0
// Sizes for open dimensions, by docs/method/inputs.md.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "data/facts.h"

namespace headroom {

struct ChosenShape {
  std::vector<std::int64_t> sizes{};
  std::vector<std::string>
      reasons{};  ///< One for each open dimension: `batch=1`, `height=224 (guessed: …)`.
  std::vector<DimRole> guessed{};  ///< Roles of the dimensions that a rule chose.
};

/// The role of an open dimension, from its name, what the graph does with it, and its position.
DimRole role_of(const InputFacts& input, std::size_t axis);

/// One shape for each input. `dims` are the user's sizes by symbol.
/// Errors: Usage when one symbol would get two sizes.
std::vector<ChosenShape> choose_shapes(std::span<const InputFacts> inputs,
                                       const std::map<std::string, std::int64_t>& dims,
                                       const Guesses& guesses);

}  // namespace headroom
