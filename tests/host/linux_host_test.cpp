// SPDX-License-Identifier: Apache-2.0
// This machine, whatever it is: what must hold on every Linux, and two sources that must agree.
#include <headroom/host.h>

#include <atomic>
#include <thread>

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

namespace headroom {
namespace {

TEST(LinuxHost, ReadsFilesAndMissesAbsentOnes) {
  const LinuxHost host;
  EXPECT_TRUE(host.read("/proc/stat"));
  EXPECT_FALSE(host.read("/proc/no-such-file"));
  EXPECT_FALSE(host.read("/proc"));  // A folder.
}

TEST(LinuxHost, SeesTheAffinityOfThisProcess) {
  cpu_set_t set;
  ASSERT_EQ(::sched_getaffinity(0, sizeof(set), &set), 0);
  EXPECT_EQ(LinuxHost().affinity().size(), static_cast<std::size_t>(CPU_COUNT(&set)));
}

TEST(LinuxHost, DescribesThisMachine) {
  const HostFacts facts = read_facts(LinuxHost());
  EXPECT_GE(facts.usable_cpus, 1);
  EXPECT_GE(facts.logical_cpus, facts.usable_cpus);
  EXPECT_GE(facts.logical_cpus, facts.physical_cores);
  EXPECT_GT(facts.memory.value, 0U);
  EXPECT_FALSE(facts.kernel.empty());
  EXPECT_EQ(platform_fingerprint(facts), platform_fingerprint(read_facts(LinuxHost())));
}

// /sys and hwloc are read by different code; where both know, they agree.
TEST(LinuxHost, AgreesWithTheProcessorItself) {
  const LinuxHost host;
  const HostFacts facts = read_facts(host);
  const Topology topology = host.topology();
  if (topology.physical_cores == 0 || topology.caches.empty())
    GTEST_SKIP() << "hwloc finds no cores or caches here";
  EXPECT_EQ(facts.physical_cores, topology.physical_cores);
  ASSERT_FALSE(facts.caches.empty());
  EXPECT_EQ(facts.caches[0].size.value, topology.caches[0].size.value);
}

TEST(LinuxHost, CountsTheCallerAmongItsRunnableThreads) {
  EXPECT_GE(LinuxHost().own_runnable_threads(), 1);
}

TEST(LinuxHost, CountsASpinningThreadAsItsOwn) {
  std::atomic<bool> is_started = false;
  std::jthread spinning([&](const std::stop_token& stop) {
    is_started = true;
    while (!stop.stop_requested()) {
    }
  });
  while (!is_started) std::this_thread::yield();
  EXPECT_EQ(LinuxHost().own_runnable_threads(), 2);
}

TEST(LinuxHost, KnowsItsMemory) {
  const auto memory = own_memory(LinuxHost());
  ASSERT_TRUE(memory);
  EXPECT_GT(memory->resident.value, 100'000U);
  EXPECT_GE(memory->peak_resident.value, memory->resident.value);
}

}  // namespace
}  // namespace headroom
