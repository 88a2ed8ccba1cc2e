// SPDX-License-Identifier: Apache-2.0
// The rule for open dimensions.
#include "data/choose_shape.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "data/words.h"

namespace headroom {
namespace {

// docs/method/inputs.md argues each default.
constexpr std::int64_t kImage = 224;
constexpr std::int64_t kSequence = 128;
constexpr std::int64_t kPast = 64;
constexpr std::int64_t kSamples = 512;
constexpr std::int64_t kDepth = 16;
constexpr std::int64_t kChannels = 3;

std::string_view meaning(DimRole role) {
  switch (role) {
    case DimRole::Batch:
      return "batch";
    case DimRole::Channels:
      return "channels";
    case DimRole::Depth:
      return "depth";
    case DimRole::Height:
      return "height";
    case DimRole::Width:
      return "width";
    case DimRole::Samples:
      return "samples of a waveform";
    case DimRole::Sequence:
      return "sequence";
    case DimRole::Past:
      return "past tokens";
    case DimRole::Total:
      return "past and present tokens";
    case DimRole::Other:
      break;
  }
  return "of unknown meaning";
}

std::optional<DimRole> role_by_name(const std::string& symbol) {
  struct Row {
    std::string_view part;
    DimRole role;
  };
  // The order matters: `total_sequence_length` and `past_sequence_length` hold `seq`.
  constexpr std::array kParts = {
      Row{"batch", DimRole::Batch},     Row{"total", DimRole::Total},
      Row{"+", DimRole::Total},         Row{"past", DimRole::Past},
      Row{"cache", DimRole::Past},      Row{"height", DimRole::Height},
      Row{"width", DimRole::Width},     Row{"channel", DimRole::Channels},
      Row{"depth", DimRole::Depth},     Row{"sample", DimRole::Samples},
      Row{"audio", DimRole::Samples},   Row{"wave", DimRole::Samples},
      Row{"seq", DimRole::Sequence},    Row{"token", DimRole::Sequence},
      Row{"frame", DimRole::Sequence},  Row{"time", DimRole::Sequence},
      Row{"length", DimRole::Sequence}, Row{"step", DimRole::Sequence},
  };
  constexpr std::array kWhole = {
      Row{"n", DimRole::Batch},    Row{"b", DimRole::Batch},    Row{"bs", DimRole::Batch},
      Row{"h", DimRole::Height},   Row{"w", DimRole::Width},    Row{"c", DimRole::Channels},
      Row{"l", DimRole::Sequence}, Row{"t", DimRole::Sequence}, Row{"len", DimRole::Sequence},
  };
  const std::string lower = lower_case(symbol);
  for (const Row& row : kWhole) {
    if (lower == row.part) return row.role;
  }
  for (const Row& row : kParts) {
    if (lower.find(row.part) != std::string::npos) return row.role;
  }
  return std::nullopt;
}

// A waveform has no channels, or one.
bool is_waveform(const InputFacts& input) {
  return input.shape.size() == 2 || (input.shape.size() == 3 && input.shape[1].size == 1);
}

std::optional<DimRole> role_by_window(const InputFacts& input, std::size_t axis) {
  const std::vector<std::size_t>& axes = input.use.window_axes;
  const auto found = std::find(axes.begin(), axes.end(), axis);
  if (found == axes.end() || axes.size() > 3) return std::nullopt;
  constexpr std::array kVolume = {DimRole::Depth, DimRole::Height, DimRole::Width};
  if (axes.size() == 1) return is_waveform(input) ? DimRole::Samples : DimRole::Sequence;
  return kVolume[3 - axes.size() + static_cast<std::size_t>(found - axes.begin())];
}

// Channels of an image are 1, 3 or 4, before or after the two spatial axes.
std::optional<DimRole> role_in_image(const InputFacts& input, std::size_t axis) {
  if (input.shape.size() != 4 || axis == 0) return std::nullopt;
  const auto has_channels = [&](std::size_t place) {
    const auto size = input.shape[place].size;
    return size == 1 || size == 3 || size == 4;
  };
  if (has_channels(1) && axis >= 2) return axis == 2 ? DimRole::Height : DimRole::Width;
  if (has_channels(3) && axis <= 2) return axis == 1 ? DimRole::Height : DimRole::Width;
  const bool is_open = !input.shape[1].size && !input.shape[2].size && !input.shape[3].size;
  if (!is_open) return std::nullopt;
  constexpr std::array kImageAxes = {DimRole::Batch, DimRole::Channels, DimRole::Height,
                                     DimRole::Width};
  return kImageAxes[axis];
}

DimRole role_by_position(const InputFacts& input, std::size_t axis) {
  if (const auto role = role_in_image(input, axis)) return *role;
  if (axis == 0) return DimRole::Batch;
  const bool is_tokens = input.shape.size() == 2 && is_integer(input.type);
  // A recurrent state is [directions, batch, features].
  if (axis == 1 && input.use.is_recurrent_state) return DimRole::Batch;
  const bool is_features = input.shape.size() == 3 && is_float(input.type);
  return axis == 1 && (is_tokens || is_features) ? DimRole::Sequence : DimRole::Other;
}

/// Chooses sizes with one memory for all inputs, so that equal symbols get equal sizes.
class Chooser {
 public:
  Chooser(std::span<const InputFacts> inputs, const Guesses& guesses)
      : inputs_(inputs), guesses_(guesses) {
    for (const InputFacts& input : inputs) {
      for (std::size_t axis = 0; axis < input.shape.size(); ++axis) {
        if (!input.shape[axis].size && role_of(input, axis) == DimRole::Past) has_past_ = true;
      }
    }
  }

