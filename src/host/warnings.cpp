// SPDX-License-Identifier: Apache-2.0
// Standing conditions that disturb a measurement: each rule reads what it needs and says what it
// found, what that does to a result, and what to do about it. docs/method/noise.md
#include <headroom/base/text.h>
#include <headroom/host.h>

#include <array>
#include <charconv>
#include <map>
#include <string>

#include <fmt/format.h>

#include "host/cgroup.h"
#include "host/fields.h"

namespace headroom {
namespace {

using Warnings = std::vector<HostWarning>;

constexpr const char* kCpuFolder = "/sys/devices/system/cpu";

void check_governor(const Host& host, Warnings& found) {
  std::map<std::string, int> governors;
  for (const int cpu : host.affinity()) {
    if (const std::string name =
            read_trimmed(host, fmt::format("{}/cpu{}/cpufreq/scaling_governor", kCpuFolder, cpu));
        !name.empty())
      ++governors[printable(name)];
  }
  if (governors.empty()) {
    found.push_back({.code = "governor_unseen",
                     .found = "the frequency policy cannot be seen from here",
                     .effect = "the clock may rise and fall between launches without a trace",
                     .remedy =
                         "compare only runs that alternate; ask for the policy of the machine "
                         "below"});
    return;
  }
  for (const auto& [name, cpus] : governors) {
    if (name != "performance") {
      found.push_back({.code = "governor",
                       .found = fmt::format("frequency governor '{}' on {} CPUs", name, cpus),
                       .effect = "the clock follows the load: first runs are slow, launches differ",
                       .remedy = "cpupower frequency-set -g performance"});
    }
  }
}

void check_boost(const Host& host, Warnings& found) {
  const auto no_turbo = read_number(host, fmt::format("{}/intel_pstate/no_turbo", kCpuFolder));
  const auto boost = read_number(host, fmt::format("{}/cpufreq/boost", kCpuFolder));
  const bool is_on = (no_turbo && *no_turbo == 0) || (boost && *boost == 1);
  if (!is_on) return;
  found.push_back({.code = "boost",
                   .found = "the processor may clock above its base frequency",
                   .effect = "speed depends on temperature and on how many cores work",
                   .remedy = no_turbo ? fmt::format("echo 1 > {}/intel_pstate/no_turbo", kCpuFolder)
                                      : fmt::format("echo 0 > {}/cpufreq/boost", kCpuFolder)});
}

void check_smt(const Host& host, const HostFacts& facts, Warnings& found) {
  const auto active = read_number(host, fmt::format("{}/smt/active", kCpuFolder));
  const bool is_on = active ? *active == 1 : facts.logical_cpus > facts.physical_cores;
  if (!is_on) return;
  found.push_back({.code = "smt",
                   .found = fmt::format("{} logical CPUs share {} cores", facts.logical_cpus,
                                        facts.physical_cores),
                   .effect = "a neighbour on the same core can halve the speed of a thread",
                   .remedy = "use at most as many threads as cores, or echo off > "
                             "/sys/devices/system/cpu/smt/control"});
}

void check_cgroup(const Host& host, const HostFacts& facts, Warnings& found) {
  const CgroupLimits limits = read_cgroup_limits(host);
  const auto cpus = static_cast<double>(std::max<std::size_t>(1, host.affinity().size()));
  if (facts.quota_cpus && *facts.quota_cpus < cpus) {
    found.push_back(
        {.code = "cpu_quota",
         .found = fmt::format("the control group allows {:.2f} of {:.0f} CPUs; {} periods were cut "
                              "short so far ({})",
                              *facts.quota_cpus, cpus, limits.throttled_periods,
                              format_time(Nanoseconds{limits.throttled_ns})),
         .effect = "above the quota all threads stand still until the next period: latencies have "
                   "two peaks",
         .remedy = "keep threads below the quota, or raise it (docker --cpus, Kubernetes limits)"});
  }
  if (facts.memory_limit) {
    found.push_back(
        {.code = "memory_limit",
         .found = fmt::format("the control group allows {} of {}",
                              format_bytes(*facts.memory_limit), format_bytes(facts.memory)),
         .effect = "near the limit pages are reclaimed during a run; at it, it is killed",
         .remedy = "choose models whose peak memory stays below, or raise the limit"});
  }
}

void check_cpus(const Host& host, const HostFacts& facts, Warnings& found) {
  const std::size_t allowed = host.affinity().size();
  if (allowed != 0 && static_cast<int>(allowed) < facts.logical_cpus) {
    found.push_back(
        {.code = "affinity",
         .found = fmt::format("this process may use {} of {} CPUs", allowed, facts.logical_cpus),
         .effect = "engines that count all CPUs start more threads than can run",
         .remedy = "give --threads, or widen the set (taskset, cpuset)"});
  }
  if (facts.usable_cpus == 1) {
    found.push_back({.code = "one_cpu",
                     .found = "one usable CPU",
                     .effect =
                         "whatever else runs, this program's own progress too, interrupts the "
                         "measured thread",
                     .remedy = "expect wider intervals, and more launches for the same certainty"});
  }
  if (facts.numa_nodes > 1) {
    found.push_back({.code = "numa",
                     .found = fmt::format("{} memory nodes", facts.numa_nodes),
                     .effect = "a launch whose weights lie on the other node is slower",
                     .remedy = "numactl --cpunodebind=0 --membind=0 headroom ..."});
  }
}

void check_virtual(const HostFacts& facts, Warnings& found) {
  if (facts.hypervisor.empty()) return;
  found.push_back({.code = "virtual_machine",
                   .found = fmt::format("runs under {}", facts.hypervisor),
                   .effect = "neighbours share caches, memory bandwidth and frequency unseen; the "
                             "cache sizes told may not be those there are",
                   .remedy = "repeat at another hour; trust ratios of alternating runs more than "
                             "times"});
}

void check_load(const Host& host, Warnings& found) {
  constexpr double kIdle = 0.5;
  const std::string loadavg = host.read("/proc/loadavg").value_or("");
  double load = 0;
  std::from_chars(loadavg.data(), loadavg.data() + loadavg.size(), load);
  if (!(load > kIdle)) return;
  found.push_back({.code = "load",
                   .found = fmt::format("load average {:.2f} over the last minute, earlier runs of "
                                        "this program included",
                                        load),
                   .effect = "other work may still go on, and the processor may still be warm",
                   .remedy = "wait a minute; `top` names what runs"});
}

void check_memory(const Host& host, const HostFacts& facts, Warnings& found) {
  constexpr std::uint64_t kFewBytes = 1ULL << 30U;
  const std::string meminfo = host.read("/proc/meminfo").value_or("");
  const auto bytes = [&](std::string_view key) -> std::optional<std::uint64_t> {
    const auto kilobytes = leading_number(value_of(meminfo, key));
    return kilobytes ? std::optional(*kilobytes * 1024) : std::nullopt;
  };
  const auto available = bytes("MemAvailable");
  if (available && *available < std::max(kFewBytes, facts.memory.value / 20)) {
    found.push_back({.code = "low_memory",
                     .found = fmt::format("{} of {} available", format_bytes({*available}),
                                          format_bytes(facts.memory)),
                     .effect = "the kernel drops cached files and may swap during a run",
                     .remedy = "end what holds the memory (`ps --sort=-rss`)"});
  }
  const std::uint64_t swap_total = bytes("SwapTotal").value_or(0);
  const std::uint64_t swap_free = bytes("SwapFree").value_or(swap_total);
  if (swap_free < swap_total) {
    found.push_back(
        {.code = "swap",
         .found = fmt::format("{} of swap in use", format_bytes({swap_total - swap_free})),
         .effect = "touching a swapped page takes milliseconds instead of nanoseconds",
         .remedy = "free memory, then swapoff -a && swapon -a"});
  }
}

void check_kernel_settings(const Host& host, Warnings& found) {
  const auto aslr = read_number(host, "/proc/sys/kernel/randomize_va_space");
  if (aslr && *aslr != 0) {
    found.push_back({.code = "aslr",
                     .found = "address space layout is random",
                     .effect = "every launch has another memory layout, so launches differ by more "
                               "than the runs inside one",
                     .remedy = "compare intervals over launches, as printed; setarch -R would only "
                               "hide the spread"});
  }
  const std::string pages = read_trimmed(host, "/sys/kernel/mm/transparent_hugepage/enabled");
  if (pages.find("[always]") != std::string::npos) {
    found.push_back({.code = "huge_pages",
                     .found = "transparent huge pages: always",
                     .effect = "whether a launch gets large pages depends on free memory, and a "
                               "kernel thread moves pages meanwhile",
                     .remedy = "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"});
  }
  const std::string source =
      read_trimmed(host, "/sys/devices/system/clocksource/clocksource0/current_clocksource");
  if (source == "hpet" || source == "acpi_pm" || source == "jiffies") {
    found.push_back(
        {.code = "clock_source",
         .found = fmt::format("the kernel's clock is '{}'", source),
         .effect = "a clock reading costs a microsecond or more",
         .remedy = "boot with clocksource=tsc where the processor's counter is stable"});
  }
}

void check_battery(const Host& host, Warnings& found) {
  // Supplies have no fixed names; these are the ones that ACPI firmware gives to batteries.
  constexpr std::array kBatteries = {"BAT0", "BAT1", "BAT2", "BATT", "CMB0", "macsmc-battery"};
  for (const char* name : kBatteries) {
    if (read_trimmed(host, fmt::format("/sys/class/power_supply/{}/status", name)) != "Discharging")
      continue;
    found.push_back({.code = "battery",
                     .found = "the machine runs on its battery",
                     .effect = "firmware holds the frequency down",
                     .remedy = "plug it in"});
    return;
  }
}

}  // namespace

std::vector<HostWarning> find_warnings(const Host& host, const HostFacts& facts) {
  Warnings found;
  check_virtual(facts, found);
  check_cgroup(host, facts, found);
  check_cpus(host, facts, found);
  check_governor(host, found);
  check_boost(host, found);
  check_smt(host, facts, found);
  check_load(host, found);
  check_memory(host, facts, found);
  check_kernel_settings(host, found);
  check_battery(host, found);
  return found;
}

}  // namespace headroom
