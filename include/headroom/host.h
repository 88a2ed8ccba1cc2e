// SPDX-License-Identifier: Apache-2.0
// What this machine is, what limits this process, and what disturbs a measurement now.
#pragma once

#include <headroom/base/units.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

struct Cache {
  int level = 0;
  Bytes size{};
  int shared_by = 1;  ///< Logical CPUs that share it.
};

/// Packages, cores and caches as the processor itself tells them. 0 and empty: not told.
struct Topology {
  int sockets = 0;
  int physical_cores = 0;
  int numa_nodes = 0;
  std::vector<Cache> caches{};
};

/// The seam to the operating system's files, so that tests can describe any machine.
class Host {
 public:
  virtual ~Host() = default;
  /// Content of a file under /proc, /sys or /etc; nothing if it cannot be read.
  virtual std::optional<std::string> read(const std::filesystem::path& path) const = 0;
  /// Logical CPUs that this process may run on.
  virtual std::vector<int> affinity() const = 0;
  /// Asked only for what the files do not say, as where /sys is hidden. Cost: tens of milliseconds.
  virtual Topology topology() const { return {}; }
  /// What the hypervisor calls itself (`KVM`); empty on bare metal and where it cannot be asked.
  virtual std::string hypervisor() const { return {}; }
  /// Ids of the threads of this process.
  virtual std::vector<int> own_threads() const { return {}; }
  /// Threads of this process that run or wait for a CPU now, the caller among them.
  virtual int own_runnable_threads() const { return 1; }
};

class LinuxHost final : public Host {
 public:
  std::optional<std::string> read(const std::filesystem::path& path) const override;
  std::vector<int> affinity() const override;
  Topology topology() const override;
  std::string hypervisor() const override;
  std::vector<int> own_threads() const override;
  int own_runnable_threads() const override;
};

/// Facts that do not change while the machine is up.
struct HostFacts {
  std::string hostname{};  ///< A label, never part of an identity.
  std::string cpu_vendor{};
  std::string cpu_model{};
  std::string cpu_signature{};  ///< `family-model-stepping`.
  std::string microcode{};
  std::vector<std::string>
      isa{};  ///< Of those that engines choose by: avx2, fma, avx512f, amx_tile, …
  int logical_cpus = 0;
  int physical_cores = 0;
  int usable_cpus =
      0;  ///< Affinity and cgroup quota (rounded down, at least 1) taken into account.
  std::optional<double> quota_cpus{};  ///< cgroup cpu.max.
  int sockets = 1;
  int numa_nodes = 1;
  std::vector<Cache> caches{};
  Bytes memory{};
  std::optional<Bytes> memory_limit{};  ///< cgroup memory.max.
  std::string kernel{};
  std::string os{};
  std::string hypervisor{};  ///< Empty on bare metal.
  std::string libc{};
};

/// Reads the facts. Cost: some milliseconds.
HostFacts read_facts(const Host& host);

/// Identity of a kind of machine: CPU model, signature, microcode, ISA, caches, cores, memory
/// (rounded to GiB); 16 hexadecimal digits. Stable across boots; the host name is no part of it.
std::string platform_fingerprint(const HostFacts& facts);

/// A disturbance or a limit, with what it does to a result and what to do about it.
struct HostWarning {
  std::string code{};  ///< `steal_time`, `cpu_quota`, …
  std::string found{};
  std::string effect{};
  std::string remedy{};
};

/// Counters at one moment; two of them tell what happened between.
struct LoadSnapshot {
  std::uint64_t total_ticks = 0;  ///< Of all CPUs, /proc/stat.
  std::uint64_t steal_ticks = 0;
  std::uint64_t busy_ticks = 0;
  std::uint64_t own_ticks = 0;     ///< Of this process and its waited-for children.
  int runnable = 0;                ///< Tasks of others: /proc/loadavg less our own threads.
  std::uint64_t throttled_ns = 0;  ///< cgroup cpu.stat.
  int cpus = 0;                    ///< That the ticks were counted on; 0: nothing was.
};
LoadSnapshot take_snapshot(const Host& host);

/// How quiet the machine was between two snapshots.
struct Quietness {
  double steal = 0;         ///< Share of CPU time stolen by the hypervisor.
  double foreign_busy = 0;  ///< CPUs kept busy by others.
  std::uint64_t throttled_ns = 0;
  int foreign_runnable = 0;  ///< Tasks of others that were runnable at both ends.
  /// steal < 0.005, no foreign work, not throttled (docs/method/noise.md); unseen is not quiet.
  bool is_quiet = false;
};
Quietness compare(const LoadSnapshot& before, const LoadSnapshot& after);

/// Standing conditions that disturb measurement: governor, boost, SMT, quota, ASLR, load, limits.
std::vector<HostWarning> find_warnings(const Host& host, const HostFacts& facts);

/// What disturbed between two snapshots: stolen time, foreign load, throttling. Empty when quiet.
std::vector<HostWarning> find_noise(const Quietness& quietness);

/// Memory of a process, from /proc/PID/status.
struct ProcessMemory {
  Bytes resident{};
  Bytes anonymous{};
  Bytes peak_resident{};
};
/// Of this process. Nothing where /proc is absent.
std::optional<ProcessMemory> own_memory(const Host& host);

/// A thread of this process at one moment. Source: proc(5), /proc/PID/task/TID/stat.
struct ThreadUse {
  int id = 0;
  std::uint64_t ticks = 0;  ///< CPU time so far, in hundredths of a second.
  int cpu = 0;              ///< That it ran on last.
};
std::vector<ThreadUse> thread_use(const Host& host);

/// Threads that had a CPU for at least a tenth of a time, and the CPUs that they were on at its
/// end.
struct BusyThreads {
  int threads = 0;
  std::vector<int> cpus{};  ///< Ascending, each once.
};
/// Nothing where less than 200 ms passed (a tick is 10 ms) or no thread can be seen.
std::optional<BusyThreads> busy_threads(const std::vector<ThreadUse>& before,
                                        const std::vector<ThreadUse>& after, Nanoseconds elapsed);

}  // namespace headroom
