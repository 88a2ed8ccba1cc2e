// SPDX-License-Identifier: Apache-2.0
// Customary choices that are tried when an engine refuses the first.
#include <headroom/data.h>

#include <algorithm>
#include <array>

#include "data/planner.h"

namespace headroom {
namespace {

constexpr std::size_t kMaxAlternatives = 24;

struct Size2d {
  std::int64_t height;
  std::int64_t width;
};

// Text lines (height 48 or 32), detectors (multiples of 32), classifiers, digits;
// docs/method/inputs.md.
constexpr std::array kImages = {
    Size2d{640, 640}, Size2d{48, 320},  Size2d{32, 320},  Size2d{256, 256},
    Size2d{320, 320}, Size2d{512, 512}, Size2d{299, 299}, Size2d{32, 100},
    Size2d{48, 192},  Size2d{416, 416}, Size2d{112, 112}, Size2d{64, 64},
    Size2d{32, 32},   Size2d{28, 28},   Size2d{800, 800}, Size2d{480, 640}};
constexpr std::array<std::int64_t, 6> kSequences = {64, 32, 16, 256, 8, 1};
constexpr std::array<std::int64_t, 7> kSamples = {576, 16'000, 256, 1'024, 400, 8'000, 1'536};
constexpr std::array<std::int64_t, 4> kPasts = {16, 128, 1, 0};
constexpr std::array<std::int64_t, 6> kOthers = {2, 4, 8, 16, 64, 128};
constexpr std::array<std::int64_t, 3> kChannelCounts = {1, 4, 64};
constexpr std::array<std::int64_t, 3> kDepths = {8, 32, 3};

std::vector<Guesses> sizes_of(DimRole role, std::span<const std::int64_t> sizes) {
  std::vector<Guesses> guesses;
  for (const std::int64_t size : sizes) guesses.push_back({.sizes = {{role, size}}});
  return guesses;
}

std::vector<Guesses> guesses_for(DimRole role) {
  switch (role) {
    case DimRole::Height:
    case DimRole::Width: {
      std::vector<Guesses> guesses;
      guesses.reserve(std::size(kImages));
      for (const Size2d& size : kImages) {
        guesses.push_back(
            {.sizes = {{DimRole::Height, size.height}, {DimRole::Width, size.width}}});
      }
      return guesses;
    }
    case DimRole::Samples:
      return sizes_of(role, kSamples);
    case DimRole::Sequence:
    case DimRole::Total:
      return sizes_of(DimRole::Sequence, kSequences);
    case DimRole::Past:
      return sizes_of(role, kPasts);
    case DimRole::Channels:
      return sizes_of(role, kChannelCounts);
    case DimRole::Depth:
      return sizes_of(role, kDepths);
    case DimRole::Batch:
    case DimRole::Other:
      break;
  }
  return role == DimRole::Other ? sizes_of(role, kOthers) : std::vector<Guesses>{};
}

// One list for each thing that was guessed, so that the first of each comes before the second of
// any.
std::vector<std::vector<Guesses>> all_lists(const Draft& first) {
  std::vector<std::vector<Guesses>> lists;
  for (const auto& [name, values] : first.other_values) {
    std::vector<Guesses> guesses;
    for (const std::int64_t value : values) guesses.push_back({.values = {{name, value}}});
    lists.push_back(std::move(guesses));
  }
  for (const DimRole role : first.roles) lists.push_back(guesses_for(role));
  return lists;
}

bool is_same(const InputPlan& a, const InputPlan& b) {
  return std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), b.inputs.end(),
                    [](const InputSpec& x, const InputSpec& y) {
                      return x.shape == y.shape && x.low == y.low && x.high == y.high;
                    });
}

}  // namespace

std::vector<InputPlan> alternative_inputs(const Model& model, const InputOptions& options) {
  const Planner planner(model, options);
  const Draft first = planner.draft({});
  std::vector<InputPlan> plans = {first.plan};  // Taken out again: it is not an alternative.
  const std::vector<std::vector<Guesses>> lists = all_lists(first);
  std::size_t longest = 0;
  for (const auto& list : lists) longest = std::max(longest, list.size());
  for (std::size_t i = 0; i < longest; ++i) {
    for (const auto& list : lists) {
      if (i >= list.size() || plans.size() > kMaxAlternatives) continue;
      InputPlan plan = planner.draft(list[i]).plan;
      const bool is_new = std::none_of(
          plans.begin(), plans.end(), [&](const InputPlan& other) { return is_same(plan, other); });
      if (is_new) plans.push_back(std::move(plan));
    }
  }
  plans.erase(plans.begin());
  return plans;
}

}  // namespace headroom
