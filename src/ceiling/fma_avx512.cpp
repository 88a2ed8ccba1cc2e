// SPDX-License-Identifier: Apache-2.0
// Compiled with -mavx512f; only functions without linkage elsewhere but the one that kernel.h
// names.
#include <immintrin.h>

#include "ceiling/kernel.h"

namespace headroom {
namespace {

constexpr int kLanes = 16;

double sum_of_lanes(__m512 vector) {
  alignas(64) float lanes[kLanes];
  _mm512_store_ps(lanes, vector);
  double sum = 0;
  for (const float lane : lanes) sum += static_cast<double>(lane);
  return sum;
}

}  // namespace

double run_fma_avx512(std::uint64_t iterations) {
  const __m512 ramp = _mm512_set_ps(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  __m512 factor = _mm512_set1_ps(1);
  __m512 step = _mm512_set1_ps(1);
  // The compiler must not know what it multiplies by and adds, or it would do without.
  asm volatile("" : "+v"(factor), "+v"(step));
  __m512 chains[kChains];
#pragma GCC unroll 12
  for (int c = 0; c < kChains; ++c)
    chains[c] = _mm512_add_ps(ramp, _mm512_set1_ps(static_cast<float>(c)));
  for (std::uint64_t i = 0; i < iterations; ++i) {
#pragma GCC unroll 12
    for (int c = 0; c < kChains; ++c) chains[c] = _mm512_fmadd_ps(chains[c], factor, step);
  }
  double sum = 0;
#pragma GCC unroll 12
  for (int c = 0; c < kChains; ++c) sum += sum_of_lanes(chains[c]);
  return sum;
}

}  // namespace headroom
