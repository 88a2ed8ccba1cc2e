// SPDX-License-Identifier: Apache-2.0
// Reads sizes for formulas and notes what is open.
#include "cost/view.h"

#include <headroom/base/text.h>

#include <fmt/format.h>

namespace headroom::cost {
namespace {

bool is_open(const Dim& dim) {
  return !dim.size || *dim.size < 0;
}

std::string open_text(std::size_t axis, const Dim& dim) {
  if (dim.size) return fmt::format("dimension {} has the size {}", axis, *dim.size);
  return dim.symbol.empty() ? fmt::format("dimension {} is open", axis)
                            : fmt::format("dimension {} is open: {}", axis, dim.symbol);
}

std::string_view kind_text(TypeKind kind) {
  switch (kind) {
    case TypeKind::SparseTensor:
      return "a sparse tensor";
    case TypeKind::Sequence:
      return "a sequence";
    case TypeKind::Optional:
      return "an optional";
    case TypeKind::Map:
      return "a map";
    default:
      return "of a type that is not known";
  }
}

}  // namespace

std::string why_unsized(const ValueType& type, std::string& open_dimension) {
  if (type.kind != TypeKind::Tensor)
    return fmt::format("it is {}, which has no size in its type", kind_text(type.kind));
  if (!type.shape) return "its rank is not known";
  for (std::size_t axis = 0; axis < type.shape->size(); ++axis) {
    const Dim& dim = (*type.shape)[axis];
    if (!is_open(dim)) continue;
    open_dimension = dim.symbol;
    return open_text(axis, dim);
  }
  if (type.element == ElementType::String) return "it holds strings, whose sizes only a run knows";
  return bits_of(type.element) ? std::string{} : "its element type is not known";
}

std::optional<Amount> sized_bytes(const ValueType& type) {
  const std::optional<unsigned> bits = bits_of(type.element);
  if (type.kind != TypeKind::Tensor || !type.shape || !bits) return std::nullopt;
  Amount elements = 1;
  for (const Dim& dim : *type.shape) {
    if (is_open(dim)) return std::nullopt;
    elements *= static_cast<std::uint64_t>(*dim.size);
  }
  // Eight elements at a time, so that only the bytes have to fit, not the bits.
  return elements / 8 * *bits + ((elements - elements / 8 * 8) * *bits + 7) / 8;
}

std::string Operand::describe() const {
  const std::string place = fmt::format("{} {}", is_input_ ? "input" : "output", index_);
  return exists() && !value_->name.empty() ? fmt::format("{} '{}'", place, value_->name) : place;
}

const Shape* Operand::shape() const {
  if (!exists()) {
    view_->note(fmt::format("{} is missing", describe()));
  } else if (value_->type.kind != TypeKind::Tensor) {
    view_->note(fmt::format("{}: it is {}", describe(), kind_text(value_->type.kind)));
  } else if (!value_->type.shape) {
    view_->note(fmt::format("{}: its rank is not known", describe()));
  } else {
    return &*value_->type.shape;
  }
  return nullptr;
}

std::size_t Operand::rank() const {
  const Shape* dims = shape();
  return dims == nullptr ? 0 : dims->size();
}

std::int64_t Operand::normalized(std::int64_t axis) const {
  return axis < 0 ? axis + static_cast<std::int64_t>(rank()) : axis;
}

Amount Operand::size_of(const Dim& dim, std::size_t axis) const {
  if (!is_open(dim)) return static_cast<std::uint64_t>(*dim.size);
  if (!view_->has_reason())
    view_->note(fmt::format("{}: {}", describe(), open_text(axis, dim)), dim.symbol);
  return 1;
}

Amount Operand::dim(std::int64_t axis) const {
  const Shape* dims = shape();
  if (dims == nullptr) return 1;
  const std::int64_t place = normalized(axis);
  if (place < 0 || place >= static_cast<std::int64_t>(dims->size())) {
    view_->note(
        fmt::format("{} has rank {}, too small for axis {}", describe(), dims->size(), axis));
    return 1;
  }
  const auto index = static_cast<std::size_t>(place);
  return size_of((*dims)[index], index);
}

Amount Operand::elements() const {
  const Shape* dims = shape();
  Amount product = 1;
  if (dims == nullptr) return product;
  for (std::size_t axis = 0; axis < dims->size(); ++axis) product *= size_of((*dims)[axis], axis);
  return product;
}

Amount Operand::product(std::int64_t first, std::int64_t last) const {
  Amount result = 1;
  const std::int64_t end = normalized(last);
  for (std::int64_t axis = normalized(first); axis <= end; ++axis) result *= dim(axis);
  return result;
}

Amount Operand::bytes() const {
  if (!exists()) return 0;
  if (const std::optional<Amount> bytes = sized_bytes(value_->type)) return *bytes;
  std::string open_dimension;
  const std::string why = why_unsized(value_->type, open_dimension);
  view_->note(fmt::format("{}: {}", describe(), why), open_dimension);
  return 0;
}

Amount Operand::bytes_of_map_entry() const {
  if (is_sequence() && value_->type.inner.size() == 1) {
    const ValueType& map = value_->type.inner.front();
    const bool is_map = map.kind == TypeKind::Map && map.inner.size() == 1;
    const auto key = is_map ? bits_of(map.element) : std::nullopt;
    const auto mapped = is_map ? bits_of(map.inner.front().element) : std::nullopt;
    if (key && mapped) return (Amount(*key) + *mapped) / 8;
  }
  view_->note(fmt::format("{}: the entries of its maps have no fixed size", describe()));
  return 0;
}

ElementType Operand::element() const {
  return exists() ? value_->type.element : ElementType::Undefined;
}

Operand NodeView::operand(bool is_input, std::size_t index, std::span<const ValueId> ids) {
  if (index >= ids.size() || ids[index] == kNoValue)
    return {*this, is_input, index, nullptr, false};
  const ValueId id = ids[index];
  return {*this, is_input, index, &scope_->graph.values[id], scope_->is_constant[id] != 0};
}

Operand NodeView::input(std::size_t index) {
  return operand(true, index, node_->inputs);
}
Operand NodeView::output(std::size_t index) {
  return operand(false, index, node_->outputs);
}

std::size_t NodeView::present_inputs() const {
  return static_cast<std::size_t>(std::count_if(node_->inputs.begin(), node_->inputs.end(),
                                                [](ValueId id) { return id != kNoValue; }));
}

std::int64_t NodeView::entry(std::string_view attribute, std::size_t index,
                             std::int64_t otherwise) const {
  const std::span<const std::int64_t> values = node_->integers(attribute);
  return index < values.size() ? values[index] : otherwise;
}

std::optional<std::int64_t> NodeView::known_scalar(std::size_t input) const {
  if (input >= node_->inputs.size() || node_->inputs[input] == kNoValue) return std::nullopt;
  return cost::known_scalar(*scope_, node_->inputs[input]);
}

void NodeView::note(const std::string& reason, const std::string& open_dimension) {
  if (!reason_.empty()) return;
  reason_ = reason;
  open_dimension_ = open_dimension;
}

}  // namespace headroom::cost
