// SPDX-License-Identifier: Apache-2.0
// The list of kernels, and what a run of one must give.
#pragma once

#include <cstdint>
#include <span>

#include "ceiling/kernel.h"

namespace headroom {

/// The kernels of this build, the widest first. Ask is_available before a run.
std::span<const FmaKernel> fma_kernels() noexcept;

/// Multiply-adds of a run.
std::uint64_t macs_of(const FmaKernel& kernel, std::uint64_t iterations) noexcept;

/// The sum that a right run gives, exactly.
double expected_sum(const FmaKernel& kernel, std::uint64_t iterations) noexcept;

}  // namespace headroom
