// SPDX-License-Identifier: Apache-2.0
// xoshiro256** and the distributions over it, free of the C library's rounding.
#include <headroom/base/random.h>

#include <bit>
#include <cmath>

namespace headroom {
namespace {

std::uint64_t split_mix(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31U);
}

// Natural logarithm of x in (0, 1): x = m * 2^e with m in [sqrt(1/2), sqrt(2)), and
// ln m = 2 atanh((m - 1) / (m + 1)) by its series; 14 odd terms reach below 2^-53 for |s| < 0.172.
double portable_log(double x) {
  constexpr double kLn2 = 0.693147180559945309417;
  constexpr double kRootHalf = 0.707106781186547524401;
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  if (mantissa < kRootHalf) {
    mantissa *= 2;
    --exponent;
  }
  const double s = (mantissa - 1) / (mantissa + 1);
  const double square = s * s;
  double sum = 0;
  for (int term = 27; term >= 1; term -= 2) sum = sum * square + 1.0 / term;
  return exponent * kLn2 + 2 * s * sum;
}

}  // namespace

Random::Random(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = split_mix(seed);
}

std::uint64_t Random::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17U;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Random::uniform() {
  return static_cast<double>(next() >> 11U) * 0x1.0p-53;
}

std::uint64_t Random::below(std::uint64_t bound) {
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(next()) * bound;
  auto low = static_cast<std::uint64_t>(product);
  if (low < bound) {
    const std::uint64_t threshold = (0 - bound) % bound;
    while (low < threshold) {
      product = static_cast<Wide>(next()) * bound;
      low = static_cast<std::uint64_t>(product);
    }
  }
  return static_cast<std::uint64_t>(product >> 64U);
}

std::int64_t Random::between(std::int64_t low, std::int64_t high) {
  const std::uint64_t width =
      static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  const std::uint64_t offset = width == 0 ? next() : below(width);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

double Random::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  double x = 0;
  double y = 0;
  double square = 0;
  do {
    x = 2 * uniform() - 1;
    y = 2 * uniform() - 1;
    square = x * x + y * y;
  } while (square >= 1 || square == 0);
  const double factor = std::sqrt(-2 * portable_log(square) / square);
  spare_ = y * factor;
  has_spare_ = true;
  return x * factor;
}

std::uint64_t derive_seed(std::uint64_t seed, const char* label) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char* c = label; *c != '\0'; ++c) {
    hash ^= static_cast<unsigned char>(*c);
    hash *= 0x100000001B3ULL;
  }
  std::uint64_t state = seed ^ hash;
  return split_mix(state);
}

}  // namespace headroom
