// SPDX-License-Identifier: Apache-2.0
// Loops of fused multiply-adds in registers, one for each instruction set. Their sources are
// compiled for that set alone, so they include nothing with inline functions: the linker could
// choose such a function's copy with instructions that this CPU lacks for the whole program.
#pragma once

#include <cstdint>

namespace headroom {

/// Chains that do not wait for one another. Enough of them hide the latency of an instruction:
/// latency times instructions per cycle, at most 5 x 2 on the processors with two vector pipes.
/// Source: Intel and AMD optimisation manuals; Fog, instruction tables.
inline constexpr int kChains = 12;

/// Iterations up to which a lane still counts exactly: a float holds every integer up to 2^24.
inline constexpr std::uint64_t kMostIterations = 1ULL << 23U;

struct FmaKernel {
  const char* isa;  ///< As /proc/cpuinfo writes it.
  int lanes;        ///< Floats in a vector.
  bool (*is_available)();
  /// Runs `iterations` (at most kMostIterations) times kChains vector multiply-adds x = x * 1 + 1,
  /// lane l of chain c starting at c + l; gives the sum over all lanes, see expected_sum.
  double (*run)(std::uint64_t iterations);
};

#if defined(__x86_64__)
double run_fma_avx512(std::uint64_t iterations);
double run_fma_avx2(std::uint64_t iterations);
#endif

}  // namespace headroom
