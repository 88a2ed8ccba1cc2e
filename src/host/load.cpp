// SPDX-License-Identifier: Apache-2.0
// How busy the machine is, of whose work, and how much of it the hypervisor took.
// docs/method/noise.md
#include <headroom/base/text.h>
#include <headroom/host.h>

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "host/cgroup.h"
#include "host/fields.h"

namespace headroom {
namespace {

constexpr double kQuietSteal = 0.005;
/// CPUs. Kernel threads and daemons of an idle machine stay below it.
constexpr double kQuietForeign = 0.02;

void read_machine_ticks(std::string_view stat, LoadSnapshot& snapshot) {
  // Source: proc(5): user nice system idle iowait irq softirq steal guest guest_nice; guest time is
  // part of user time.
  constexpr std::size_t kColumns = 8;
  constexpr std::size_t kIdle = 3;
  constexpr std::size_t kIoWait = 4;
  constexpr std::size_t kSteal = 7;
  for (const std::string& line : split(stat, '\n')) {
    if (!line.starts_with("cpu")) break;
    const std::vector<std::string_view> columns = words(line);
    if (columns[0] != "cpu") {
      ++snapshot.cpus;
      continue;
    }
    for (std::size_t i = 0; i < std::min(kColumns, columns.size() - 1); ++i) {
      const std::uint64_t ticks = leading_number(columns[i + 1]).value_or(0);
      snapshot.total_ticks += ticks;
      if (i == kSteal) snapshot.steal_ticks += ticks;
      if (i != kIdle && i != kIoWait && i != kSteal) snapshot.busy_ticks += ticks;
    }
  }
}

// Columns 14 to 17 of /proc/self/stat: utime stime cutime cstime. Source: proc(5).
std::uint64_t own_ticks(std::string_view stat) {
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string_view::npos) return 0;
  const std::vector<std::string_view> columns = words(stat.substr(name_end + 1));
  std::uint64_t ticks = 0;
  for (std::size_t column = 14; column <= 17 && column - 3 < columns.size(); ++column)
    ticks += leading_number(columns[column - 3]).value_or(0);
  return ticks;
}

// The fourth column of /proc/loadavg, `running/all`.
int running_tasks(std::string_view loadavg) {
  const std::vector<std::string_view> columns = words(loadavg);
  return columns.size() < 4 ? 0 : static_cast<int>(leading_number(columns[3]).value_or(0));
}

// Counters of a machine that was suspended or migrated may step back.
std::uint64_t grown(std::uint64_t before, std::uint64_t after) {
  return after > before ? after - before : 0;
}

}  // namespace

LoadSnapshot take_snapshot(const Host& host) {
  LoadSnapshot snapshot;
  // First of all, since the reading itself wakes others.
  const int running = running_tasks(host.read("/proc/loadavg").value_or(""));
  snapshot.runnable = std::max(0, running - host.own_runnable_threads());
  read_machine_ticks(host.read("/proc/stat").value_or(""), snapshot);
  snapshot.own_ticks = own_ticks(host.read("/proc/self/stat").value_or(""));
  snapshot.throttled_ns = read_cgroup_limits(host).throttled_ns;
  return snapshot;
}

Quietness compare(const LoadSnapshot& before, const LoadSnapshot& after) {
  Quietness quiet;
  quiet.throttled_ns = grown(before.throttled_ns, after.throttled_ns);
  quiet.foreign_runnable = std::min(before.runnable, after.runnable);
  const double total = static_cast<double>(grown(before.total_ticks, after.total_ticks));
  if (total == 0 || after.cpus == 0) return quiet;
  quiet.steal = static_cast<double>(grown(before.steal_ticks, after.steal_ticks)) / total;
  const double elapsed = total / after.cpus;
  const double own = static_cast<double>(grown(before.own_ticks, after.own_ticks));
  const double busy = static_cast<double>(grown(before.busy_ticks, after.busy_ticks));
  quiet.foreign_busy = std::max(0.0, busy - own) / elapsed;
  // Busy and own time are counted in whole ticks, each of which may be one off.
  const double allowed = kQuietForeign + 1 / elapsed;
  quiet.is_quiet = quiet.steal < kQuietSteal && quiet.foreign_busy < allowed &&
                   quiet.foreign_runnable == 0 && quiet.throttled_ns == 0;
  return quiet;
}

std::vector<HostWarning> find_noise(const Quietness& quietness) {
  std::vector<HostWarning> found;
  if (quietness.is_quiet) return found;
  if (quietness.steal >= kQuietSteal) {
    found.push_back(
        {.code = "steal_time",
         .found =
             fmt::format("the hypervisor took {:.1f} % of the CPU time", 100 * quietness.steal),
         .effect = "a run is stopped in its middle: the tail grows first, then the median",
         .remedy = "measure at a quieter time or on a machine with CPUs of its own"});
  }
  if (quietness.foreign_busy >= kQuietForeign || quietness.foreign_runnable > 0) {
    found.push_back(
        {.code = "other_load",
         .found = fmt::format("other programs kept {:.2f} CPUs busy, and {} of their "
                              "tasks wanted to run",
                              quietness.foreign_busy, quietness.foreign_runnable),
         .effect = "they take CPU time, cache and memory bandwidth from the measurement",
         .remedy = "stop them (`top` names them), or leave them CPUs of their own"});
  }
  if (quietness.throttled_ns > 0) {
    found.push_back({.code = "throttled",
                     .found = fmt::format("the control group stopped its processes for {}",
                                          format_time(Nanoseconds{quietness.throttled_ns})),
                     .effect = "samples hold the wait for the next period, often 50 ms and more",
                     .remedy = "use fewer threads than the quota has CPUs, or raise the quota"});
  }
  if (found.empty()) {
    found.push_back({.code = "noise_unseen",
                     .found = "/proc/stat counts nothing here",
                     .effect = "stolen time and other load stay unseen, so no run is called quiet",
                     .remedy = "run outside the sandbox that hides it"});
  }
  return found;
}

std::optional<ProcessMemory> own_memory(const Host& host) {
  const std::string status = host.read("/proc/self/status").value_or("");
  const auto kilobytes = [&](std::string_view key) {
    return leading_number(value_of(status, key));
  };
  const auto resident = kilobytes("VmRSS");
  if (!resident) return std::nullopt;
  return ProcessMemory{.resident = {*resident * 1024},
                       .anonymous = {kilobytes("RssAnon").value_or(0) * 1024},
                       .peak_resident = {kilobytes("VmHWM").value_or(*resident) * 1024}};
}

}  // namespace headroom
