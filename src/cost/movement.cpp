// SPDX-License-Identifier: Apache-2.0
// Operators that move, choose or repeat elements, and those that sample between them.
#include <array>

#include "cost/activation.h"
#include "cost/formula.h"

namespace headroom::cost {
namespace {

// The interpolation of one output element from its neighbours: a product with each, their sum.
void add_interpolation(NodeView& view, Tally& tally, std::string_view mode, std::size_t axes) {
  if (mode == "nearest") return;
  if (axes > 15) return view.note("more than 15 axes are interpolated");
  const std::uint64_t taps = std::uint64_t{1} << (mode == "cubic" ? 2 * axes : axes);
  tally.add(Arithmetic::Multiply, taps * view.output(0).elements());
  tally.add(Arithmetic::Add, (taps - 1) * view.output(0).elements());
}

// X, roi, scales, sizes. Axes that keep their size need no interpolation.
void count_resize(NodeView& view, Tally& tally) {
  const Operand x = view.input(0);
  const Operand y = view.output(0);
  if (view.flag("antialias")) view.note("the antialiasing filter of Resize has no fixed length");
  std::size_t axes = 0;
  for (std::size_t axis = 0; axis < x.rank(); ++axis) {
    const auto place = static_cast<std::int64_t>(axis);
    if (x.dim(place).value() != y.dim(place).value()) ++axes;
  }
  if (axes > 0) add_interpolation(view, tally, view.node().text("mode", "nearest"), axes);
}

// X [N, C, ...], grid [N, ..., rank]: the grid's numbers become pixels, a product and two sums
// each.
void count_grid_sample(NodeView& view, Tally& tally) {
  add_each(tally, {.add = 2, .multiply = 1}, view.input(1).elements());
  const std::string_view mode = view.node().text("mode", "linear");
  const bool is_cubic = mode == "cubic" || mode == "bicubic";
  const std::size_t rank = view.input(0).rank();
  if (rank > 2) add_interpolation(view, tally, is_cubic ? "cubic" : mode, rank - 2);
}

// X, rois [R, 4], batch indices. Each output element joins ratio x ratio points between pixels. The
// four corners of a region are scaled and, with half_pixel, shifted; its sides are cut into bins.
void count_roi_align(NodeView& view, Tally& tally) {
  const Amount outputs = view.output(0).elements();
  const std::int64_t ratio = view.integer("sampling_ratio", 0);
  if (ratio <= 0) return view.note("sampling_ratio is 0: the size of each region decides");
  const Amount points =
      Amount(static_cast<std::uint64_t>(ratio)) * static_cast<std::uint64_t>(ratio);
  tally.add(Arithmetic::Multiply, 4 * points * outputs);
  tally.add(Arithmetic::Add, 3 * points * outputs);
  const bool is_average = view.node().text("mode", "avg") == "avg";
  tally.add(is_average ? Arithmetic::Add : Arithmetic::Compare, (points - 1) * outputs);
  if (is_average) tally.add(Arithmetic::Divide, outputs);
  const Amount regions = view.input(1).dim(0);
  add_each(tally, {.add = 2, .multiply = 4, .divide = 2}, regions);
  const std::string_view otherwise = view.opset() >= 16 ? "half_pixel" : "output_half_pixel";
  if (view.node().text("coordinate_transformation_mode", otherwise) == "half_pixel")
    tally.add(Arithmetic::Add, 4 * regions);
}

// Input 2, training_mode, decides whether it does anything.
void count_dropout(NodeView& view, Tally& /*tally*/) {
  note_training(view, 2);
}

// `reduction` joins each update to what is there.
void count_scatter(NodeView& view, Tally& tally) {
  const std::string_view reduction = view.node().text("reduction", "none");
  if (reduction == "none") return;
  const Arithmetic kind = reduction == "add"   ? Arithmetic::Add
                          : reduction == "mul" ? Arithmetic::Multiply
                                               : Arithmetic::Compare;
  tally.add(kind, view.input(2).elements());
}

constexpr std::array kFormulas = {
    Formula{kOnnx, "BitCast", {}, nullptr, Traffic::View},
    Formula{kOnnx, "CenterCropPad", {}, nullptr, Traffic::Selected, kAfterFirst},
    Formula{kOnnx, "Compress", {}, nullptr, Traffic::Selected},
    Formula{kOnnx, "Concat"},
    Formula{kOnnx, "ConcatFromSequence", {}, nullptr, Traffic::Selected},
    Formula{kOnnx, "Constant", {}, nullptr, Traffic::Fill},
    Formula{kOnnx, "ConstantOfShape", {}, nullptr, Traffic::Fill, input_bit(0)},
    Formula{kOnnx, "DepthToSpace"},
    Formula{kOnnx, "Dropout", {}, count_dropout, Traffic::View, kAfterFirst},
    Formula{kOnnx, "Expand", {}, nullptr, Traffic::Whole, kAfterFirst},
    Formula{kOnnx, "EyeLike", {}, nullptr, Traffic::Fill},
    Formula{kOnnx, "Flatten", {}, nullptr, Traffic::View},
    Formula{kOnnx, "Gather", {}, nullptr, Traffic::Whole, 0, input_bit(0), 1},
    Formula{kOnnx, "GatherElements", {}, nullptr, Traffic::Selected},
    Formula{kOnnx, "GatherND", {}, nullptr, Traffic::Selected},
    Formula{kOnnx, "GridSample", {}, count_grid_sample},
    Formula{kOnnx, "Identity", {}, nullptr, Traffic::View},
    // The bodies of these and of Scan and SequenceMap are counted elsewhere; the condition and the
    // trip count are settings.
    Formula{kOnnx, "If", {}, nullptr, Traffic::Whole, input_bit(0)},
    Formula{kOnnx, "Loop", {}, nullptr, Traffic::Whole, input_bit(0) | input_bit(1)},
    Formula{kOnnx, "MaxUnpool", {}, nullptr, Traffic::Whole, input_bit(2)},
    Formula{kOnnx, "OneHot", {.compare = 1}, nullptr, Traffic::Whole, input_bit(1)},
    Formula{kOnnx, "Optional", {}, nullptr, Traffic::View},
    Formula{kOnnx, "OptionalGetElement", {}, nullptr, Traffic::View},
    Formula{kOnnx, "OptionalHasElement", {}, nullptr, Traffic::View},
    Formula{kOnnx, "Pad", {}, nullptr, Traffic::Whole, kAfterFirst},
    Formula{kOnnx, "Reshape", {}, nullptr, Traffic::View, kAfterFirst},
    Formula{kOnnx, "Resize", {}, count_resize, Traffic::Whole, kAfterFirst},
    Formula{kOnnx, "ReverseSequence", {}, nullptr, Traffic::Whole, kAfterFirst},
    Formula{kOnnx, "RoiAlign", {}, count_roi_align},
    Formula{kOnnx, "Scan"},
    Formula{kOnnx, "Scatter", {}, count_scatter},
    Formula{kOnnx, "ScatterElements", {}, count_scatter},
    Formula{kOnnx, "ScatterND", {}, count_scatter},
    Formula{kOnnx, "SequenceAt", {}, nullptr, Traffic::View},
    Formula{kOnnx, "SequenceConstruct", {}, nullptr, Traffic::View},
    Formula{kOnnx, "SequenceEmpty", {}, nullptr, Traffic::View},
    Formula{kOnnx, "SequenceErase", {}, nullptr, Traffic::View},
    Formula{kOnnx, "SequenceInsert", {}, nullptr, Traffic::View},
    Formula{kOnnx, "SequenceLength", {}, nullptr, Traffic::View},
    Formula{kOnnx, "SequenceMap"},
    Formula{kOnnx, "Shape", {}, nullptr, Traffic::Fill},
    Formula{kOnnx, "Size", {}, nullptr, Traffic::Fill},
    Formula{kOnnx, "Slice", {}, nullptr, Traffic::Selected, kAfterFirst},
    Formula{kOnnx, "SpaceToDepth"},
    Formula{kOnnx, "Split", {}, nullptr, Traffic::Whole, kAfterFirst},
    Formula{kOnnx, "SplitToSequence", {}, nullptr, Traffic::Parts, kAfterFirst},
    Formula{kOnnx, "Squeeze", {}, nullptr, Traffic::View, kAfterFirst},
    Formula{kOnnx, "TensorScatter"},
    Formula{kOnnx, "Tile", {}, nullptr, Traffic::Whole, kAfterFirst},
    Formula{kOnnx, "Transpose"},
    Formula{kOnnx, "Trilu", {}, nullptr, Traffic::Whole, kAfterFirst},
    Formula{kOnnx, "Unsqueeze", {}, nullptr, Traffic::View, kAfterFirst},
    Formula{kOnnx, "Upsample", {}, count_resize, Traffic::Whole, kAfterFirst},
    Formula{kMicrosoft, "ExpandDims", {}, nullptr, Traffic::View, kAfterFirst},
    Formula{kMicrosoft, "GatherND", {}, nullptr, Traffic::Selected},
    Formula{kMicrosoft, "Pad", {}, nullptr, Traffic::Whole, kAfterFirst},
    Formula{kMicrosoft, "TorchEmbedding", {}, nullptr, Traffic::Whole, 0, input_bit(0), 1},
    Formula{kMicrosoft, "Trilu", {}, nullptr, Traffic::Whole, kAfterFirst},
    Formula{kMicrosoftNhwc, "DepthToSpace"},
    Formula{kMicrosoftNhwc, "SpaceToDepth"},
};

}  // namespace

std::span<const Formula> movement_formulas() {
  return kFormulas;
}

}  // namespace headroom::cost
