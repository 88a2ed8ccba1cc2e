// SPDX-License-Identifier: Apache-2.0
// Normalisations: statistics over groups of elements, then a scale and a shift of each element.
#include <array>

#include "cost/activation.h"
#include "cost/formula.h"

namespace headroom::cost {
namespace {

struct Normalization {
  Amount elements{};
  Amount groups{};  ///< One mean and one variance each.
  bool is_centred = true;
  bool is_scaled = true;
  bool is_shifted = true;
};

// Mean, centring, mean of squares, 1 / sqrt(variance + epsilon), product with it, scale, shift.
void add_normalization(Tally& tally, const Normalization& norm) {
  const Amount joins = norm.elements - norm.groups;
  tally.add(Arithmetic::Multiply, 2 * norm.elements);
  tally.add(Arithmetic::Add, joins + norm.groups);
  tally.add(Arithmetic::Divide, 2 * norm.groups);
  tally.add(Arithmetic::SquareRoot, norm.groups);
  if (norm.is_centred) {
    tally.add(Arithmetic::Add, joins + norm.elements);
    tally.add(Arithmetic::Divide, norm.groups);
  }
  if (norm.is_scaled) tally.add(Arithmetic::Multiply, norm.elements);
  if (norm.is_shifted) tally.add(Arithmetic::Add, norm.elements);
}

// X [N, C, ...], scale, B, mean, variance [C]. With constant statistics what remains of a run is
// one scale and one shift; otherwise these two are made for each channel in each run.
void count_batch_normalization(NodeView& view, Tally& tally) {
  const Operand x = view.input(0);
  const Amount elements = x.elements();
  const Amount channels = x.rank() > 1 ? x.dim(1) : Amount(1);
  tally.add(Arithmetic::Multiply, elements);
  tally.add(Arithmetic::Add, elements);
  bool is_constant = true;
  for (std::size_t i = 1; i < 5; ++i) is_constant = is_constant && view.input(i).is_constant();
  const bool is_training =
      view.opset() >= 14 ? view.flag("training_mode") : view.output_count() > 1;
  if (is_constant && !is_training) return;
  add_each(tally, {.add = 2, .multiply = 1, .divide = 1, .square_root = 1}, channels);
  if (!is_training) return;
  // The statistics of the batch, and the running ones: r momentum + s (1 - momentum), for both.
  tally.add(Arithmetic::Add, 2 * (elements - channels) + elements);
  tally.add(Arithmetic::Multiply, elements);
  add_each(tally, {.add = 2, .multiply = 4, .divide = 2}, channels);
}

void count_instance_normalization(NodeView& view, Tally& tally) {
  const Operand x = view.input(0);
  add_normalization(tally, {.elements = x.elements(), .groups = x.product(0, 1)});
}

Amount positive(NodeView& view, std::string_view attribute) {
  const std::int64_t value = view.integer(attribute, 0);
  if (value > 0) return static_cast<std::uint64_t>(value);
  view.note("the attribute '" + std::string(attribute) + "' is missing");
  return 1;
}

void count_group_normalization(NodeView& view, Tally& tally) {
  const Operand x = view.input(0);
  add_normalization(tally,
                    {.elements = x.elements(), .groups = x.dim(0) * positive(view, "num_groups")});
}

// The rows before `axis`.
Amount outer_rows(NodeView& view, std::int64_t default_axis) {
  const Operand x = view.input(0);
  std::int64_t axis = view.integer("axis", default_axis);
  if (axis < 0) axis += static_cast<std::int64_t>(x.rank());
  return axis > 0 ? x.product(0, axis - 1) : Amount(1);
}

// X, scale, B.
void count_layer_normalization(NodeView& view, Tally& tally) {
  add_normalization(tally, {.elements = view.input(0).elements(),
                            .groups = outer_rows(view, -1),
                            .is_shifted = view.input(2).exists()});
}

void count_rms_normalization(NodeView& view, Tally& tally) {
  add_normalization(tally, {.elements = view.input(0).elements(),
                            .groups = outer_rows(view, -1),
                            .is_centred = false,
                            .is_shifted = false});
}

// All axes but the channels by default.
void count_mean_variance_normalization(NodeView& view, Tally& tally) {
  const Operand x = view.input(0);
  const std::span<const std::int64_t> axes = view.node().integers("axes");
  Amount reduced = 1;
  if (axes.empty()) {
    reduced = x.dim(0) * x.product(2, -1);
  } else {
    for (const std::int64_t axis : axes) reduced *= x.dim(axis);
  }
  add_normalization(tally, {.elements = x.elements(),
                            .groups = x.elements() / reduced,
                            .is_scaled = false,
                            .is_shifted = false});
}

void count_lp_normalization(NodeView& view, Tally& tally) {
  const Operand x = view.input(0);
  const Amount elements = x.elements();
  const Amount rows = elements / x.dim(view.integer("axis", -1));
  tally.add(Arithmetic::Add, elements - rows);
  tally.add(Arithmetic::Divide, elements);
  if (view.integer("p", 2) == 1) return tally.add(Arithmetic::Compare, elements);
  tally.add(Arithmetic::Multiply, elements);
  tally.add(Arithmetic::SquareRoot, rows);
}

// x / (bias + alpha / size * sum of squares) ^ beta over `size` channels.
void count_lrn(NodeView& view, Tally& tally) {
  const Amount elements = view.input(0).elements();
  tally.add(Arithmetic::Add, elements * positive(view, "size"));
  add_each(tally, {.multiply = 2, .divide = 1, .exponential = 1}, elements);
}

// input, skip, gamma, beta, bias; the simplified form has no beta: input, skip, gamma, bias.
void count_skip(NodeView& view, Tally& tally, bool is_simplified) {
  const Operand x = view.input(0);
  const Amount elements = x.elements();
  const std::size_t bias = is_simplified ? 3 : 4;
  tally.add(Arithmetic::Add, (view.input(bias).exists() ? 2 : 1) * elements);
  add_normalization(tally, {.elements = elements,
                            .groups = elements / x.dim(-1),
                            .is_centred = !is_simplified,
                            .is_shifted = !is_simplified && view.input(3).exists()});
}
void count_skip_layer_normalization(NodeView& view, Tally& tally) {
  count_skip(view, tally, false);
}
void count_skip_simplified(NodeView& view, Tally& tally) {
  count_skip(view, tally, true);
}

// Sums of the embeddings of word, position and, where given, segment, then a layer normalisation.
void count_embed_layer_normalization(NodeView& view, Tally& tally) {
  const Operand y = view.output(0);
  const Amount elements = y.elements();
  tally.add(Arithmetic::Add, (view.input(4).exists() ? 2 : 1) * elements);
  add_normalization(tally, {.elements = elements, .groups = elements / y.dim(-1)});
}

// X [N, H, W, C], gamma, beta; activation 1 is SiLU. The skip form adds skip and bias before.
void count_nhwc_group_norm(NodeView& view, Tally& tally) {
  const Operand x = view.input(0);
  add_normalization(tally,
                    {.elements = x.elements(), .groups = x.dim(0) * positive(view, "groups")});
  if (view.integer("activation", 0) == 1) add_activation(view, tally, "Swish", x.elements());
}
void count_skip_group_norm(NodeView& view, Tally& tally) {
  count_nhwc_group_norm(view, tally);
  tally.add(Arithmetic::Add, (view.input(4).exists() ? 2 : 1) * view.input(0).elements());
}

constexpr std::array kFormulas = {
    Formula{kOnnx, "BatchNormalization", {}, count_batch_normalization},
    Formula{kOnnx, "GroupNormalization", {}, count_group_normalization},
    Formula{kOnnx, "InstanceNormalization", {}, count_instance_normalization},
    Formula{kOnnx, "LayerNormalization", {}, count_layer_normalization},
    Formula{kOnnx, "LpNormalization", {}, count_lp_normalization},
    Formula{kOnnx, "LRN", {}, count_lrn},
    Formula{kOnnx, "MeanVarianceNormalization", {}, count_mean_variance_normalization},
    Formula{kOnnx, "RMSNormalization", {}, count_rms_normalization},
    Formula{kOnnx, "SimplifiedLayerNormalization", {}, count_rms_normalization},
    Formula{kMicrosoft,
            "EmbedLayerNormalization",
            {},
            count_embed_layer_normalization,
            Traffic::Whole,
            0,
            input_bit(2),
            0},
    Formula{kMicrosoft, "GroupNorm", {}, count_nhwc_group_norm},
    Formula{kMicrosoft, "SimplifiedLayerNormalization", {}, count_rms_normalization},
    Formula{kMicrosoft, "SkipGroupNorm", {}, count_skip_group_norm},
    Formula{kMicrosoft, "SkipLayerNormalization", {}, count_skip_layer_normalization},
    Formula{kMicrosoft, "SkipSimplifiedLayerNormalization", {}, count_skip_simplified},
};

}  // namespace

std::span<const Formula> normalization_formulas() {
  return kFormulas;
}

}  // namespace headroom::cost
