// SPDX-License-Identifier: Apache-2.0
// The kernels compute what they claim to, whatever the processor's speed.
#include <headroom/host.h>

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "ceiling/kernels.h"

namespace headroom {
namespace {

// Counted one by one: chain c, lane l starts at c + l and grows by 1 in each iteration.
double counted_sum(int lanes, std::uint64_t iterations) {
  double sum = 0;
  for (int chain = 0; chain < kChains; ++chain)
    for (int lane = 0; lane < lanes; ++lane) sum += chain + lane + static_cast<double>(iterations);
  return sum;
}

TEST(Kernels, HaveTheClosedFormOfTheirSum) {
  // By hand: 12 chains of 8 lanes, starts sum to 8 * 66 + 12 * 28 = 864, and 96 lanes grow by 5.
  const FmaKernel narrow{.isa = "", .lanes = 8, .is_available = nullptr, .run = nullptr};
  EXPECT_EQ(expected_sum(narrow, 5), 864 + 96 * 5);
  EXPECT_EQ(expected_sum(narrow, 5), counted_sum(8, 5));
  EXPECT_EQ(macs_of(narrow, 5), 12U * 8 * 5);
}

TEST(Kernels, GiveTheRightSumForEveryLength) {
  int run = 0;
  for (const FmaKernel& kernel : fma_kernels()) {
    if (!kernel.is_available()) {
      std::cout << "not run: this CPU lacks " << kernel.isa << '\n';
      continue;
    }
    ++run;
    for (const std::uint64_t iterations : {0ULL, 1ULL, 2ULL, 1000ULL, 123'457ULL})
      EXPECT_EQ(kernel.run(iterations), counted_sum(kernel.lanes, iterations))
          << kernel.isa << " at " << iterations;
    // The largest count is still exact in every lane.
    EXPECT_EQ(kernel.run(kMostIterations), counted_sum(kernel.lanes, kMostIterations))
        << kernel.isa;
  }
  if (run == 0) GTEST_SKIP() << "this CPU runs none of the kernels";
}

TEST(Kernels, AreListedTheWidestFirst) {
  const auto kernels = fma_kernels();
  EXPECT_TRUE(std::is_sorted(kernels.begin(), kernels.end(),
                             [](const auto& a, const auto& b) { return a.lanes > b.lanes; }));
}

// Two ways to ask what the CPU has: the kernel's list of flags and the compiler's own test.
TEST(Kernels, AreAvailableWhereTheSystemListsTheirInstructions) {
  const HostFacts facts = read_facts(LinuxHost());
  if (facts.isa.empty()) GTEST_SKIP() << "/proc/cpuinfo lists no flags here";
  for (const FmaKernel& kernel : fma_kernels()) {
    const bool is_listed =
        std::find(facts.isa.begin(), facts.isa.end(), kernel.isa) != facts.isa.end();
    EXPECT_EQ(kernel.is_available(), is_listed) << kernel.isa;
  }
}

}  // namespace
}  // namespace headroom
