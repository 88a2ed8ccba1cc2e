// SPDX-License-Identifier: Apache-2.0
// Facts of machines whose files were written by hand; every expected value stands in machines.cpp.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host/machines.h"

namespace headroom {
namespace {

using test::FakeHost;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;

TEST(HostFacts, DescribeABareMetalMachine) {
  const HostFacts facts = read_facts(FakeHost(test::amd_desktop(), {0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(facts.hostname, "desk");
  EXPECT_EQ(facts.cpu_vendor, "AuthenticAMD");
  EXPECT_EQ(facts.cpu_model, "AMD Ryzen 9 7950X 16-Core Processor");
  EXPECT_EQ(facts.cpu_signature, "25-97-2");
  EXPECT_EQ(facts.microcode, "0xa601206");
  EXPECT_EQ(facts.logical_cpus, 8);
  EXPECT_EQ(facts.physical_cores, 4);
  EXPECT_EQ(facts.usable_cpus, 8);
  EXPECT_EQ(facts.sockets, 1);
  EXPECT_EQ(facts.numa_nodes, 1);
  EXPECT_FALSE(facts.quota_cpus);
  EXPECT_FALSE(facts.memory_limit);
  EXPECT_EQ(facts.memory.value, 65586540ULL * 1024);
  EXPECT_EQ(facts.kernel, "6.1.0-18-amd64");
  EXPECT_EQ(facts.os, "Debian GNU/Linux 12 (bookworm)");
  EXPECT_EQ(facts.hypervisor, "");
}

TEST(HostFacts, LeaveInstructionCachesOut) {
  const HostFacts facts = read_facts(FakeHost(test::amd_desktop()));
  ASSERT_EQ(facts.caches.size(), 3U);
  EXPECT_EQ(facts.caches[0].level, 1);
  EXPECT_EQ(facts.caches[0].size.value, 32U * 1024);
  EXPECT_EQ(facts.caches[0].shared_by, 2);
  EXPECT_EQ(facts.caches[1].size.value, 1024U * 1024);
  EXPECT_EQ(facts.caches[2].level, 3);
  EXPECT_EQ(facts.caches[2].size.value, 32U * 1024 * 1024);
  EXPECT_EQ(facts.caches[2].shared_by, 8);
}

TEST(HostFacts, DescribeAGuestAsItsHypervisorTells) {
  FakeHost host(test::intel_guest(), {0, 1});
  host.hypervisor_name = "KVM";
  const HostFacts facts = read_facts(host);
  EXPECT_EQ(facts.hypervisor, "KVM");
  EXPECT_EQ(facts.cpu_signature, "6-207-2");
  EXPECT_EQ(facts.physical_cores, 2);
  EXPECT_EQ(facts.caches.back().size.value, 260ULL << 20U);
  EXPECT_THAT(facts.isa, Contains("amx_tile"));
  EXPECT_THAT(facts.isa, Contains("avx512f"));
  EXPECT_THAT(facts.isa, Not(Contains("hypervisor")));
}

TEST(HostFacts, NameAHypervisorThatHidesItsName) {
  EXPECT_EQ(read_facts(FakeHost(test::intel_guest())).hypervisor, "unknown");
  FakeHost named(test::intel_guest());
  named.write("/sys/class/dmi/id/sys_vendor", "QEMU\n");
  EXPECT_EQ(read_facts(named).hypervisor, "QEMU");
}

TEST(HostFacts, TakeTheTightestQuotaOfAllGroupsAbove) {
  const HostFacts facts =
      read_facts(FakeHost(test::half_core_container(), {0, 1, 2, 3, 4, 5, 6, 7}));
  ASSERT_TRUE(facts.quota_cpus);
  EXPECT_DOUBLE_EQ(*facts.quota_cpus, 0.5);  // 50000 of 100000, not the 2 CPUs of the inner group.
  EXPECT_EQ(facts.usable_cpus, 1);
  ASSERT_TRUE(facts.memory_limit);
  EXPECT_EQ(facts.memory_limit->value, 2ULL << 30U);
  EXPECT_EQ(facts.sockets, 2);
  EXPECT_EQ(facts.physical_cores, 8);  // From cpuinfo: there is no /sys here.
}

TEST(HostFacts, ReadControlGroupsOfVersionOne) {
  const HostFacts facts = read_facts(FakeHost(test::half_core_container_v1(), {0, 1}));
  ASSERT_TRUE(facts.quota_cpus);
  EXPECT_DOUBLE_EQ(*facts.quota_cpus, 0.5);
  ASSERT_TRUE(facts.memory_limit);
  EXPECT_EQ(facts.memory_limit->value, 2ULL << 30U);
}

TEST(HostFacts, ReadNoLimitFromTheWaysToWriteIt) {
  FakeHost host(test::half_core_container_v1(), {0, 1});
  host.write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  host.write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  const HostFacts facts = read_facts(host);
  EXPECT_FALSE(facts.quota_cpus);
  EXPECT_FALSE(facts.memory_limit);
  EXPECT_EQ(facts.usable_cpus, 2);
}

TEST(HostFacts, RoundAQuotaDownToWholeCpus) {
  FakeHost host(test::half_core_container(), {0, 1, 2, 3, 4, 5, 6, 7});
  host.write("/sys/fs/cgroup/pod/cpu.max", "350000 100000\n");
  host.write("/sys/fs/cgroup/pod/container/cpu.max", "max 100000\n");
  EXPECT_EQ(read_facts(host).usable_cpus, 3);
}

TEST(HostFacts, CountUsableCpusByAffinity) {
  EXPECT_EQ(read_facts(FakeHost(test::amd_desktop(), {2, 6})).usable_cpus, 2);
}

TEST(HostFacts, AskTheProcessorWhereTheFilesAreSilent) {
  FakeHost host({}, {0, 1, 2, 3});
  host.processor = {.sockets = 1,
                    .physical_cores = 2,
                    .numa_nodes = 1,
                    .caches = {{.level = 1, .size = {49152}, .shared_by = 2}}};
  const HostFacts facts = read_facts(host);
  EXPECT_EQ(facts.logical_cpus, 4);
  EXPECT_EQ(facts.physical_cores, 2);
  ASSERT_EQ(facts.caches.size(), 1U);
  EXPECT_EQ(facts.caches[0].size.value, 49152U);
}

TEST(HostFacts, AreTheSimplestMachineWhenNothingCanBeRead) {
  const HostFacts facts = read_facts(FakeHost({}, {}));
  EXPECT_EQ(facts.logical_cpus, 1);
  EXPECT_EQ(facts.physical_cores, 1);
  EXPECT_EQ(facts.usable_cpus, 1);
  EXPECT_EQ(facts.sockets, 1);
  EXPECT_EQ(facts.numa_nodes, 1);
  EXPECT_TRUE(facts.caches.empty());
  EXPECT_EQ(facts.cpu_signature, "");
}

// A sandbox may write anything into these files; none of it may end the program.
TEST(HostFacts, SurviveGarbage) {
  for (const std::string garbage :
       {"", "\n\n\n", ":::", "-1", "99999999999999999999999", "0-999999999", "\xff\xfe\x01",
        "a-b,c", "0::", "1:cpu:", "36 35 98:0 / /p - cgroup2", "cpu", ")", "max"}) {
    FakeHost::Files files = test::amd_desktop();
    for (auto& [path, content] : files) content = garbage;
    const FakeHost host(files, {0});
    const HostFacts facts = read_facts(host);
    EXPECT_GE(facts.logical_cpus, 1) << garbage;
    EXPECT_GE(facts.physical_cores, 1) << garbage;
    EXPECT_EQ(platform_fingerprint(facts).size(), 16U) << garbage;
    EXPECT_NO_THROW(find_warnings(host, facts)) << garbage;
    EXPECT_NO_THROW(take_snapshot(host)) << garbage;
    EXPECT_NO_THROW(own_memory(host)) << garbage;
  }
}

TEST(Fingerprint, DiffersBetweenMachines) {
  const HostFacts amd = read_facts(FakeHost(test::amd_desktop()));
  const HostFacts intel = read_facts(FakeHost(test::intel_guest()));
  EXPECT_NE(platform_fingerprint(amd), platform_fingerprint(intel));
}

// XXH3_64bits (libxxhash 0.8.1, from a C program of its own) of the text
// "V\nM\n1-2-3\n0x1\navx2 fma\n4 2 1 1\nL1 32768 2\n8\n": a change of it orphans stored
// calibrations.
TEST(Fingerprint, IsStableAcrossBuilds) {
  HostFacts facts;
  facts.cpu_vendor = "V";
  facts.cpu_model = "M";
  facts.cpu_signature = "1-2-3";
  facts.microcode = "0x1";
  facts.isa = {"avx2", "fma"};
  facts.logical_cpus = 4;
  facts.physical_cores = 2;
  facts.caches = {{.level = 1, .size = {32768}, .shared_by = 2}};
  facts.memory = {8ULL << 30U};
  EXPECT_EQ(platform_fingerprint(facts), "a179f6d122e29879");
}

TEST(Fingerprint, IgnoresWhatIsNoKindOfMachine) {
  HostFacts facts = read_facts(FakeHost(test::amd_desktop()));
  const std::string before = platform_fingerprint(facts);
  facts.hostname = "other";
  facts.kernel = "7.0";
  facts.usable_cpus = 1;
  facts.quota_cpus = 0.5;
  facts.memory = {facts.memory.value + 1'000'000};  // What another kernel keeps for itself.
  EXPECT_EQ(platform_fingerprint(facts), before);
}

TEST(Fingerprint, ChangesWithEachPartOfIt) {
  const HostFacts facts = read_facts(FakeHost(test::amd_desktop()));
  const std::string before = platform_fingerprint(facts);
  const auto changed = [&](auto change) {
    HostFacts other = facts;
    change(other);
    return platform_fingerprint(other);
  };
  EXPECT_NE(before, changed([](HostFacts& f) { f.cpu_model += "X"; }));
  EXPECT_NE(before, changed([](HostFacts& f) { f.microcode = "0xa601207"; }));
  EXPECT_NE(before, changed([](HostFacts& f) { f.isa.pop_back(); }));
  EXPECT_NE(before, changed([](HostFacts& f) { f.caches.pop_back(); }));
  EXPECT_NE(before, changed([](HostFacts& f) { f.physical_cores = 3; }));
  EXPECT_NE(before, changed([](HostFacts& f) { f.memory = {32ULL << 30U}; }));
}

}  // namespace
}  // namespace headroom
