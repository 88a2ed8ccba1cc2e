// SPDX-License-Identifier: Apache-2.0
// Operators that cut and join along axes: Slice, Split, Concat, Pad, CenterCropPad.
#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "model/infer/broadcast.h"
#include "model/infer/evaluate.h"
#include "model/infer/generic.h"
#include "model/infer/rules.h"

namespace headroom::infer {
namespace {

/// One axis of a Slice; what is absent is not known.
struct Range {
  std::size_t axis = 0;
  Dim start{};
  Dim end{};
  Integer step = 1;
};

// An operand of Slice: attribute until opset 9, then an input.
std::optional<std::vector<Dim>> slice_operand(NodeInference& node, std::string_view attribute,
                                              std::size_t input) {
  std::vector<Dim> result;
  if (node.opset() < 10) {
    for (const std::int64_t value : node.node().integers(attribute)) result.push_back(fixed(value));
    return result;
  }
  const KnownElements* known = node.known_integers(input);
  if (known) {
    for (std::size_t i = 0; i < known->elements.size(); ++i)
      result.push_back(element_at(*known, i));
    return result;
  }
  const Integer length = node.length(input);
  if (!length || *length > static_cast<std::int64_t>(kMaxKnownElements)) return std::nullopt;
  result.resize(static_cast<std::size_t>(*length));
  return result;
}

/// What a Slice is given.
struct SliceOperands {
  std::vector<Dim> starts{};
  std::vector<Dim> ends{};
  std::optional<std::vector<Dim>> axes{};   ///< Absent if omitted: the first ones.
  std::optional<std::vector<Dim>> steps{};  ///< Absent if omitted: 1 each.
};

void check_lengths(const NodeInference& node, const SliceOperands& operands) {
  const std::size_t count = operands.starts.size();
  for (const auto* optional : {&operands.axes, &operands.steps}) {
    if (*optional && (*optional)->size() != count)
      node.fail("starts, ends, axes and steps must have one length");
  }
}

// Nothing when the number of ranges is not known.
std::optional<SliceOperands> slice_operands(NodeInference& node) {
  auto starts = slice_operand(node, "starts", 1);
  auto ends = slice_operand(node, "ends", 2);
  if (!starts || !ends) return std::nullopt;
  if (starts->size() != ends->size())
    node.fail(fmt::format("{} starts and {} ends", starts->size(), ends->size()));
  SliceOperands operands{.starts = std::move(*starts), .ends = std::move(*ends)};
  const bool has_axes = node.opset() < 10 ? node.has("axes") : node.has_input(3);
  const bool has_steps = node.opset() >= 10 && node.has_input(4);
  if (has_axes) operands.axes = slice_operand(node, "axes", 3);
  if (has_steps) operands.steps = slice_operand(node, "", 4);
  const bool is_complete =
      operands.axes.has_value() == has_axes && operands.steps.has_value() == has_steps;
  if (!is_complete) return std::nullopt;
  check_lengths(node, operands);
  return operands;
}

// Nothing when the axes or the number of ranges are not known.
std::optional<std::vector<Range>> slice_ranges(NodeInference& node, std::size_t rank) {
  const auto operands = slice_operands(node);
  if (!operands) return std::nullopt;
  std::vector<Range> ranges;
  for (std::size_t i = 0; i < operands->starts.size(); ++i) {
    Range range{.start = operands->starts[i], .end = operands->ends[i]};
    const Integer axis =
        operands->axes ? (*operands->axes)[i].size : Integer{static_cast<std::int64_t>(i)};
    if (!axis) return std::nullopt;
    range.axis = node.axis(*axis, rank);
    if (operands->steps) range.step = (*operands->steps)[i].size;
    ranges.push_back(std::move(range));
  }
  return ranges;
}

// The position that a start or end means on a dimension of `size`: counted from the end where
// negative, then clamped. Source: ONNX operator specification, Slice-13.
std::int64_t position(std::int64_t value, std::int64_t size, std::int64_t low, std::int64_t high) {
  if (value < 0) value += size;
  return std::clamp(value, low, high);
}

struct Span {
  std::int64_t start = 0;
  std::int64_t count = 0;
};

Span slice_span(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t size) {
  if (size == 0) return {};
  if (step > 0) {
    const std::int64_t first = position(start, size, 0, size);
    const std::int64_t last = position(end, size, 0, size);
    return {first, std::max<std::int64_t>(0, ceil_divide(last - first, step))};
  }
  const std::int64_t first = position(start, size, 0, size - 1);
  const std::int64_t last = position(end, size, -1, size - 1);
  // -INT64_MIN does not fit; such a step takes at most one element.
  const std::int64_t width = step == INT64_MIN ? INT64_MAX : -step;
  return {first, std::max<std::int64_t>(0, ceil_divide(first - last, width))};
}

// With an open size: the whole dimension, and slices that do not depend on the size.
std::optional<Dim> slice_open(const Range& range, const Dim& dim) {
  if (!range.start.size || range.step != 1) return std::nullopt;
  const std::int64_t start = *range.start.size;
  // Exporters write the largest 32- or 64-bit number for «to the end».
  const bool to_end = (range.end.size && *range.end.size >= INT32_MAX) || same(range.end, dim);
  if (start == 0 && to_end) return dim;
  return std::nullopt;
}

Dim sliced(const NodeInference& node, const Range& range, const Dim& dim) {
  if (range.step == 0) node.fail(fmt::format("the step along axis {} is 0", range.axis));
  if (const auto whole = slice_open(range, dim)) return *whole;
  if (dim.size == 0) return dim;
  const std::size_t axis = range.axis;
  if (!range.step) return node.unknown(0, axis);
  // Backwards to «the end»: nothing by the specification, everything before the start in ONNX
  // Runtime.
  const bool is_ambiguous =
      *range.step < 0 && (range.end.size == INT32_MAX || range.end.size == INT64_MAX);
  if (is_ambiguous) return node.unknown(0, axis);
  for (const Dim* open : {&dim, &range.start, &range.end})
    if (!open->size) return node.derived(0, axis, *open);
  return fixed(slice_span(*range.start.size, *range.end.size, *range.step, *dim.size).count);
}

// The elements, where everything about the slice is known.
void evaluate_slice(NodeInference& node) {
  const Shape* input = node.shape(0);
  if (!input || first_open(*input) || !node.is_known(0)) return;
  const auto ranges = slice_ranges(node, input->size());
  if (!ranges) return;
  std::vector<std::int64_t> starts(input->size(), 0);
  std::vector<std::int64_t> steps(input->size(), 1);
  for (const Range& range : *ranges) {
    if (!range.start.size || !range.end.size || !range.step || *range.step == 0) return;
    starts[range.axis] =
        slice_span(*range.start.size, *range.end.size, *range.step, *(*input)[range.axis].size)
            .start;
    steps[range.axis] = *range.step;
  }
  const KnownElements* source = node.known(0);
  if (source)
    node.set_known(0, select(*source, box_indices(*input, *node.output(0).shape, starts, steps)));
}

void slice(NodeInference& node) {
  const Shape* input = node.shape(0);
  if (!input) return node.set_element(0, node.element(0));
  if (node.opset() >= 10 && (!node.has_input(1) || !node.has_input(2)))
    node.fail("starts and ends must be given");
  const auto ranges = slice_ranges(node, input->size());
  if (!ranges) return node.set(0, node.element(0), node.unknown_shape(0, input->size()));
  Shape result = *input;
  std::vector<bool> is_cut(input->size(), false);
  for (const Range& range : *ranges) {
    if (is_cut[range.axis]) node.fail(fmt::format("axis {} is named twice", range.axis));
    is_cut[range.axis] = true;
    result[range.axis] = sliced(node, range, (*input)[range.axis]);
  }
  node.set(0, node.element(0), std::move(result));
}

// Sizes of the parts as attribute (opsets 1 to 12) or input (1, 13 and later); nothing if not
// known.
struct Parts {
  bool is_given = false;
  std::optional<std::vector<Dim>> sizes{};
};

Parts split_parts(NodeInference& node) {
  Parts parts;
  if (node.opset() < 13 && node.has("split")) {
    parts.is_given = true;
    parts.sizes.emplace();
    for (const std::int64_t size : node.node().integers("split"))
      parts.sizes->push_back(fixed(size));
    return parts;
  }
  if (!node.has_input(1)) return parts;
  parts.is_given = true;
  const KnownElements* known = node.known_integers(1);
  if (!known) return parts;
  parts.sizes.emplace();
  for (std::size_t i = 0; i < known->elements.size(); ++i)
    parts.sizes->push_back(element_at(*known, i));
  return parts;
}

// Without sizes: equal parts. From opset 18 on the last may be smaller.
std::vector<Dim> equal_parts(const NodeInference& node, const Dim& dim, std::size_t axis) {
  const auto count = static_cast<std::int64_t>(node.output_count());
  std::vector<Dim> result;
  for (std::int64_t i = 0; i < count; ++i) {
    if (!dim.size) {
      result.push_back(count == 1 ? dim : node.derived(static_cast<std::size_t>(i), axis, dim));
      continue;
    }
    if (node.opset() < 18 && *dim.size % count != 0)
      node.fail(fmt::format("size {} cannot be split into {} equal parts", *dim.size, count));
    const std::int64_t part = ceil_divide(*dim.size, count);
    result.push_back(fixed(std::clamp<std::int64_t>(*dim.size - i * part, 0, part)));
  }
  return result;
}

void check_parts(const NodeInference& node, const std::vector<Dim>& parts, const Dim& whole) {
  if (parts.size() < node.output_count())
    node.fail(fmt::format("{} parts for {} outputs", parts.size(), node.output_count()));
  Integer sum = 0;
  for (const Dim& part : parts) {
    if (part.size && *part.size < 0) node.fail(fmt::format("a part has size {}", *part.size));
    sum = plus(sum, part.size);
  }
  if (!first_open(parts) && whole.size && sum != whole.size)
    node.fail(fmt::format("the parts do not sum up to the dimension's size {}", *whole.size));
}

void split(NodeInference& node) {
  const Shape* input = node.shape(0);
  if (!input) {
    for (std::size_t i = 0; i < node.output_count(); ++i) node.set_element(i, node.element(0));
    return;
  }
  const std::size_t axis = node.axis(node.node().integer("axis", 0), input->size());
  const Parts parts = split_parts(node);
  std::vector<Dim> sizes;
  if (parts.sizes) {
    sizes = *parts.sizes;
    check_parts(node, sizes, (*input)[axis]);
  } else if (!parts.is_given) {
    sizes = equal_parts(node, (*input)[axis], axis);
  }
  const Shape whole = *input;
  const ElementType element = node.element(0);
  for (std::size_t i = 0; i < node.output_count(); ++i) {
    Shape shape = whole;
    if (i >= sizes.size()) {
      shape[axis] = node.unknown(i, axis);
    } else {
      shape[axis] = sizes[i].size || is_size(sizes[i]) ? sizes[i] : node.derived(i, axis, sizes[i]);
    }
    node.set(i, element, std::move(shape));
  }
}

// The parts of a known vector. Only rank 1: that is what shapes are.
void evaluate_split(NodeInference& node) {
  const Shape* input = node.shape(0);
  const KnownElements* source = node.is_known(0) ? node.known(0) : nullptr;
  if (!input || input->size() != 1 || !source) return;
  const KnownElements whole = *source;
  std::size_t start = 0;
  for (std::size_t i = 0; i < node.output_count(); ++i) {
    const ValueType& part = node.output(i);
    if (!part.shape || !part.shape->front().size) return;
    std::vector<std::size_t> indices(static_cast<std::size_t>(*part.shape->front().size));
    for (std::size_t& index : indices) index = start++;
    if (start > std::max(whole.elements.size(), whole.reals.size())) return;
    node.set_known(i, select(whole, indices));
  }
}

Dim joined(const NodeInference& node, std::size_t axis, const std::vector<const Shape*>& inputs) {
  Integer sum = 0;
  const Dim* open = nullptr;
  std::size_t open_count = 0;
  for (const Shape* shape : inputs) {
    const Dim& dim = (*shape)[axis];
    if (dim.size) {
      sum = plus(sum, dim.size);
    } else if (open_count++ == 0) {
      open = &dim;
    }
  }
  if (open_count == 0) return node.sized(sum);
  return open_count == 1 && sum == 0 ? *open : node.derived(0, axis, *open);
}

void concat(NodeInference& node) {
  const ElementType element = first_element(node, 0, node.input_count());
  const Attribute* given = node.node().find("axis");
  // Concat-1 had the default 1; later the axis must be given.
  const std::int64_t raw_axis =
      given || node.opset() >= 4 ? node.required_integer("axis") : std::int64_t{1};
  std::vector<const Shape*> inputs;
  bool is_complete = true;
  for (std::size_t i = 0; i < node.input_count(); ++i) {
    if (node.shape(i)) {
      inputs.push_back(node.shape(i));
    } else {
      is_complete = false;
    }
  }
  if (inputs.empty()) return node.set_element(0, element);
  const std::size_t rank = inputs.front()->size();
  const std::size_t axis = node.axis(raw_axis, rank);
  Shape result = *inputs.front();
  for (const Shape* shape : inputs) {
    if (shape->size() != rank) node.fail("the inputs must have one rank");
    agree_beside(node, axis, result, *shape);
  }
  result[axis] = is_complete ? joined(node, axis, inputs) : node.unknown(0, axis);
  node.set(0, element, std::move(result));
}

// [begin of each axis, end of each axis]; nothing when only a run tells.
std::optional<std::vector<Dim>> pad_sizes(NodeInference& node) {
  if (node.opset() < 11) {
    const auto sizes = node.node().integers(node.opset() < 2 ? "paddings" : "pads");
    std::vector<Dim> pads;
    pads.reserve(sizes.size());
    for (const std::int64_t size : sizes) pads.push_back(fixed(size));
    return pads;
  }
  const KnownElements* known = node.known_integers(1);
  if (!known) return std::nullopt;
  std::vector<Dim> pads;
  pads.reserve(known->elements.size());
  for (std::size_t i = 0; i < known->elements.size(); ++i) pads.push_back(element_at(*known, i));
  return pads;
}

// All axes or those listed; nothing when only a run tells.
std::optional<std::vector<std::size_t>> padded_axes(NodeInference& node, std::size_t rank) {
  if (node.opset() < 18 || !node.has_input(3)) {
    std::vector<std::size_t> axes(rank);
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    return axes;
  }
  const auto listed = node.integers(3);
  if (!listed) return std::nullopt;
  std::vector<std::size_t> axes;
  axes.reserve(listed->size());
  for (const std::int64_t axis : *listed) axes.push_back(node.axis(axis, rank));
  return axes;
}

void pad(NodeInference& node) {
  const Shape* input = node.shape(0);
  const ElementType element = node.element(0);
  if (!input) return node.set_element(0, element);
  const auto pads = pad_sizes(node);
  const auto axes = pads ? padded_axes(node, input->size()) : std::nullopt;
  if (!axes) return node.set(0, element, node.unknown_shape(0, input->size()));
  if (pads->size() != 2 * axes->size())
    node.fail(fmt::format("{} pads for {} axes", pads->size(), axes->size()));
  Shape result = *input;
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const std::size_t axis = (*axes)[i];
    const Dim& begin = (*pads)[i];
    const Dim& end = (*pads)[i + axes->size()];
    if (begin.size == 0 && end.size == 0) continue;
    result[axis] = node.compute(
        0, axis,
        [](std::int64_t size, std::int64_t a, std::int64_t b) {
          return plus(plus(size, a), Integer{b});
        },
        Dim(result[axis]), begin, end);
  }
  node.set(0, element, std::move(result));
}

constexpr std::array kRules = {
    Rule{"Concat", concat, 1, evaluate_concat},
    Rule{"Pad", pad, 1},
    Rule{"Slice", slice, 1, evaluate_slice},
    Rule{"Split", split, 1, evaluate_split},
};

}  // namespace

std::span<const Rule> slicing_rules() {
  return kRules;
}

}  // namespace headroom::infer
