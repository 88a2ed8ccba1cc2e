// SPDX-License-Identifier: Apache-2.0
// Kernels that find this machine's peaks. The instruction set is chosen at run time.
#pragma once

#include <headroom/base/clock.h>
#include <headroom/base/units.h>
#include <headroom/host.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// A measured peak of arithmetic.
struct Peak {
  std::string isa{};   ///< `avx512f`, `avx2`.
  std::string type{};  ///< `float32`.
  int threads = 1;
  FlopRate rate{};  ///< Median over repetitions; low and high: their 95 % order-statistic interval.
  FlopRate low{};
  FlopRate high{};
  FlopRate best{};  ///< The fastest repetition: the ceiling that no run should exceed.
  int repetitions = 0;
};

/// A peak that there is not, and why.
struct AbsentPeak {
  std::string isa{};
  std::string type{};
  int threads = 1;
  std::string reason{};
};

struct Ceilings {
  std::string time{};         ///< UTC.
  std::string fingerprint{};  ///< Of the platform.
  std::vector<Peak> peaks{};
  std::vector<AbsentPeak> absent{};

  /// The highest peak of `type` at `threads`; nothing if it was not measured.
  const Peak* best(std::string_view type, int threads) const;
};

/// Fused multiply-adds in registers on the widest vectors that this CPU has (and on narrower ones,
/// to compare), for 1 and for `threads` threads, or as many as this process may use at once where
/// that is fewer. What could not be measured is in `absent`.
/// Cost: about one second for each peak.
/// Errors: Unsupported on a CPU without AVX2 and FMA; Usage for threads < 1.
Ceilings measure_ceilings(const Clock& clock, const HostFacts& facts, int threads);

std::string to_json(const Ceilings& ceilings, int indent = -1);
/// Errors: BadInput naming the member.
Ceilings ceilings_from_json(std::string_view text);

}  // namespace headroom
