// SPDX-License-Identifier: Apache-2.0
// This machine: its files, its scheduler, its processor.
#include <headroom/base/text.h>
#include <headroom/host.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <string>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <hwloc.h>
#include <sched.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace headroom {
namespace {

// The files of /proc and /sys are short; what is longer than this is none of those we know.
constexpr std::size_t kLongestFile = std::size_t{16} << 20U;

struct TopologyCloser {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using TopologyOwner = std::unique_ptr<hwloc_topology, TopologyCloser>;

TopologyOwner load_topology() {
  hwloc_topology_t handle = nullptr;
  if (hwloc_topology_init(&handle) != 0) return nullptr;
  TopologyOwner topology(handle);
  // Without this, a cgroup's CPUs are all that is counted, and the identity of the machine would
  // depend on who asks.
  if (hwloc_topology_set_flags(handle, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) != 0) return nullptr;
  if (hwloc_topology_load(handle) != 0) return nullptr;
  return topology;
}

void append_cache(hwloc_topology_t topology, hwloc_obj_type_t type, int level,
                  std::vector<Cache>& caches) {
  const hwloc_obj_t object = hwloc_get_obj_by_type(topology, type, 0);
  if (object == nullptr || object->attr->cache.size == 0) return;
  caches.push_back({.level = level,
                    .size = {object->attr->cache.size},
                    .shared_by = std::max(1, hwloc_bitmap_weight(object->cpuset))});
}

// The state letter of a thread: behind the name, which stands in parentheses and may hold any byte.
char thread_state(const std::string& stat) {
  const std::size_t end = stat.rfind(')');
  return end == std::string::npos || end + 2 >= stat.size() ? '?' : stat[end + 2];
}

}  // namespace

std::optional<std::string> LinuxHost::read(const std::filesystem::path& path) const {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return std::nullopt;
  std::string content;
  std::array<char, 16384> buffer{};
  ssize_t length = 0;
  do {
    length = ::read(file, buffer.data(), buffer.size());
    if (length > 0) content.append(buffer.data(), static_cast<std::size_t>(length));
  } while ((length > 0 || (length < 0 && errno == EINTR)) && content.size() < kLongestFile);
  ::close(file);
  if (length < 0) return std::nullopt;
  return content;
}

std::vector<int> LinuxHost::affinity() const {
  std::vector<int> cpus;
  // The kernel refuses a set smaller than its own, so it grows until it is large enough.
  for (int capacity = CPU_SETSIZE; capacity <= (1 << 16); capacity *= 4) {
    cpu_set_t* const set = CPU_ALLOC(static_cast<std::size_t>(capacity));
    if (set == nullptr) return cpus;
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(capacity));
    const bool is_known = ::sched_getaffinity(0, size, set) == 0;
    for (int cpu = 0; is_known && cpu < capacity; ++cpu)
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), size, set)) cpus.push_back(cpu);
    CPU_FREE(set);
    if (is_known) return cpus;
  }
  return cpus;
}

Topology LinuxHost::topology() const {
  Topology found;
  const TopologyOwner topology = load_topology();
  if (!topology) return found;
  const auto count = [&](hwloc_obj_type_t type) {
    return std::max(0, hwloc_get_nbobjs_by_type(topology.get(), type));
  };
  found.sockets = count(HWLOC_OBJ_PACKAGE);
  found.physical_cores = count(HWLOC_OBJ_CORE);
  found.numa_nodes = count(HWLOC_OBJ_NUMANODE);
  append_cache(topology.get(), HWLOC_OBJ_L1CACHE, 1, found.caches);
  append_cache(topology.get(), HWLOC_OBJ_L2CACHE, 2, found.caches);
  append_cache(topology.get(), HWLOC_OBJ_L3CACHE, 3, found.caches);
  append_cache(topology.get(), HWLOC_OBJ_L4CACHE, 4, found.caches);
  return found;
}

std::string LinuxHost::hypervisor() const {
#if defined(__x86_64__)
  // Source: CPUID leaf 1, ECX bit 31 says that there is one; leaf 0x40000000 gives its 12 letters.
  constexpr unsigned int kPresent = 1U << 31U;
  constexpr unsigned int kNameLeaf = 0x40000000U;
  std::array<unsigned int, 4> registers{};
  auto& [eax, ebx, ecx, edx] = registers;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0 || (ecx & kPresent) == 0) return {};
  __cpuid(kNameLeaf, eax, ebx, ecx, edx);
  std::string letters;
  for (const unsigned int word : {ebx, ecx, edx}) {
    for (unsigned int byte = 0; byte < 4; ++byte)
      letters += static_cast<char>((word >> (8 * byte)) & 0xFFU);
  }
  letters.erase(std::min(letters.find('\0'), letters.size()));
  if (letters == "KVMKVMKVM") return "KVM";
  if (letters == "Microsoft Hv") return "Hyper-V";
  if (letters == "VMwareVMware") return "VMware";
  if (letters == "XenVMMXenVMM") return "Xen";
  return printable(letters);
#else
  return {};
#endif
}

std::vector<int> LinuxHost::own_threads() const {
  std::vector<int> threads;
  DIR* const folder = ::opendir("/proc/self/task");
  if (folder == nullptr) return threads;
  while (const dirent* entry = ::readdir(folder)) {
    if (entry->d_name[0] != '.') threads.push_back(std::atoi(entry->d_name));
  }
  ::closedir(folder);
  return threads;
}

int LinuxHost::own_runnable_threads() const {
  const std::vector<int> threads = own_threads();
  if (threads.empty()) return 1;
  return static_cast<int>(std::count_if(threads.begin(), threads.end(), [&](int thread) {
    const auto stat = read(fmt::format("/proc/self/task/{}/stat", thread));
    return stat && thread_state(*stat) == 'R';
  }));
}

}  // namespace headroom
