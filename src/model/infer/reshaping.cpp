// SPDX-License-Identifier: Apache-2.0
// Operators that change the shape and keep the elements, or repeat them: Reshape, Flatten, Squeeze,
// Unsqueeze, Transpose, Expand, Tile.
#include <headroom/base/text.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/infer/broadcast.h"
#include "model/infer/evaluate.h"
#include "model/infer/generic.h"
#include "model/infer/rules.h"

namespace headroom::infer {
namespace {

// A target of Reshape: its entries, and whether 0 means «as the input».
struct Target {
  std::vector<Dim> entries{};
  bool copies_at_zero = true;
};

std::optional<Target> read_target(NodeInference& node) {
  Target target;
  target.copies_at_zero = node.node().integer("allowzero", 0) == 0;
  if (node.opset() < 5 && node.has("shape")) {
    for (const std::int64_t entry : node.node().integers("shape"))
      target.entries.push_back(fixed(entry));
    return target;
  }
  const KnownElements* known = node.known_integers(1);
  if (!known) return std::nullopt;
  for (std::size_t i = 0; i < known->elements.size(); ++i)
    target.entries.push_back(element_at(*known, i));
  return target;
}

Dim copied_size(const NodeInference& node, std::size_t index, const Shape& input) {
  if (index >= input.size()) {
    node.fail(
        fmt::format("entry {} of the target is 0 and the input has rank {}", index, input.size()));
  }
  return input[index];
}

// Result of one entry other than -1; `input` is nullptr where its rank is not known. An entry that
// is not certainly a size could also be 0 or -1 when the model runs, so its symbol says nothing
// about the result.
Dim entry_size(const NodeInference& node, const Target& target, std::size_t index,
               const Shape* input) {
  const Dim& entry = target.entries[index];
  if (entry.size == 0 && target.copies_at_zero)
    return input ? copied_size(node, index, *input) : node.unknown(0, index);
  if (entry.size) {
    if (*entry.size < -1)
      node.fail(fmt::format("entry {} of the target is {}", index, *entry.size));
    return entry;
  }
  return is_size(entry) ? entry : node.derived(0, index, entry);
}

// Removes from `dims` what also occurs in `others`, pair by pair: open dimensions of one symbol.
void cancel_open(std::vector<Dim>& dims, std::vector<Dim>& others) {
  std::erase_if(dims, [&](const Dim& dim) {
    if (dim.size) return false;
    const auto match = std::find_if(others.begin(), others.end(),
                                    [&](const Dim& other) { return same(dim, other); });
    if (match == others.end()) return false;
    others.erase(match);
    return true;
  });
}

// What -1 stands for: the elements of the input over those of the other entries.
Dim inferred_size(const NodeInference& node, std::size_t index, const Shape& input,
                  const Shape& others) {
  std::vector<Dim> above = input;
  std::vector<Dim> below = others;
  // With a size of 0 among the cancelled ones nothing would follow, but then -1 is not allowed.
  cancel_open(above, below);
  const Integer numerator = known_product(above);
  const Integer denominator = known_product(below);
  if (!numerator || !denominator) node.fail("the element count does not fit 63 bits");
  const Dim* open = first_open(below);
  if (open) return node.derived(0, index, *open);
  open = first_open(above);
  if (!open) {
    if (*denominator == 0 || *numerator % *denominator != 0) {
      node.fail(fmt::format("{} elements cannot be divided by the other entries' {}", *numerator,
                            *denominator));
    }
    return fixed(*numerator / *denominator);
  }
  const auto open_count =
      std::count_if(above.begin(), above.end(), [](const Dim& dim) { return !dim.size; });
  return open_count == 1 && *numerator == *denominator && *numerator != 0
             ? *open
             : node.derived(0, index, *open);
}

void check_count(const NodeInference& node, const Shape& input, const Shape& result) {
  std::vector<Dim> before = input;
  std::vector<Dim> after = result;
  cancel_open(before, after);
  const Integer from = product(std::span<const Dim>(before));
  const Integer to = product(std::span<const Dim>(after));
  if (from && to && *from != *to)
    node.fail(fmt::format("the input cannot have the shape {}", printable(to_string(result))));
}

void reshape_to(NodeInference& node, const Target& target) {
  const Shape* input = node.shape(0);
  Shape result;
  std::optional<std::size_t> inferred;
  for (std::size_t i = 0; i < target.entries.size(); ++i) {
    if (target.entries[i].size == -1) {
      if (inferred) node.fail("the target holds -1 more than once");
      inferred = i;
      continue;
    }
    result.push_back(entry_size(node, target, i, input));
  }
  if (inferred) {
    const Dim size =
        input ? inferred_size(node, *inferred, *input, result) : node.unknown(0, *inferred);
    result.insert(result.begin() + static_cast<std::ptrdiff_t>(*inferred), size);
  } else if (input) {
    check_count(node, *input, result);
  }
  node.set(0, node.element(0), std::move(result));
}

void reshape(NodeInference& node) {
  if (node.opset() >= 5 && !node.has_input(1)) node.fail("the target shape is missing");
  if (const auto target = read_target(node)) return reshape_to(node, *target);
  const Integer rank = node.length(1);
  if (!rank || *rank > static_cast<std::int64_t>(kMaxKnownElements))
    return node.set_element(0, node.element(0));
  Shape result = node.unknown_shape(0, static_cast<std::size_t>(*rank));
  // One dimension holds all elements.
  if (result.size() == 1 && node.shape(0)) {
    if (const Integer count = product(std::span<const Dim>(*node.shape(0))))
      result[0] = fixed(*count);
  }
  node.set(0, node.element(0), std::move(result));
}

// The product of `dims` as dimension `dimension` of the output; a single open one stays itself.
Dim flattened(const NodeInference& node, std::size_t dimension, std::span<const Dim> dims) {
  const Dim* open = first_open(dims);
  const Integer known = known_product(dims);
  if (!open || known == 0) return node.sized(known);
  const bool is_single =
      std::count_if(dims.begin(), dims.end(), [](const Dim& dim) { return !dim.size; }) == 1;
  return is_single && known == 1 ? *open : node.derived(0, dimension, *open);
}

// [d0, …] → [product before axis, product from axis on]; the axis may be the rank itself.
void flatten(NodeInference& node) {
  const Shape* input = node.shape(0);
  if (!input) return node.set(0, node.element(0), node.unknown_shape(0, 2));
  const auto rank = static_cast<std::int64_t>(input->size());
  std::int64_t axis = node.node().integer("axis", 1);
  if (axis < -rank || axis > rank)
    node.fail(fmt::format("axis {} is outside [{}, {}]", axis, -rank, rank));
  if (axis < 0) axis += rank;
  const std::span<const Dim> dims = *input;
  const auto split = static_cast<std::size_t>(axis);
  node.set(0, node.element(0),
           {flattened(node, 0, dims.first(split)), flattened(node, 1, dims.subspan(split))});
}

// All dimensions of size 1 vanish where no axes are given.
void squeeze_all(NodeInference& node, const Shape& input) {
  if (first_open(input)) return node.set_element(0, node.element(0));
  Shape result;
  for (const Dim& dim : input)
    if (dim.size != 1) result.push_back(dim);
  node.set(0, node.element(0), std::move(result));
}

void squeeze(NodeInference& node) {
  const Shape* input = node.shape(0);
  if (!input) return node.set_element(0, node.element(0));
  const Axes axes = read_axes(node, 1);
  if (!axes.is_given) return squeeze_all(node, *input);
  if (!axes.values) {
    if (axes.count == 1 && !input->empty())
      return node.set(0, node.element(0), node.unknown_shape(0, input->size() - 1));
    return node.set_element(0, node.element(0));
  }
  const std::vector<bool> is_squeezed = selected(node, *axes.values, input->size());
  Shape result;
  for (std::size_t i = 0; i < input->size(); ++i) {
    const Dim& dim = (*input)[i];
    if (!is_squeezed[i]) result.push_back(dim);
    if (is_squeezed[i] && dim.size && *dim.size != 1)
      node.fail(fmt::format("dimension {} has size {} and cannot be squeezed", i, *dim.size));
  }
  node.set(0, node.element(0), std::move(result));
}

void unsqueeze(NodeInference& node) {
  const Shape* input = node.shape(0);
  const Axes axes = read_axes(node, 1);
  if (!axes.is_given) node.fail("the axes are missing");
  if (!input || !axes.count || *axes.count > static_cast<std::int64_t>(kMaxKnownElements))
    return node.set_element(0, node.element(0));
  const std::size_t rank = input->size() + static_cast<std::size_t>(*axes.count);
  if (!axes.values) return node.set(0, node.element(0), node.unknown_shape(0, rank));
  const std::vector<bool> is_new = selected(node, *axes.values, rank);
  if (std::count(is_new.begin(), is_new.end(), true) != *axes.count)
    node.fail("the axes name one dimension twice");
  Shape result;
  auto next = input->begin();
  for (std::size_t i = 0; i < rank; ++i) result.push_back(is_new[i] ? fixed(1) : *next++);
  node.set(0, node.element(0), std::move(result));
}

void transpose(NodeInference& node) {
  const Shape* input = node.shape(0);
  if (!input) return node.set_element(0, node.element(0));
  const auto order = node.node().integers("perm");
  if (order.empty()) return node.set(0, node.element(0), Shape(input->rbegin(), input->rend()));
  if (order.size() != input->size()) {
    node.fail(
        fmt::format("attribute 'perm' has {} entries for rank {}", order.size(), input->size()));
  }
  std::vector<bool> is_used(input->size(), false);
  Shape result;
  for (const std::int64_t entry : order) {
    const std::size_t from = node.axis(entry, input->size());
    if (is_used[from]) node.fail(fmt::format("attribute 'perm' holds {} twice", entry));
    is_used[from] = true;
    result.push_back((*input)[from]);
  }
  node.set(0, node.element(0), std::move(result));
}

void expand(NodeInference& node) {
  const Shape* input = node.shape(0);
  const KnownElements* target = node.known_integers(1);
  if (input && target) {
    Shape shape;
    for (std::size_t i = 0; i < target->elements.size(); ++i) {
      const Dim entry = element_at(*target, i);
      if (entry.size && *entry.size < 0)
        node.fail(fmt::format("entry {} of the target is {}", i, *entry.size));
      shape.push_back(entry.size || is_size(entry) ? entry : node.derived(0, i, entry));
    }
    return node.set(0, node.element(0), broadcast(node, 0, *input, shape));
  }
  const Integer length = node.length(1);
  if (!input || !length || *length > static_cast<std::int64_t>(kMaxKnownElements))
    return node.set_element(0, node.element(0));
  const std::size_t rank = std::max(input->size(), static_cast<std::size_t>(*length));
  node.set(0, node.element(0), broadcast(node, 0, *input, node.unknown_shape(0, rank)));
}

// Tile-1 repeated along one axis.
void tile_axis(NodeInference& node, const Shape& input) {
  const Integer repeats = node.integer(1);
  const Integer axis = node.integer(2);
  if (!repeats || !axis) return node.set(0, node.element(0), node.unknown_shape(0, input.size()));
  Shape result = input;
  const std::size_t index = node.axis(*axis, input.size());
  result[index] = node.compute(
      0, index, [&](std::int64_t size) { return times(size, *repeats); }, input[index]);
  node.set(0, node.element(0), std::move(result));
}

void tile(NodeInference& node) {
  const Shape* input = node.shape(0);
  if (!input) return node.set_element(0, node.element(0));
  if (node.opset() < 6) return tile_axis(node, *input);
  const KnownElements* repeats = node.known_integers(1);
  if (!repeats) return node.set(0, node.element(0), node.unknown_shape(0, input->size()));
  if (repeats->elements.size() != input->size())
    node.fail(fmt::format("{} repeats for rank {}", repeats->elements.size(), input->size()));
  Shape result;
  for (std::size_t i = 0; i < input->size(); ++i) {
    const Dim count = element_at(*repeats, i);
    const Dim& dim = (*input)[i];
    if (count.size == 1) {
      result.push_back(dim);
    } else if (dim.size == 1 && is_size(count)) {
      result.push_back(count);
    } else {
      result.push_back(node.compute(
          0, i, [](std::int64_t size, std::int64_t n) { return times(size, n); }, dim, count));
    }
  }
  node.set(0, node.element(0), std::move(result));
}

constexpr std::array kRules = {
    Rule{"Expand", expand, 2, evaluate_expand},
    Rule{"Flatten", flatten, 1, evaluate_copy},
    Rule{"Reshape", reshape, 1, evaluate_copy},
    Rule{.op = "Squeeze",
         .infer = squeeze,
         .inputs = 1,
         .evaluate = evaluate_copy,
         .axes_input_since = 13},
    Rule{"Tile", tile, 2, evaluate_tile},
    Rule{"Transpose", transpose, 1, evaluate_transpose},
    Rule{.op = "Unsqueeze",
         .infer = unsqueeze,
         .inputs = 1,
         .evaluate = evaluate_copy,
         .axes_input_since = 13},
};

}  // namespace

std::span<const Rule> reshaping_rules() {
  return kRules;
}

}  // namespace headroom::infer
