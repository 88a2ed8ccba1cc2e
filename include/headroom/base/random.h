// SPDX-License-Identifier: Apache-2.0
// Random numbers with a specified stream: the same seed gives the same bits on every machine and
// with every compiler, which the distributions of <random> do not promise.
#pragma once

#include <array>
#include <cstdint>

namespace headroom {

/// xoshiro256**, seeded through SplitMix64.
/// Source: Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021.
class Random {
 public:
  explicit Random(std::uint64_t seed);

  /// The next 64 random bits.
  std::uint64_t next();
  /// Uniform in [0, 1): the top 53 bits over 2^53.
  double uniform();
  /// Uniform in [0, bound), without bias. bound > 0.
  /// Source: Lemire, "Fast random integer generation in an interval", 2019.
  std::uint64_t below(std::uint64_t bound);
  /// Uniform in [low, high], both included. low <= high.
  std::int64_t between(std::int64_t low, std::int64_t high);
  /// Standard normal, by the polar method with logarithm and square root only.
  /// Source: Marsaglia and Bray, 1964. The logarithm is our own series, so that its last bit does
  /// not depend on the C library.
  double normal();

 private:
  std::array<std::uint64_t, 4> state_{};
  double spare_ = 0;
  bool has_spare_ = false;
};

/// A seed for a named part of an experiment, so that parts do not share a stream. `label` is hashed
/// with FNV-1a and mixed with `seed` by SplitMix64.
std::uint64_t derive_seed(std::uint64_t seed, const char* label);

}  // namespace headroom