  void bind_user_dims(const std::map<std::string, std::int64_t>& dims) {
    for (const auto& [symbol, size] : dims) bind(symbol, {size, "given", std::nullopt}, "--dim");
  }

  void bind_given_shapes() {
    for (const InputFacts& input : inputs_) {
      for (std::size_t axis = 0; input.given && axis < input.shape.size(); ++axis) {
        bind(input.shape[axis].symbol, {(*input.given)[axis], "given", std::nullopt},
             "input '" + input.name + "'");
      }
    }
  }

  void bind_weights() {
    for (const InputFacts& input : inputs_) {
      for (const auto& [axis, size] : input.use.sizes) {
        const Dim& dim = input.shape[axis];
        if (dim.size || dim.symbol.empty()) continue;
        bound_.try_emplace(dim.symbol, Choice{size.size, size.what, std::nullopt});
      }
    }
  }

  // Sums come last, since they need the others.
  void bind_roles() {
    for (const bool is_total : {false, true}) {
      for (const InputFacts& input : inputs_) {
        for (std::size_t axis = 0; axis < input.shape.size(); ++axis) {
          const Dim& dim = input.shape[axis];
          const DimRole role = role_of(input, axis);
          if (dim.size || dim.symbol.empty() || (role == DimRole::Total) != is_total) continue;
          bound_.try_emplace(dim.symbol, by_role(role, dim.symbol));
        }
      }
    }
  }

  ChosenShape shape_of(const InputFacts& input) const {
    ChosenShape chosen;
    for (std::size_t axis = 0; axis < input.shape.size(); ++axis) {
      const Dim& dim = input.shape[axis];
      if (dim.size || input.given) {
        chosen.sizes.push_back(input.given ? (*input.given)[axis] : *dim.size);
        continue;
      }
      const Choice choice = choose(input, axis);
      chosen.sizes.push_back(choice.size);
      const std::string name =
          dim.symbol.empty() ? fmt::format("axis {}", axis) : printable(dim.symbol);
      chosen.reasons.push_back(fmt::format("{}={} ({}{})", name, choice.size,
                                           choice.guessed ? "guessed: " : "", choice.why));
      if (choice.guessed) chosen.guessed.push_back(*choice.guessed);
    }
    return chosen;
  }

 private:
  struct Choice {
    std::int64_t size = 1;
    std::string why{};
    std::optional<DimRole> guessed{};
  };

