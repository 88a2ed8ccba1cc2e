// SPDX-License-Identifier: Apache-2.0
// Other inputs for the same model: moved by a rounding error, or really different.
#pragma once

#include <headroom/engine.h>
#include <headroom/plan.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace headroom::measure {

enum class Change : std::uint8_t {
  Nudge,   ///< Floating-point elements by 2^-12 of themselves or one unit in the last place,
           ///< whichever is larger, up or down at random; nothing else.
  Others,  ///< Generated inputs from another seed; elements of stored ones exchanged at random,
           ///< floats among them nudged too.
  Low,     ///< Floats 0, generated integers and booleans the lowest of their range, stored ones all
           ///< as the first of them.
  High,  ///< As Others, with floats times 4 where that is finite and generated integers the highest
         ///< of their range.
};

/// The case's inputs after `change`; nothing if no bit of them changes (no inputs, single values).
/// Stays within the type, and for integers within the range or the set of values that the case
/// gives. Errors: those of make_input.
std::optional<std::vector<Tensor>> changed_inputs(const Case& plan_case,
                                                  std::span<const Tensor> inputs, Change change,
                                                  std::uint64_t seed);

}  // namespace headroom::measure
