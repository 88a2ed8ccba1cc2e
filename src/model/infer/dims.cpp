// SPDX-License-Identifier: Apache-2.0
// Equality, products and names of dimensions.
#include "model/infer/dims.h"

#include <utility>

namespace headroom {

std::string_view root_of(const Dim& dim) noexcept {
  const std::string_view symbol = dim.symbol;
  return symbol.substr(0, symbol.find(infer::kArrow));
}

namespace infer {

bool same(const Dim& a, const Dim& b) noexcept {
  if (a.size || b.size) return a.size == b.size;
  return !a.symbol.empty() && a.symbol == b.symbol;
}

bool contradict(const Dim& a, const Dim& b) noexcept {
  return a.size && b.size && *a.size != *b.size;
}

bool is_size(const Dim& element) noexcept {
  if (element.size) return *element.size >= 0;
  return !element.symbol.empty() && element.symbol.find(", element ") == std::string::npos;
}

bool depends_on_data(const Dim& dim) noexcept {
  return dim.symbol.starts_with(kDependsOnData);
}

bool is_plain_symbol(const Dim& dim) noexcept {
  return !dim.size && !dim.symbol.empty() && !depends_on_data(dim) && root_of(dim) == dim.symbol;
}

const Dim* first_open(std::span<const Dim> dims) noexcept {
  for (const Dim& dim : dims)
    if (!dim.size) return &dim;
  return nullptr;
}

Integer product(std::span<const Dim> dims) {
  return first_open(dims) ? std::nullopt : known_product(dims);
}

Integer known_product(std::span<const Dim> dims) {
  Integer result = 1;
  bool has_zero = false;
  for (const Dim& dim : dims) {
    if (!dim.size) continue;
    has_zero = has_zero || *dim.size == 0;
    result = times(result, dim.size);
  }
  return has_zero ? Integer{0} : result;
}

Dim element_at(const KnownElements& known, std::size_t index) {
  Dim element{.size = known.elements[index]};
  if (!element.size && index < known.symbols.size()) element.symbol = known.symbols[index];
  return element;
}

void append_element(KnownElements& known, Dim element) {
  if (!element.size && known.symbols.empty()) known.symbols.resize(known.elements.size());
  known.elements.push_back(element.size);
  if (!known.symbols.empty() || !element.size) known.symbols.push_back(std::move(element.symbol));
}

}  // namespace infer
}  // namespace headroom
