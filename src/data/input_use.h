// SPDX-License-Identifier: Apache-2.0
// What a graph does with one of its inputs, as far as the inputs' sizes and values depend on it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/constants.h"
#include "data/graph_walk.h"

namespace headroom {

/// A table that an input indexes, perhaps after a constant is added to it.
struct TableUse {
  std::int64_t first = 0;  ///< The lowest valid input that is not negative.
  std::int64_t last = 0;   ///< The highest.
  std::string what{};      ///< `30522 rows of 'embeddings.weight'`.
};

/// A size of an input that a weight fixes.
struct SizeUse {
  std::int64_t size = 0;
  std::string what{};  ///< `input channels of Conv '/stem'`.
};

struct InputUse {
  // Of the values, which pass unchanged through casts, reshapes and the like.
  std::optional<TableUse> table{};     ///< The smallest.
  bool indexes_unknown_table = false;  ///< One whose size depends on other inputs.
  std::vector<double> compared{};      ///< Constants that Equal compares with, each once.
  bool chooses_branch = false;         ///< Is the condition of an If.
  bool is_mask = false;                ///< 1 keeps, 0 hides.
  bool is_size = false;                ///< Shape, count, axis or the like of an operator.
  bool is_length = false;              ///< Lengths of sequences of a recurrent operator.
  bool is_recurrent_state = false;     ///< Initial state of a recurrent operator.
  // Of the axes.
  std::map<std::size_t, SizeUse> sizes{};  ///< By axis.
  std::vector<std::size_t> window_axes{};  ///< Spatial axes of a convolution, outermost first.
};

/// Follows the input through the graph and into its bodies. Cost: linear in what it reaches.
InputUse find_use(const Graph& graph, ValueId input, const GraphWalk& walk,
                  const Constants& constants);

}  // namespace headroom
