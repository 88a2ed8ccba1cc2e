// SPDX-License-Identifier: Apache-2.0
// Fourier transforms and mel weights. A transform counts as the radix-2 algorithm, for any length,
// since every library computes one of its family: the direct sum would count what nobody does, with
// a matrix that no file holds. Source: Cooley, Tukey, "An algorithm for the machine calculation of
// complex Fourier series", 1965; the 5 N log2 N operations of a complex transform, half of them for
// a real one, are also those of benchFFT.
#include <array>
#include <bit>

#include "cost/formula.h"

namespace headroom::cost {
namespace {

struct Transforms {
  Amount length{};
  Amount count{};
  bool is_real = false;  ///< On one side: its other half follows by symmetry.
};

// N / 2 log2(N) butterflies, the logarithm rounded up: a complex product and two complex sums each.
void add_transforms(Tally& tally, const Transforms& transforms) {
  const std::uint64_t length = transforms.length.value();
  const auto stages = static_cast<std::uint64_t>(length > 1 ? std::bit_width(length - 1) : 0);
  const Amount butterflies =
      transforms.length * transforms.count * stages / (transforms.is_real ? 4 : 2);
  add_each(tally, {.add = 6, .multiply = 4}, butterflies);
}

// The length that input `given` says; 1 and a reason where it is not known.
Amount known_length(NodeView& view, std::size_t given) {
  if (const auto length = view.known_scalar(given); length && *length > 0)
    return static_cast<std::uint64_t>(*length);
  view.note("the length of the transform is not known");
  return 1;
}

// The attribute `axis` until opset 17, then input 2.
std::int64_t transform_axis(NodeView& view) {
  if (view.opset() < 20) return view.integer("axis", 1);
  if (!view.input(2).exists()) return -2;
  if (const auto axis = view.known_scalar(2)) return *axis;
  view.note("the axis of the transform is not known");
  return -2;
}

// Signal [..., N, ..., 1 or 2], length, axis; the inverse divides by the length.
void count_dft(NodeView& view, Tally& tally) {
  const Operand x = view.input(0);
  const std::int64_t axis = transform_axis(view);
  const bool is_inverse = view.flag("inverse");
  const bool is_half = is_inverse && view.flag("onesided");
  Amount length = is_half ? 2 * (x.dim(axis) - 1) : x.dim(axis);
  if (view.input(1).exists()) length = known_length(view, 1);
  add_transforms(tally, {.length = length,
                         .count = x.elements() / (x.dim(axis) * x.dim(-1)),
                         .is_real = is_half || x.dim(-1).value() == 1});
  if (is_inverse) tally.add(Arithmetic::Divide, view.output(0).elements());
}

// Signal [B, L] or [B, L, 1 or 2], step, window, frame length; output [B, frames, bins, 2].
void count_stft(NodeView& view, Tally& tally) {
  const Operand signal = view.input(0);
  const Operand window = view.input(2);
  const Amount parts = signal.rank() > 2 ? signal.dim(2) : Amount(1);
  Amount length = window.exists() ? window.dim(0) : signal.dim(1);
  if (!window.exists() && view.input(3).exists()) length = known_length(view, 3);
  const Amount frames = view.output(0).product(0, 1);
  if (window.exists()) tally.add(Arithmetic::Multiply, frames * length * parts);
  add_transforms(tally, {.length = length, .count = frames, .is_real = parts.value() == 1});
}

// Output [bins, bands]: each element is compared with the edges of its band's triangle and is a
// difference over a difference. The edges of bands + 2 points: from mel low + i step to hertz,
// 700 (10^(mel / 2595) - 1), then to a bin, floor((length + 1) hertz / rate). Source: ONNX operator
// specification, MelWeightMatrix.
void count_mel_weights(NodeView& view, Tally& tally) {
  add_each(tally, {.add = 2, .multiply = 3, .divide = 2, .exponential = 1, .convert = 1},
           view.output(0).dim(1) + 2);
  // Both ends, 2595 log10(1 + hertz / 700), and the step between them.
  add_each(tally, {.add = 1, .multiply = 1, .divide = 1, .exponential = 1}, 2);
  add_each(tally, {.add = 1, .divide = 1}, 1);
}

constexpr std::array kFormulas = {
    Formula{kOnnx, "DFT", {}, count_dft, Traffic::Whole, kAfterFirst},
    Formula{kOnnx,
            "MelWeightMatrix",
            {.add = 1, .divide = 1, .compare = 2},
            count_mel_weights,
            Traffic::Fill},
    Formula{kOnnx, "STFT", {}, count_stft, Traffic::Whole, input_bit(1) | input_bit(3)},
};

}  // namespace

std::span<const Formula> signal_formulas() {
  return kFormulas;
}

}  // namespace headroom::cost
