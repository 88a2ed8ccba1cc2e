// SPDX-License-Identifier: Apache-2.0
// Rules that many operators share.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "model/infer/inference.h"

namespace headroom::infer {

/// Output 0 has the type of input 0, with the rule's element type where it names one.
void same_as_first(NodeInference& node);
/// All inputs are broadcast together.
void broadcast_all(NodeInference& node);
/// The rule's element type, else the first known one of the inputs `first` up to `end`.
ElementType first_element(const NodeInference& node, std::size_t first, std::size_t end);

/// Axes of an operator that once took them as attribute and later as input.
struct Axes {
  bool is_given = false;
  std::optional<std::vector<std::int64_t>> values{};  ///< Absent when only a run tells.
  Integer count{};
};
/// `input` holds them from the rule's `axes_input_since` on.
Axes read_axes(NodeInference& node, std::size_t input);
/// Which of `rank` dimensions the axes name. Errors: BadInput for one out of range.
std::vector<bool> selected(const NodeInference& node, const std::vector<std::int64_t>& axes,
                           std::size_t rank);

}  // namespace headroom::infer