  void bind(const std::string& symbol, const Choice& choice, const std::string& from) {
    if (symbol.empty()) return;
    const auto [place, is_new] = bound_.try_emplace(symbol, choice);
    if (is_new || place->second.size == choice.size) return;
    throw Error(
        ErrorKind::Usage,
        fmt::format("dimension '{}' cannot be both {} and {} (from {}); give inputs that agree",
                    printable(symbol), place->second.size, choice.size, from));
  }

  Choice choose(const InputFacts& input, std::size_t axis) const {
    const Dim& dim = input.shape[axis];
    const auto bound = bound_.find(dim.symbol);
    if (!dim.symbol.empty() && bound != bound_.end()) return bound->second;
    const auto fixed = input.use.sizes.find(axis);
    if (fixed != input.use.sizes.end())
      return {fixed->second.size, fixed->second.what, std::nullopt};
    return by_role(role_of(input, axis), dim.symbol);
  }

  Choice by_role(DimRole role, const std::string& symbol) const {
    return {size_of(role, symbol), std::string(meaning(role)), role};
  }

  std::int64_t size_of(DimRole role, const std::string& symbol) const {
    if (role == DimRole::Total) return sum_of(symbol);
    const auto guess = guesses_.sizes.find(role);
    if (guess != guesses_.sizes.end()) return guess->second;
    switch (role) {
      case DimRole::Channels:
        return kChannels;
      case DimRole::Depth:
        return kDepth;
      case DimRole::Height:
      case DimRole::Width:
        return kImage;
      case DimRole::Samples:
        return kSamples;
      case DimRole::Sequence:
        return has_past_ ? 1 : kSequence;  // With a cache, one step of decoding.
      case DimRole::Past:
        return kPast;
      default:
        return 1;
    }
  }

  // `past_sequence_length + 1` adds what it names; `total_sequence_length` is past and present.
  std::int64_t sum_of(const std::string& symbol) const {
    if (symbol.find('+') == std::string::npos) {
      return (has_past_ ? size_of(DimRole::Past, "") : 0) + size_of(DimRole::Sequence, "");
    }
    std::int64_t sum = 0;
    for (const std::string& part : split(symbol, '+')) {
      const std::string term = trimmed(part);
      const auto bound = bound_.find(term);
      if (bound != bound_.end()) {
        sum += bound->second.size;
      } else if (is_number(term)) {
        sum += parse_integer(term, "dimension");
      } else {
        sum += size_of(role_by_name(term).value_or(DimRole::Other), "");
      }
    }
    return sum;
  }

  std::span<const InputFacts> inputs_;
  const Guesses& guesses_;
  std::map<std::string, Choice> bound_{};
  bool has_past_ = false;
};

}  // namespace

DimRole role_of(const InputFacts& input, std::size_t axis) {
  // Shape inference names a dimension that has no name after its place, which says nothing of its
  // role.
  const std::string& symbol = input.shape[axis].symbol;
  const bool is_named = symbol != fmt::format("{}.dim{}", input.name, axis);
  const std::optional<DimRole> named = is_named ? role_by_name(symbol) : std::nullopt;
  const std::optional<DimRole> window = role_by_window(input, axis);
  // `sequence` is also what exporters call the samples of a waveform.
  if (named == DimRole::Sequence && window == DimRole::Samples) return DimRole::Samples;
  if (named) return *named;
  return window ? *window : role_by_position(input, axis);
}

std::vector<ChosenShape> choose_shapes(std::span<const InputFacts> inputs,
                                       const std::map<std::string, std::int64_t>& dims,
                                       const Guesses& guesses) {
  Chooser chooser(inputs, guesses);
  chooser.bind_user_dims(dims);
  chooser.bind_given_shapes();
  chooser.bind_weights();
  chooser.bind_roles();
  std::vector<ChosenShape> shapes;
  for (const InputFacts& input : inputs) shapes.push_back(chooser.shape_of(input));
  return shapes;
}

}  // namespace headroom
