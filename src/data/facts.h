// SPDX-License-Identifier: Apache-2.0
// What is known about an input before anything is chosen, and the guesses that fill the rest.
#pragma once

#include <headroom/model/graph.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/input_use.h"

namespace headroom {

/// What an open dimension counts, which decides its customary size.
enum class DimRole : std::uint8_t {
  Batch,
  Channels,
  Depth,
  Height,
  Width,
  Samples,   ///< Of a waveform.
  Sequence,  ///< Tokens or frames.
  Past,      ///< Tokens in a cache.
  Total,     ///< Past and present tokens together.
  Other,
};

struct InputFacts {
  std::string name{};
  ElementType type = ElementType::Undefined;
  Shape shape{};  ///< Sizes of 0 and -1 are open.
  InputUse use{};
  std::optional<std::vector<std::int64_t>> given{};  ///< The user's shape or that of a file.
  std::string file{};                                ///< Absolute; empty when generated.
};

/// Sizes by role and values of single elements by input, to be tried instead of the defaults.
struct Guesses {
  std::map<DimRole, std::int64_t> sizes{};
  std::map<std::string, std::int64_t> values{};
};

}  // namespace headroom
