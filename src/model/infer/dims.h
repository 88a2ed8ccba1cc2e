// SPDX-License-Identifier: Apache-2.0
// What can be said about dimensions of which some are open: equality, products, and the text by
// which an open dimension names its cause.
#pragma once

#include <headroom/model/graph.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/infer/arithmetic.h"

namespace headroom::infer {

/// Stands between the root of an open dimension and the place that computed it.
inline constexpr std::string_view kArrow = " -> ";
/// What a data-dependent dimension's symbol starts with.
inline constexpr std::string_view kDependsOnData = "depends on data: ";

inline Dim fixed(std::int64_t size) {
  return Dim{.size = size};
}

/// Certainly equal: equal sizes, or one symbol.
bool same(const Dim& a, const Dim& b) noexcept;
/// Certainly different: two sizes that differ.
bool contradict(const Dim& a, const Dim& b) noexcept;
/// Whether an open element is certainly at least 0: it was copied from a shape, not computed.
bool is_size(const Dim& element) noexcept;
/// Whether a run decides about this dimension (or about what it was computed from).
bool depends_on_data(const Dim& dim) noexcept;

/// Whether the dimension is open under a name of its own, `batch` or `x.dim2`: neither computed nor
/// a matter of data.
bool is_plain_symbol(const Dim& dim) noexcept;

/// The first open one; nothing if all are known.
const Dim* first_open(std::span<const Dim> dims) noexcept;
/// Nothing when one is open or the product does not fit 63 bits.
Integer product(std::span<const Dim> dims);
/// Product of the known ones; nothing when it does not fit 63 bits.
Integer known_product(std::span<const Dim> dims);

/// The element `index` of known elements as a dimension: its value, or the symbol it stands for.
Dim element_at(const KnownElements& known, std::size_t index);
/// The inverse.
void append_element(KnownElements& known, Dim element);

}  // namespace headroom::infer
