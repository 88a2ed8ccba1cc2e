// SPDX-License-Identifier: Apache-2.0
#include "host/machines.h"

#include <fmt/format.h>

namespace headroom::test {
namespace {

struct CpuLine {
  int cpu;
  int package;
  int core;
};

std::string cpuinfo_of(const std::vector<CpuLine>& cpus, const std::string& common,
                       const std::string& flags) {
  std::string text;
  for (const CpuLine& cpu : cpus)
    text += fmt::format(
        "processor\t: {}\n{}physical id\t: {}\nsiblings\t: 8\ncore id\t\t: {}\n"
        "cpu cores\t: 4\nfpu\t\t: yes\nflags\t\t: {}\nbugs\t\t: sysret_ss_attrs\n\n",
        cpu.cpu, common, cpu.package, cpu.core, flags);
  return text;
}

void add_cache(FakeHost::Files& files, int index, int level, const std::string& type,
               const std::string& size, const std::string& sharers) {
  const std::string folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}", index);
  files[folder + "/level"] = fmt::format("{}\n", level);
  files[folder + "/type"] = type + "\n";
  files[folder + "/size"] = size + "\n";
  files[folder + "/shared_cpu_list"] = sharers + "\n";
}

}  // namespace

FakeHost::Files amd_desktop() {
  FakeHost::Files files;
  std::vector<CpuLine> cpus;
  for (int cpu = 0; cpu < 8; ++cpu) cpus.push_back({cpu, 0, cpu % 4});
  files["/proc/cpuinfo"] = cpuinfo_of(
      cpus,
      "vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 97\n"
      "model name\t: AMD Ryzen 9 7950X 16-Core Processor\nstepping\t: 2\n"
      "microcode\t: 0xa601206\ncpu MHz\t\t: 4491.234\n",
      "fpu vme sse4_1 sse4_2 avx f16c fma avx2 bmi2 avx512f avx512dq avx512cd avx512bw avx512vl "
      "avx512ifma avx512vbmi avx512_vbmi2 avx512_vnni avx512_bitalg avx512_bf16");
  files["/sys/devices/system/cpu/online"] = "0-7\n";
  files["/sys/devices/system/node/online"] = "0\n";
  for (int cpu = 0; cpu < 8; ++cpu) {
    const std::string folder = fmt::format("/sys/devices/system/cpu/cpu{}", cpu);
    files[folder + "/topology/thread_siblings_list"] = fmt::format("{},{}\n", cpu % 4, cpu % 4 + 4);
    files[folder + "/cpufreq/scaling_governor"] = "schedutil\n";
  }
  add_cache(files, 0, 1, "Data", "32K", "0,4");
  add_cache(files, 1, 1, "Instruction", "32K", "0,4");
  add_cache(files, 2, 2, "Unified", "1024K", "0,4");
  add_cache(files, 3, 3, "Unified", "32768K", "0-7");
  files["/sys/devices/system/cpu/smt/active"] = "1\n";
  files["/sys/devices/system/cpu/cpufreq/boost"] = "1\n";
  files["/proc/sys/kernel/hostname"] = "desk\n";
  files["/proc/sys/kernel/osrelease"] = "6.1.0-18-amd64\n";
  files["/proc/sys/kernel/randomize_va_space"] = "2\n";
  files["/etc/os-release"] = "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nNAME=\"Debian\"\n";
  files["/proc/meminfo"] =
      "MemTotal:       65586540 kB\nMemFree:         2000000 kB\nMemAvailable:   60000000 kB\n"
      "SwapTotal:       1000000 kB\nSwapFree:        1000000 kB\n";
  files["/proc/self/cgroup"] = "0::/user.slice/session-2.scope\n";
  files["/proc/self/mountinfo"] =
      "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
  files["/sys/fs/cgroup/user.slice/cpu.max"] = "max 100000\n";
  files["/sys/fs/cgroup/user.slice/memory.max"] = "max\n";
  files["/sys/kernel/mm/transparent_hugepage/enabled"] = "[always] madvise never\n";
  files["/sys/devices/system/clocksource/clocksource0/current_clocksource"] = "tsc\n";
  files["/proc/loadavg"] = "0.02 0.10 0.09 1/812 40321\n";
  return files;
}

