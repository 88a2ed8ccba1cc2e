// SPDX-License-Identifier: Apache-2.0
// The facts of a machine, gathered, and the identity made of them.
#include <headroom/base/text.h>
#include <headroom/host.h>

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <xxhash.h>

#include "host/cgroup.h"
#include "host/fields.h"
#include "host/processor.h"

#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

namespace headroom {
namespace {

std::string os_name(const Host& host) {
  const std::string release = host.read("/etc/os-release").value_or("");
  std::string_view name = value_of(release, "PRETTY_NAME", '=');
  if (name.size() >= 2 && name.front() == '"' && name.back() == '"')
    name = name.substr(1, name.size() - 2);
  return valid_utf8(name);
}

// Who runs this machine, as far as it is said; `unknown` if only the processor's flag tells of it.
std::string hypervisor_name(const Host& host) {
  const std::string cpuinfo = host.read("/proc/cpuinfo").value_or("");
  const auto flags = words(value_of(cpuinfo, "flags"));
  const std::string type = read_trimmed(host, "/sys/hypervisor/type");
  const bool is_virtual =
      !type.empty() || std::find(flags.begin(), flags.end(), "hypervisor") != flags.end();
  if (!is_virtual) return {};
  if (!type.empty()) return valid_utf8(type);
  if (std::string name = host.hypervisor(); !name.empty()) return name;
  const std::string vendor = read_trimmed(host, "/sys/class/dmi/id/sys_vendor");
  return vendor.empty() ? "unknown" : valid_utf8(vendor);
}

std::string libc_name() {
#if defined(__GLIBC__)
  return fmt::format("glibc {}", gnu_get_libc_version());
#else
  return {};
#endif
}

// A quota of one and a half CPUs lets one thread run unthrottled, hence rounded down.
int usable_cpus(const HostFacts& facts, std::size_t affinity) {
  int usable = affinity == 0 ? facts.logical_cpus : static_cast<int>(affinity);
  if (facts.quota_cpus) usable = std::min(usable, static_cast<int>(std::floor(*facts.quota_cpus)));
  return std::max(1, usable);
}

}  // namespace

HostFacts read_facts(const Host& host) {
  HostFacts facts;
  facts.hostname = valid_utf8(read_trimmed(host, "/proc/sys/kernel/hostname"));
  read_processor(host, facts);
  const CgroupLimits limits = read_cgroup_limits(host);
  facts.quota_cpus = limits.cpus;
  facts.usable_cpus = usable_cpus(facts, host.affinity().size());
  const std::string meminfo = host.read("/proc/meminfo").value_or("");
  facts.memory = {leading_number(value_of(meminfo, "MemTotal")).value_or(0) * 1024};
  // A limit above what there is limits nothing.
  if (limits.memory && (facts.memory.value == 0 || limits.memory->value < facts.memory.value))
    facts.memory_limit = limits.memory;
  facts.kernel = valid_utf8(read_trimmed(host, "/proc/sys/kernel/osrelease"));
  facts.os = os_name(host);
  facts.hypervisor = hypervisor_name(host);
  facts.libc = libc_name();
  return facts;
}

std::string platform_fingerprint(const HostFacts& facts) {
  std::string text =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{} {} {} {}\n", facts.cpu_vendor, facts.cpu_model,
                  facts.cpu_signature, facts.microcode, join(facts.isa, " "), facts.logical_cpus,
                  facts.physical_cores, facts.sockets, facts.numa_nodes);
  for (const Cache& cache : facts.caches)
    text += fmt::format("L{} {} {}\n", cache.level, cache.size.value, cache.shared_by);
  // What the kernel keeps for itself differs between boots: whole GiB do not.
  text += fmt::format("{}\n", std::llround(static_cast<double>(facts.memory.value) / 0x1p30));
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

}  // namespace headroom
