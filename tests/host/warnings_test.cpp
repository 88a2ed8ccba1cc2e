// SPDX-License-Identifier: Apache-2.0
// Which standing conditions are found on which machine.
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host/machines.h"

namespace headroom {
namespace {

using test::FakeHost;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> codes(const FakeHost& host) {
  std::vector<std::string> found;
  for (const HostWarning& warning : find_warnings(host, read_facts(host)))
    found.push_back(warning.code);
  return found;
}

HostWarning warning(const FakeHost& host, const std::string& code) {
  for (HostWarning& found : find_warnings(host, read_facts(host)))
    if (found.code == code) return found;
  ADD_FAILURE() << "no warning " << code;
  return {};
}

FakeHost desktop() {
  return FakeHost(test::amd_desktop(), {0, 1, 2, 3, 4, 5, 6, 7});
}

TEST(Warnings, OfADesktopAreItsFrequencyItsSiblingsAndItsPages) {
  EXPECT_THAT(codes(desktop()), ElementsAre("governor", "boost", "smt", "aslr", "huge_pages"));
}

TEST(Warnings, OfATunedMachineAreNone) {
  FakeHost host = desktop();
  for (int cpu = 0; cpu < 8; ++cpu)
    host.write("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpufreq/scaling_governor",
               "performance\n");
  host.write("/sys/devices/system/cpu/cpufreq/boost", "0\n");
  host.write("/sys/devices/system/cpu/smt/active", "0\n");
  host.write("/proc/sys/kernel/randomize_va_space", "0\n");
  host.write("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  EXPECT_THAT(codes(host), ElementsAre());
}

TEST(Warnings, OfAGuestSayThatThePolicyIsHidden) {
  const FakeHost host(test::intel_guest(), {0, 1});
  EXPECT_THAT(codes(host), ElementsAre("virtual_machine", "governor_unseen"));
}

TEST(Warnings, OfAContainerNameQuotaAndThrottling) {
  const FakeHost host(test::half_core_container(), {0, 1, 2, 3, 4, 5, 6, 7});
  EXPECT_THAT(codes(host), ElementsAre("cpu_quota", "memory_limit", "one_cpu", "governor_unseen"));
  EXPECT_EQ(warning(host, "cpu_quota").found,
            "the control group allows 0.50 of 8 CPUs; 12 periods were cut short so far (346 ms)");
  EXPECT_EQ(warning(host, "memory_limit").found, "the control group allows 2.00 GiB of 15.3 GiB");
}

TEST(Warnings, CountGovernors) {
  FakeHost host = desktop();
  host.write("/sys/devices/system/cpu/cpu3/cpufreq/scaling_governor", "performance\n");
  EXPECT_EQ(warning(host, "governor").found, "frequency governor 'schedutil' on 7 CPUs");
}

TEST(Warnings, KnowTheTurboSwitchOfIntel) {
  FakeHost host(test::intel_guest(), {0, 1});
  host.write("/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
  EXPECT_THAT(warning(host, "boost").remedy, HasSubstr("no_turbo"));
  host.write("/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
  EXPECT_THAT(codes(host), Not(Contains("boost")));
}

TEST(Warnings, FindWhatASingleFileTells) {
  struct Row {
    const char* path;
    const char* content;
    const char* code;
  };
  for (const Row& row : {
           Row{"/proc/loadavg", "1.25 0.10 0.09 1/812 40321\n", "load"},
           Row{"/proc/meminfo", "MemTotal: 65586540 kB\nMemAvailable: 900000 kB\n", "low_memory"},
           Row{"/proc/meminfo",
               "MemTotal: 65586540 kB\nMemAvailable: 60000000 kB\nSwapTotal: 1000 kB\n"
               "SwapFree: 400 kB\n",
               "swap"},
           Row{"/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n",
               "clock_source"},
           Row{"/sys/class/power_supply/BAT0/status", "Discharging\n", "battery"},
           Row{"/sys/devices/system/node/online", "0-1\n", "numa"},
       }) {
    FakeHost host = desktop();
    EXPECT_THAT(codes(host), Not(Contains(row.code))) << row.path;
    host.write(row.path, row.content);
    EXPECT_THAT(codes(host), Contains(row.code)) << row.path;
  }
}

TEST(Warnings, NameANarrowAffinity) {
  const FakeHost host(test::amd_desktop(), {1});
  EXPECT_EQ(warning(host, "affinity").found, "this process may use 1 of 8 CPUs");
  EXPECT_THAT(codes(host), Contains("one_cpu"));
}

TEST(Warnings, AllHaveAnEffectAndARemedy) {
  FakeHost host(test::half_core_container(), {0, 1});
  for (const auto& [path, content] : test::amd_desktop())
    if (path.rfind("/proc/self", 0) != 0 && path.rfind("/sys/fs", 0) != 0)
      host.write(path, content);
  host.write("/proc/loadavg", "9.00 9 9 9/9 9");
  host.hypervisor_name = "KVM";
  std::set<std::string> seen;
  for (const HostWarning& found : find_warnings(host, read_facts(host))) {
    EXPECT_TRUE(seen.insert(found.code).second) << found.code << " twice";
    EXPECT_FALSE(found.found.empty()) << found.code;
    EXPECT_FALSE(found.effect.empty()) << found.code;
    EXPECT_FALSE(found.remedy.empty()) << found.code;
  }
  EXPECT_GE(seen.size(), 8U);
}

}  // namespace
}  // namespace headroom
