// SPDX-License-Identifier: Apache-2.0
// Which kernels this build has and this CPU can run.
#include "ceiling/kernels.h"

#include <array>

namespace headroom {
namespace {

#if defined(__x86_64__)
// The compiler's own test, which also asks whether the system saves the wide registers.
bool has_avx512() {
  return __builtin_cpu_supports("avx512f") != 0;
}
bool has_avx2() {
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
}
constexpr std::array kKernels = {
    FmaKernel{.isa = "avx512f", .lanes = 16, .is_available = has_avx512, .run = run_fma_avx512},
    FmaKernel{.isa = "avx2", .lanes = 8, .is_available = has_avx2, .run = run_fma_avx2},
};
#else
constexpr std::array<FmaKernel, 0> kKernels{};
#endif

}  // namespace

std::span<const FmaKernel> fma_kernels() noexcept {
  return kKernels;
}

std::uint64_t macs_of(const FmaKernel& kernel, std::uint64_t iterations) noexcept {
  return iterations * kChains * static_cast<std::uint64_t>(kernel.lanes);
}

double expected_sum(const FmaKernel& kernel, std::uint64_t iterations) noexcept {
  const double chains = kChains;
  const double lanes = kernel.lanes;
  // Each lane counts to its start plus the iterations; the starts are c + l.
  return chains * lanes * (static_cast<double>(iterations) + (chains - 1) / 2 + (lanes - 1) / 2);
}

}  // namespace headroom