FakeHost::Files intel_guest() {
  FakeHost::Files files;
  files["/proc/cpuinfo"] = cpuinfo_of(
      {{0, 0, 0}, {1, 0, 1}},
      "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 207\n"
      "model name\t: Intel(R) Xeon(R) Processor\nstepping\t: 2\nmicrocode\t: 0x1\n",
      "fpu sse4_1 sse4_2 avx f16c fma avx2 hypervisor avx512f avx512bw avx_vnni avx512_bf16 "
      "avx512_fp16 amx_tile amx_int8 amx_bf16");
  files["/sys/devices/system/cpu/online"] = "0-1\n";
  files["/sys/devices/system/node/online"] = "0\n";
  for (int cpu = 0; cpu < 2; ++cpu)
    files[fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu)] =
        fmt::format("{}\n", cpu);
  add_cache(files, 0, 1, "Data", "48K", "0");
  add_cache(files, 1, 1, "Instruction", "32K", "0");
  add_cache(files, 2, 2, "Unified", "2048K", "0");
  add_cache(files, 3, 3, "Unified", "266240K", "0-1");
  files["/proc/meminfo"] = "MemTotal:       24684084 kB\nMemAvailable:   24060440 kB\n";
  files["/proc/sys/kernel/osrelease"] = "6.18.0\n";
  return files;
}

FakeHost::Files half_core_container() {
  FakeHost::Files files;
  std::vector<CpuLine> cpus;
  for (int cpu = 0; cpu < 8; ++cpu) cpus.push_back({cpu, cpu / 4, cpu % 4});
  files["/proc/cpuinfo"] =
      cpuinfo_of(cpus, "vendor_id\t: GenuineIntel\nmodel name\t: Intel(R) Xeon(R) Gold 6138\n",
                 "fpu avx fma avx2");
  files["/proc/meminfo"] = "MemTotal:       16000000 kB\nMemAvailable:    9000000 kB\n";
  files["/proc/self/cgroup"] = "0::/pod/container\n";
  files["/proc/self/mountinfo"] =
      "24 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
      "30 23 0:26 / /sys/fs/cgroup ro,nosuid shared:4 master:1 - cgroup2 cgroup rw\n";
  files["/sys/fs/cgroup/pod/cpu.max"] = "50000 100000\n";
  files["/sys/fs/cgroup/pod/memory.max"] = "2147483648\n";
  files["/sys/fs/cgroup/pod/cpu.stat"] =
      "usage_usec 7000000\nnr_periods 200\nnr_throttled 12\nthrottled_usec 345678\n";
  files["/sys/fs/cgroup/pod/container/cpu.max"] = "200000 100000\n";
  files["/sys/fs/cgroup/pod/container/memory.max"] = "max\n";
  return files;
}

FakeHost::Files half_core_container_v1() {
  FakeHost::Files files = half_core_container();
  files["/proc/self/cgroup"] =
      "9:memory:/docker/c0ffee\n4:cpu,cpuacct:/docker/c0ffee\n1:name=systemd:/docker/c0ffee\n";
  files["/proc/self/mountinfo"] =
      "40 39 0:30 /docker/c0ffee /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n"
      "41 39 0:31 /docker/c0ffee /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n";
  files["/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us"] = "50000\n";
  files["/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us"] = "100000\n";
  files["/sys/fs/cgroup/cpu,cpuacct/cpu.stat"] =
      "nr_periods 200\nnr_throttled 12\nthrottled_time 345678000\n";
  files["/sys/fs/cgroup/memory/memory.limit_in_bytes"] = "2147483648\n";
  return files;
}

}  // namespace headroom::test
