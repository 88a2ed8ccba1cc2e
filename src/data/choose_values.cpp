// SPDX-License-Identifier: Apache-2.0
// The rule for values.
#include "data/choose_values.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "data/words.h"

namespace headroom {
namespace {

// Small enough for counts, classes and categories alike.
constexpr std::int64_t kSmallest = 0;
constexpr std::int64_t kLargest = 9;

ChosenValues uniform(std::int64_t low, std::int64_t high, std::string reason) {
  return {.fill = FillKind::Integers,
          .low = low,
          .high = high,
          .reason = std::move(reason),
          .is_guessed = false,
          .others = {}};
}

ChosenValues guessed(std::int64_t value, std::string reason, std::vector<std::int64_t> others) {
  ChosenValues values = uniform(value, value, std::move(reason));
  values.is_guessed = true;
  values.others = std::move(others);
  return values;
}

ChosenValues filled(FillKind fill, std::string reason) {
  return {.fill = fill,
          .low = 0,
          .high = 0,
          .reason = std::move(reason),
          .is_guessed = false,
          .others = {}};
}

bool has_word(const InputFacts& input, std::string_view word) {
  return lower_case(input.name).find(word) != std::string::npos;
}

bool is_named_length(const InputFacts& input) {
  const std::string name = lower_case(input.name);
  return name.ends_with("length") || name.ends_with("lengths") || name.ends_with("_len") ||
         name.ends_with("_lens");
}

bool is_named_rate(const InputFacts& input) {
  const std::string name = lower_case(input.name);
  return name == "sr" || name == "sample_rate" || name == "sampling_rate";
}

std::vector<std::int64_t> whole_numbers(std::span<const double> values) {
  std::vector<std::int64_t> whole;
  for (const double value : values) {
    if (value == std::floor(value) && std::fabs(value) < 0x1p53) {
      whole.push_back(static_cast<std::int64_t>(value));
    }
  }
  return whole;
}

ChosenValues compared_values(std::vector<std::int64_t> constants, bool is_single) {
  if (is_single) {
    const std::int64_t first = constants.front();
    constants.erase(constants.begin());
    return guessed(first, fmt::format("the graph compares it with {}", first),
                   std::move(constants));
  }
  const auto [low, high] = std::minmax_element(constants.begin(), constants.end());
  return uniform(*low, *high,
                 fmt::format("the graph compares them with constants from {} to {}", *low, *high));
}

// What follows from the graph; nothing where it leaves the values free.
std::optional<ChosenValues> integers_by_use(const InputFacts& input, bool is_single,
                                            std::int64_t sequence) {
  const InputUse& use = input.use;
  if (has_word(input, "mask")) return uniform(1, 1, "a mask that hides nothing");
  if (use.is_length || is_named_length(input)) {
    return uniform(sequence, sequence, "lengths: the whole sequence");
  }
  if (use.table) return uniform(use.table->first, use.table->last, "index into " + use.table->what);
  std::vector<std::int64_t> constants = whole_numbers(use.compared);
  // A tensor that is compared with one constant says too little about its range.
  if (constants.size() > (is_single ? 0U : 1U))
    return compared_values(std::move(constants), is_single);
  if (use.is_mask) return uniform(1, 1, "a mask that hides nothing");
  if (use.indexes_unknown_table) return uniform(0, 0, "index into a table of unknown size");
  return std::nullopt;
}

std::optional<ChosenValues> whole_range(ElementType type) {
  const auto bits = bits_of(type);
  if (!bits || *bits > 8) return std::nullopt;
  const std::int64_t count = std::int64_t{1} << *bits;
  const bool is_signed =
      type == ElementType::Int8 || type == ElementType::Int4 || type == ElementType::Int2;
  const std::int64_t low = is_signed ? -count / 2 : 0;
  return uniform(low, low + count - 1, "all values of the type");
}

ChosenValues choose_integers(const InputFacts& input, bool is_single, std::int64_t sequence) {
  if (auto values = integers_by_use(input, is_single, sequence)) return *values;
  if (is_single && is_named_rate(input)) {
    return guessed(16'000, "a customary sample rate", {8'000, 44'100, 48'000, 22'050});
  }
  if (is_single) return guessed(1, "a free number", {0, 2, 8, 16'000, 8'000});
  if (input.use.is_size) return uniform(1, 1, "sizes or counts");
  if (auto values = whole_range(input.type)) return *values;
  return uniform(kSmallest, kLargest, "integers that nothing in the graph bounds");
}

ChosenValues choose_booleans(const InputFacts& input, bool is_single) {
  if (input.use.is_mask || has_word(input, "mask"))
    return uniform(1, 1, "a mask that hides nothing");
  if (is_single && input.use.chooses_branch) return guessed(1, "it chooses a branch", {0});
  return filled(FillKind::Booleans, "false and true");
}

ChosenValues choose_reals(const InputFacts& input) {
  if (has_word(input, "mask")) return uniform(1, 1, "a mask that hides nothing");
  if (input.use.is_recurrent_state)
    return filled(FillKind::Zeros, "the state in which a stream starts");
  return filled(FillKind::Normal, "standard normal");
}

}  // namespace

ChosenValues choose_values(const InputFacts& input, std::span<const std::int64_t> shape,
                           std::int64_t sequence, const Guesses& guesses) {
  const bool is_single =
      std::all_of(shape.begin(), shape.end(), [](std::int64_t size) { return size == 1; });
  if (input.type == ElementType::String) return filled(FillKind::Words, "words");
  ChosenValues values;
  if (input.type == ElementType::Bool) {
    values = choose_booleans(input, is_single);
  } else if (is_integer(input.type)) {
    values = choose_integers(input, is_single, sequence);
  } else {
    values = choose_reals(input);
  }
  const auto guess = guesses.values.find(input.name);
  if (values.is_guessed && guess != guesses.values.end()) {
    values.low = values.high = guess->second;
    values.reason = "tried after the first guess";
  }
  return values;
}

}  // namespace headroom
