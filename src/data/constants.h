// SPDX-License-Identifier: Apache-2.0
// Small constants of a graph, and the sizes of its tables.
#pragma once

#include <headroom/model/model.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "data/graph_walk.h"

namespace headroom {

class Constants {
 public:
  Constants(const Model& model, const GraphWalk& walk) : model_(model), walk_(walk) {}

  /// The elements of a constant of at most 65,536 integers, bools or floats of 32 or 64 bits that
  /// lies in the file; nothing for what is computed from inputs. Elements that Expand repeats are
  /// listed once. Errors: as read_tensor.
  std::optional<std::vector<double>> elements(const Place& place) const;
  /// Whether the value lies in the file, elements read or not.
  bool is_constant(const Place& place) const;
  /// The one value that all elements have.
  std::optional<double> single(const Place& place) const;
  /// The sizes of a tensor; nothing where one is open.
  std::optional<std::vector<std::int64_t>> sizes(const Place& place) const;
  std::optional<std::size_t> rank(const Place& place) const;
  /// The size along `axis`, below the rank, even where others are open.
  std::optional<std::int64_t> size(const Place& place, std::size_t axis) const;

 private:
  std::optional<Shape> shape(const Place& place) const;

  const Model& model_;
  const GraphWalk& walk_;
};

}  // namespace headroom
