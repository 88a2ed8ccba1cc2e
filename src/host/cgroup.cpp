// SPDX-License-Identifier: Apache-2.0
// Where a process's control groups are mounted, and what they limit.
#include "host/cgroup.h"

#include <headroom/base/text.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "host/fields.h"

namespace headroom {
namespace {

// A mounted hierarchy: `root` of it appears at `point`.
struct Mount {
  std::string root;
  std::string point;
  bool is_v2 = false;
  std::vector<std::string> controllers;
};

// A line of mountinfo: `36 35 98:0 /root /point options [optional…] - type source super-options`.
std::vector<Mount> cgroup_mounts(const Host& host) {
  std::vector<Mount> mounts;
  for (const std::string& line : split(host.read("/proc/self/mountinfo").value_or(""), '\n')) {
    const std::vector<std::string_view> fields = words(line);
    const auto dash = std::find(fields.begin(), fields.end(), "-");
    if (fields.size() < 6 || fields.end() - dash < 4) continue;
    const std::string_view type = *(dash + 1);
    if (type != "cgroup" && type != "cgroup2") continue;
    mounts.push_back({.root = std::string(fields[3]),
                      .point = std::string(fields[4]),
                      .is_v2 = type == "cgroup2",
                      .controllers = split(*(dash + 3), ',')});
  }
  return mounts;
}

bool holds(const std::vector<std::string>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// The path of this process in the hierarchy of `controller`, or in version 2 for an empty name.
std::optional<std::string> group_path(std::string_view self, std::string_view controller) {
  for (const std::string& line : split(self, '\n')) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos) continue;
    const std::string names = line.substr(first + 1, second - first - 1);
    const bool is_wanted =
        controller.empty() ? names.empty() : holds(split(names, ','), controller);
    if (is_wanted) return line.substr(second + 1);
  }
  return std::nullopt;
}

// The folders of the process's group and of all above it up to the mount, the innermost first.
std::vector<std::string> folders(const Mount& mount, std::string path) {
  // Without a cgroup name space the path counts from the hierarchy's root, the mount from its own.
  if (mount.root != "/" && path.starts_with(mount.root)) path.erase(0, mount.root.size());
  // A path outside the name space reads `/../…`: only the mount itself can be seen.
  if (path.find("..") != std::string::npos) path.clear();
  while (path.ends_with('/')) path.pop_back();
  std::vector<std::string> found;
  for (; !path.empty() && path.starts_with('/'); path.erase(path.rfind('/')))
    found.push_back(mount.point + path);
  found.push_back(mount.point);
  return found;
}

std::vector<std::string> folders_of(const Host& host, std::string_view controller) {
  const std::string self = host.read("/proc/self/cgroup").value_or("");
  const std::optional<std::string> path = group_path(self, controller);
  if (!path) return {};
  for (const Mount& mount : cgroup_mounts(host)) {
    const bool is_wanted =
        controller.empty() ? mount.is_v2 : !mount.is_v2 && holds(mount.controllers, controller);
    if (is_wanted) return folders(mount, *path);
  }
  return {};
}

void take_quota(CgroupLimits& limits, std::optional<std::uint64_t> quota,
                std::optional<std::uint64_t> period) {
  if (!quota || !period || *quota == 0 || *period == 0) return;
  const double cpus = static_cast<double>(*quota) / static_cast<double>(*period);
  if (!limits.cpus || cpus < *limits.cpus) limits.cpus = cpus;
}

void take_memory(CgroupLimits& limits, std::optional<std::uint64_t> bytes) {
  // Version 1 writes «no limit» as the largest multiple of a page below 2^63.
  constexpr std::uint64_t kNoLimit = 1ULL << 62U;
  if (!bytes || *bytes >= kNoLimit) return;
  if (!limits.memory || *bytes < limits.memory->value) limits.memory = Bytes{*bytes};
}

void take_throttling(CgroupLimits& limits, const std::string& stat, std::string_view time_key,
                     std::uint64_t unit_ns) {
  const std::uint64_t time = leading_number(value_of(stat, time_key, ' ')).value_or(0) * unit_ns;
  const std::uint64_t periods = leading_number(value_of(stat, "nr_throttled", ' ')).value_or(0);
  limits.throttled_ns = std::max(limits.throttled_ns, time);
  limits.throttled_periods = std::max(limits.throttled_periods, periods);
}

}  // namespace

CgroupLimits read_cgroup_limits(const Host& host) {
  CgroupLimits limits;
  for (const std::string& folder : folders_of(host, "")) {
    const std::string quota = host.read(folder + "/cpu.max").value_or("");
    const std::vector<std::string_view> parts = words(quota);
    if (parts.size() == 2) take_quota(limits, leading_number(parts[0]), leading_number(parts[1]));
    take_memory(limits, read_number(host, folder + "/memory.max"));
    take_throttling(limits, host.read(folder + "/cpu.stat").value_or(""), "throttled_usec", 1000);
  }
  for (const std::string& folder : folders_of(host, "cpu")) {
    take_quota(limits, read_number(host, folder + "/cpu.cfs_quota_us"),
               read_number(host, folder + "/cpu.cfs_period_us"));
    take_throttling(limits, host.read(folder + "/cpu.stat").value_or(""), "throttled_time", 1);
  }
  for (const std::string& folder : folders_of(host, "memory"))
    take_memory(limits, read_number(host, folder + "/memory.limit_in_bytes"));
  return limits;
}

}  // namespace headroom
