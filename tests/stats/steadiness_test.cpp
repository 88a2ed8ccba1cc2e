// SPDX-License-Identifier: Apache-2.0
// The end of warm-up: rates on seeded simulations. docs/method/statistics.md states them.
#include <headroom/base/random.h>
#include <headroom/stats.h>

#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

namespace headroom::stats {
namespace {

using Noise = std::function<double(Random&)>;          // relative to 0
using Shape = std::function<double(double position)>;  // relative to 0, position in [0, 1)

double normal_noise(Random& random) {
  return 0.01 * random.normal();
}
// One run in ten up to several times slower, as interrupts and migrations make them.
double heavy_noise(Random& random) {
  const double base = 0.01 * std::fabs(random.normal());
  return random.uniform() < 0.1 ? base + 0.5 / std::sqrt(random.uniform() + 1e-3) : base;
}
double no_change(double) {
  return 0;
}

double steady_rate(std::size_t window, const Noise& noise, const Shape& shape) {
  constexpr int kWindows = 4000;
  Random random(7);
  int steady = 0;
  std::vector<double> values(window);
  for (int i = 0; i < kWindows; ++i) {
    for (std::size_t k = 0; k < window; ++k) {
      const double position = static_cast<double>(k) / static_cast<double>(window);
      values[k] = 1e6 * (1 + shape(position)) * (1 + noise(random));
    }
    steady += static_cast<int>(judge_steadiness(values).is_steady);
  }
  return static_cast<double>(steady) / kWindows;
}

TEST(JudgeSteadiness, CallsStationaryNoiseSteadyInMostWindows) {
  const auto wide = [](Random& random) { return 0.2 * (random.uniform() - 0.5); };
  for (const std::size_t window : {8U, 16U, 32U, 128U, 1024U}) {
    const double least = window == 8 ? 0.75 : 0.80;
    EXPECT_GE(steady_rate(window, normal_noise, no_change), least) << window;
    EXPECT_GE(steady_rate(window, heavy_noise, no_change), least) << window;
    EXPECT_GE(steady_rate(window, wide, no_change), least) << window;
  }
}

TEST(JudgeSteadiness, RefusesADecayThatIsStillVisible) {
  // From 10 % down to 10 % / e^3 within the window: the halves differ by about 4 %.
  const Shape decay = [](double position) { return 0.1 * std::exp(-3 * position); };
  for (const std::size_t window : {16U, 32U, 128U, 1024U}) {
    EXPECT_LE(steady_rate(window, normal_noise, decay), 0.05) << window;
    EXPECT_LE(steady_rate(window, heavy_noise, decay), 0.05) << window;
  }
}

TEST(JudgeSteadiness, RefusesAStepOfThreePercentUpOrDown) {
  for (const double size : {0.03, -0.03}) {
    const Shape step = [size](double position) { return position >= 0.5 ? size : 0.0; };
    for (const std::size_t window : {32U, 128U, 1024U}) {
      EXPECT_LE(steady_rate(window, normal_noise, step), 0.05) << window << ' ' << size;
      EXPECT_LE(steady_rate(window, heavy_noise, step), 0.05) << window << ' ' << size;
    }
  }
}

TEST(JudgeSteadiness, RefusesALinearChangeOfFourPercent) {
  // 4 % over the window is a step of 2 % between the halves.
  for (const double size : {0.04, -0.04}) {
    const Shape linear = [size](double position) { return size * position; };
    for (const std::size_t window : {32U, 128U, 1024U})
      EXPECT_LE(steady_rate(window, normal_noise, linear), 0.05) << window << ' ' << size;
  }
}

TEST(JudgeSteadiness, AcceptsAChangeThatIsTooSmallToMatter) {
  // Without noise a change of 0.4 % is certain and still irrelevant.
  const Shape linear = [](double position) { return 0.004 * position; };
  EXPECT_EQ(steady_rate(
                128, [](Random&) { return 0.0; }, linear),
            1);
}

TEST(JudgeSteadiness, IsNotDeceivedByOneHugeOutlier) {
  std::vector<double> values(32, 100.0);
  values[30] = 1e9;
  EXPECT_TRUE(judge_steadiness(values).is_steady);
}

TEST(JudgeSteadiness, NeedsEightValues) {
  EXPECT_FALSE(judge_steadiness(std::vector<double>(7, 1.0)).is_steady);
  EXPECT_TRUE(judge_steadiness(std::vector<double>(8, 1.0)).is_steady);
}

TEST(JudgeSteadiness, SaysTheSizeOfTheStep) {
  // Halves 200 and 150: a quarter faster.
  std::vector<double> values(8, 200.0);
  values.resize(16, 150.0);
  const Steadiness result = judge_steadiness(values);
  EXPECT_FALSE(result.is_steady);
  EXPECT_DOUBLE_EQ(result.step, -0.25);
}

TEST(JudgeSteadiness, HandlesTimesBelowTheClocksResolution) {
  EXPECT_TRUE(judge_steadiness(std::vector<double>(16, 0.0)).is_steady);
  std::vector<double> values(8, 0.0);
  values.resize(16, 20.0);
  EXPECT_FALSE(judge_steadiness(values).is_steady);
}

// The rule as a warm-up uses it: the newest half of all runs, looked at whenever they have grown by
// a half. Returns the excess over the steady state at which the warm-up was ended, by seed.
double excess_at_end(std::uint64_t seed, double excess, double decay_runs, const Noise& noise) {
  Random random(seed);
  std::vector<double> runs;
  for (std::size_t look = 128; look < 100'000; look += look / 2) {
    while (runs.size() < look) {
      const double left = excess * std::exp(-static_cast<double>(runs.size()) / decay_runs);
      runs.push_back((1 + left) * (1 + noise(random)));
    }
    const std::span<const double> all(runs);
    if (judge_steadiness(all.last(look / 2)).is_steady)
      return excess * std::exp(-static_cast<double>(look) / decay_runs);
  }
  return excess;
}

TEST(JudgeSteadiness, EndsAWarmUpOnlyWhenLessThanTwoPercentIsLeft) {
  for (const double decay_runs : {3.0, 30.0, 300.0}) {
    int early = 0;
    constexpr int kWarmUps = 1000;
    for (std::uint64_t seed = 0; seed < kWarmUps; ++seed)
      early += static_cast<int>(excess_at_end(seed, 0.5, decay_runs, normal_noise) > 0.02);
    EXPECT_LE(early, kWarmUps / 20) << decay_runs;
  }
}

}  // namespace
}  // namespace headroom::stats
