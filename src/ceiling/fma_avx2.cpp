// SPDX-License-Identifier: Apache-2.0
// Compiled with -mavx2 and -mfma; only functions without linkage elsewhere but the one that
// kernel.h names.
#include <immintrin.h>

#include "ceiling/kernel.h"

namespace headroom {
namespace {

constexpr int kLanes = 8;

double sum_of_lanes(__m256 vector) {
  alignas(32) float lanes[kLanes];
  _mm256_store_ps(lanes, vector);
  double sum = 0;
  for (const float lane : lanes) sum += static_cast<double>(lane);
  return sum;
}

}  // namespace

double run_fma_avx2(std::uint64_t iterations) {
  const __m256 ramp = _mm256_set_ps(7, 6, 5, 4, 3, 2, 1, 0);
  __m256 factor = _mm256_set1_ps(1);
  __m256 step = _mm256_set1_ps(1);
  // The compiler must not know what it multiplies by and adds, or it would do without.
  asm volatile("" : "+x"(factor), "+x"(step));
  __m256 chains[kChains];
#pragma GCC unroll 12
  for (int c = 0; c < kChains; ++c)
    chains[c] = _mm256_add_ps(ramp, _mm256_set1_ps(static_cast<float>(c)));
  for (std::uint64_t i = 0; i < iterations; ++i) {
#pragma GCC unroll 12
    for (int c = 0; c < kChains; ++c) chains[c] = _mm256_fmadd_ps(chains[c], factor, step);
  }
  double sum = 0;
#pragma GCC unroll 12
  for (int c = 0; c < kChains; ++c) sum += sum_of_lanes(chains[c]);
  return sum;
}

}  // namespace headroom
