// SPDX-License-Identifier: Apache-2.0
// Operators on images and feature maps: resizing, sampling grids, regions, rearranged blocks.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "model/infer/generic.h"
#include "model/infer/rules.h"

namespace headroom::infer {
namespace {

// floor(size·scale). Engines multiply in float32 or in float64; where the two disagree nothing is
// claimed.
Dim scaled(const NodeInference& node, std::size_t dimension, const Dim& dim, double scale) {
  if (scale == 1) return dim;
  if (!dim.size) return node.derived(0, dimension, dim);
  const double wide = std::floor(static_cast<double>(*dim.size) * scale);
  const double narrow =
      static_cast<double>(std::floor(static_cast<float>(*dim.size) * static_cast<float>(scale)));
  if (wide != narrow || !(wide >= 0 && wide < 0x1p53)) return node.unknown(0, dimension);
  return fixed(static_cast<std::int64_t>(wide));
}

/// What a Resize or Upsample is given, for the dimensions `axes`.
struct Resizing {
  std::vector<std::size_t> axes{};
  std::optional<std::vector<double>> scales{};
  std::optional<std::vector<Dim>> sizes{};
};

void apply_scales(const NodeInference& node, const Resizing& resizing, Shape& shape) {
  if (resizing.scales->size() != resizing.axes.size()) {
    node.fail(
        fmt::format("{} scales for {} dimensions", resizing.scales->size(), resizing.axes.size()));
  }
  for (std::size_t i = 0; i < resizing.axes.size(); ++i) {
    const std::size_t axis = resizing.axes[i];
    shape[axis] = scaled(node, axis, shape[axis], (*resizing.scales)[i]);
  }
}

// With a policy that keeps the aspect ratio, one scale serves all axes and sizes are rounded,
// halves up. Source: ONNX operator specification, Resize-18, keep_aspect_ratio_policy.
void keep_aspect(const NodeInference& node, const Resizing& resizing, bool is_not_larger,
                 Shape& shape) {
  double scale = is_not_larger ? HUGE_VAL : 0;
  // With negative axes, ONNX Runtime 1.32 leaves the input's size: no claim.
  const auto axes = node.node().integers("axes");
  bool is_known =
      std::none_of(axes.begin(), axes.end(), [](std::int64_t axis) { return axis < 0; });
  for (std::size_t i = 0; i < resizing.axes.size(); ++i) {
    const Dim& from = shape[resizing.axes[i]];
    const Dim& to = (*resizing.sizes)[i];
    is_known = is_known && from.size && to.size && *from.size > 0;
    if (!is_known) break;
    const double ratio = static_cast<double>(*to.size) / static_cast<double>(*from.size);
    scale = is_not_larger ? std::fmin(scale, ratio) : std::fmax(scale, ratio);
  }
  for (const std::size_t axis : resizing.axes) {
    if (!is_known) {
      shape[axis] = node.unknown(0, axis);
      continue;
    }
    const double size = static_cast<double>(*shape[axis].size);
    const double wide = std::floor(size * scale + 0.5);
    const auto narrow = static_cast<double>(
        std::floor(static_cast<float>(size) * static_cast<float>(scale) + 0.5F));
    shape[axis] = wide == narrow && wide < 0x1p53 ? fixed(static_cast<std::int64_t>(wide))
                                                  : node.unknown(0, axis);
  }
}

void apply_sizes(const NodeInference& node, const Resizing& resizing, Shape& shape) {
  if (resizing.sizes->size() != resizing.axes.size()) {
    node.fail(
        fmt::format("{} sizes for {} dimensions", resizing.sizes->size(), resizing.axes.size()));
  }
  const std::string_view policy = node.node().text("keep_aspect_ratio_policy", "stretch");
  if (policy != "stretch") return keep_aspect(node, resizing, policy == "not_larger", shape);
  for (std::size_t i = 0; i < resizing.axes.size(); ++i) {
    const std::size_t axis = resizing.axes[i];
    const Dim& size = (*resizing.sizes)[i];
    shape[axis] = size.size || is_size(size) ? size : node.derived(0, axis, size);
  }
}

void read_sizes(NodeInference& node, std::size_t input, Resizing& resizing) {
  const KnownElements* known = node.known_integers(input);
  if (!known || known->elements.empty()) return;
  resizing.sizes.emplace();
  for (std::size_t i = 0; i < known->elements.size(); ++i)
    resizing.sizes->push_back(element_at(*known, i));
}

// A given but partly known list of scales: what is NaN leaves its dimension open.
void read_scales(NodeInference& node, std::size_t input, Resizing& resizing) {
  const KnownElements* known = node.is_known(input) ? node.known(input) : nullptr;
  if (known && !known->reals.empty()) resizing.scales = known->reals;
}

void finish(NodeInference& node, const Resizing& resizing) {
  Shape shape = *node.shape(0);
  if (resizing.sizes) {
    apply_sizes(node, resizing, shape);
  } else if (resizing.scales) {
    apply_scales(node, resizing, shape);
  } else {
    for (const std::size_t axis : resizing.axes) shape[axis] = node.unknown(0, axis);
  }
  node.set(0, node.element(0), std::move(shape));
}

std::vector<std::size_t> all_axes(std::size_t rank) {
  std::vector<std::size_t> axes(rank);
  for (std::size_t i = 0; i < rank; ++i) axes[i] = i;
  return axes;
}

// Whether input `input` is given and not an empty tensor, which stands for an omitted one.
bool is_used(const NodeInference& node, std::size_t input) {
  return node.has_input(input) && node.length(input) != 0;
}

void resize(NodeInference& node) {
  const Shape* x = node.shape(0);
  if (!x) return node.set_element(0, node.element(0));
  Resizing resizing{.axes = all_axes(x->size())};
  if (node.opset() >= 18 && node.has("axes")) {
    resizing.axes.clear();
    for (const std::int64_t axis : node.node().integers("axes"))
      resizing.axes.push_back(node.axis(axis, x->size()));
  }
  if (node.opset() < 11) {
    read_scales(node, 1, resizing);
  } else if (is_used(node, 3)) {
    read_sizes(node, 3, resizing);
  } else if (node.node().text("coordinate_transformation_mode", "") != "tf_crop_and_resize") {
    // With a crop, the specification multiplies by the region's size and engines do not: no claim.
    read_scales(node, 2, resizing);
  }
  finish(node, resizing);
}

// Scales: two attributes for [N, C, H, W], then one attribute, then an input.
void upsample(NodeInference& node) {
  const Shape* x = node.shape(0);
  if (!x) return node.set_element(0, node.element(0));
  Resizing resizing{.axes = all_axes(x->size())};
  if (node.opset() >= 9) {
    read_scales(node, 1, resizing);
  } else if (const Attribute* scales = node.node().find("scales")) {
    if (const auto* values = std::get_if<std::vector<float>>(&scales->value))
      resizing.scales.emplace(values->begin(), values->end());
  } else {
    resizing.scales =
        std::vector<double>{1, 1, static_cast<double>(node.node().real("height_scale", 1)),
                            static_cast<double>(node.node().real("width_scale", 1))};
  }
  finish(node, resizing);
}

void roi_align(NodeInference& node) {
  const Shape* x = node.shape(0);
  const Shape* regions = node.shape(1);
  node.require_rank(0, 4);
  node.require_rank(1, 2);
  node.set(0, node.element(0),
           {regions ? regions->front() : node.unknown(0, 0), x ? (*x)[1] : node.unknown(0, 1),
            fixed(node.node().integer("output_height", 1)),
            fixed(node.node().integer("output_width", 1))});
}

// [N, C, …] sampled at a grid [N, out…, rank] gives [N, C, out…].
void grid_sample(NodeInference& node) {
  const Shape* x = node.shape(0);
  const Shape* grid = node.shape(1);
  if (!x || !grid) return node.set_element(0, node.element(0));
  if (x->size() < 3 || x->size() != grid->size())
    node.fail("input and grid must have one rank of at least 3");
  Shape shape = {node.agreed(x->front(), grid->front(), "the batch of input and grid"), (*x)[1]};
  shape.insert(shape.end(), grid->begin() + 1, grid->end() - 1);
  node.set(0, node.element(0), std::move(shape));
}

std::int64_t block_size(const NodeInference& node) {
  const std::int64_t block = node.required_integer("blocksize");
  if (block < 1 || block > INT32_MAX) node.fail(fmt::format("attribute 'blocksize' is {}", block));
  return block;
}

void depth_to_space(NodeInference& node) {
  const std::int64_t block = block_size(node);
  node.require_rank(0, 4);
  const Shape* x = node.shape(0);
  if (!x) return node.set_element(0, node.element(0));
  const auto grown = [&](std::int64_t size) { return times(size, block); };
  const auto shrunk = [&](std::int64_t channels) -> Integer {
    if (channels % (block * block) != 0)
      node.fail(fmt::format("{} channels do not hold blocks of {}x{}", channels, block, block));
    return channels / (block * block);
  };
  node.set(0, node.element(0),
           {(*x)[0], node.compute(0, 1, shrunk, (*x)[1]), node.compute(0, 2, grown, (*x)[2]),
            node.compute(0, 3, grown, (*x)[3])});
}

void space_to_depth(NodeInference& node) {
  const std::int64_t block = block_size(node);
  node.require_rank(0, 4);
  const Shape* x = node.shape(0);
  if (!x) return node.set_element(0, node.element(0));
  const auto shrunk = [&](std::int64_t size) -> Integer {
    if (size % block != 0) node.fail(fmt::format("size {} is no multiple of {}", size, block));
    return size / block;
  };
  const auto grown = [&](std::int64_t channels) { return times(channels, block * block); };
  node.set(0, node.element(0),
           {(*x)[0], node.compute(0, 1, grown, (*x)[1]), node.compute(0, 2, shrunk, (*x)[2]),
            node.compute(0, 3, shrunk, (*x)[3])});
}

// The size is [N, C, H, W] or [N, C, D, H, W]; the grid holds one coordinate for each spatial
// dimension.
void affine_grid(NodeInference& node) {
  const Shape* theta = node.shape(0);
  const Integer rank = node.length(1);
  if (!rank || *rank < 4 || *rank > 5) return node.set_element(0, node.element(0));
  const KnownElements* size = node.known_integers(1);
  Shape shape = {theta && !theta->empty() ? theta->front() : node.unknown(0, 0)};
  for (std::size_t i = 2; i < static_cast<std::size_t>(*rank); ++i) {
    const Dim entry = size ? element_at(*size, i) : Dim{};
    shape.push_back(entry.size || is_size(entry) ? entry : node.derived(0, i - 1, entry));
  }
  shape.push_back(fixed(*rank - 2));
  node.set(0, node.element(0), std::move(shape));
}

// [N, C·(product of block), L] → [N, C, image…].
void column_to_image(NodeInference& node) {
  node.require_rank(0, 3);
  const Shape* x = node.shape(0);
  const Integer rank = node.length(1);
  if (!rank || *rank > static_cast<std::int64_t>(kMaxKnownElements))
    return node.set_element(0, node.element(0));
  Shape shape = node.unknown_shape(0, 2 + static_cast<std::size_t>(*rank));
  if (x) shape[0] = x->front();
  if (const auto block = node.integers(2); block && x) {
    const Integer elements = product(std::span<const std::int64_t>(*block));
    if (!elements || *elements < 1) node.fail("the block has no elements");
    shape[1] = node.compute(
        0, 1, [&](std::int64_t columns) { return quotient(columns, *elements); }, (*x)[1]);
  }
  if (const KnownElements* image = node.known_integers(1)) {
    for (std::size_t i = 0; i < image->elements.size(); ++i) {
      if (const Dim entry = element_at(*image, i); entry.size || is_size(entry))
        shape[i + 2] = entry;
    }
  }
  node.set(0, node.element(0), std::move(shape));
}

void center_crop_pad(NodeInference& node) {
  const Shape* x = node.shape(0);
  if (!x) return node.set_element(0, node.element(0));
  Resizing resizing{.axes = all_axes(x->size())};
  if (node.has("axes")) {
    resizing.axes.clear();
    for (const std::int64_t axis : node.node().integers("axes"))
      resizing.axes.push_back(node.axis(axis, x->size()));
  }
  read_sizes(node, 1, resizing);
  finish(node, resizing);
}

// [height, width, channels] of 8-bit samples.
void image_decoder(NodeInference& node) {
  const bool is_gray = node.node().text("pixel_format", "RGB") == "Grayscale";
  node.set(0, ElementType::Uint8, {node.unknown(0, 0), node.unknown(0, 1), fixed(is_gray ? 1 : 3)});
}

constexpr std::array kRules = {
    Rule{"AffineGrid", affine_grid, 2},
    Rule{"CenterCropPad", center_crop_pad, 2},
    Rule{"Col2Im", column_to_image, 3},
    Rule{"DepthToSpace", depth_to_space, 1},
    Rule{"GridSample", grid_sample, 2},
    Rule{"ImageDecoder", image_decoder, 1},
    Rule{"Resize", resize, 1},
    Rule{"RoiAlign", roi_align, 3},
    Rule{"SpaceToDepth", space_to_depth, 1},
    Rule{"Upsample", upsample, 1},
};

}  // namespace

std::span<const Rule> image_rules() {
  return kRules;
}

}  // namespace headroom::infer
