// SPDX-License-Identifier: Apache-2.0
// The processor from /proc/cpuinfo and /sys, and from the processor itself where these are silent.
#include "host/processor.h"

#include <headroom/base/text.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "host/fields.h"

namespace headroom {
namespace {

// Names as /proc/cpuinfo writes them. Engines choose their kernels by these; the order is part of
// the fingerprint, so new ones go to the end.
constexpr std::array<std::string_view, 37> kIsa = {"sse4_1",        "sse4_2",
                                                   "avx",           "f16c",
                                                   "fma",           "avx2",
                                                   "bmi2",          "avx_vnni",
                                                   "avx512f",       "avx512dq",
                                                   "avx512cd",      "avx512bw",
                                                   "avx512vl",      "avx512ifma",
                                                   "avx512vbmi",    "avx512_vbmi2",
                                                   "avx512_vnni",   "avx512_bitalg",
                                                   "avx512_bf16",   "avx512_fp16",
                                                   "amx_tile",      "amx_int8",
                                                   "amx_bf16",      "amx_fp16",
                                                   "avx_ifma",      "avx_ne_convert",
                                                   "avx_vnni_int8", "avx_vnni_int16",
                                                   "avx10",         "neon",
                                                   "asimd",         "asimdhp",
                                                   "asimddp",       "sve",
                                                   "sve2",          "i8mm",
                                                   "bf16"};

std::vector<std::string> isa_of(std::string_view cpuinfo) {
  std::string_view flags = value_of(cpuinfo, "flags");
  if (flags.empty()) flags = value_of(cpuinfo, "Features");  // As ARM kernels call them.
  const std::vector<std::string_view> listed = words(flags);
  const std::set<std::string_view> present(listed.begin(), listed.end());
  std::vector<std::string> isa;
  for (const std::string_view name : kIsa)
    if (present.count(name) != 0) isa.emplace_back(name);
  return isa;
}

struct CpuCounts {
  int logical = 0;
  std::set<std::string> packages;
  std::set<std::pair<std::string, std::string>> cores;
};

CpuCounts count_cpus(std::string_view cpuinfo) {
  CpuCounts counts;
  std::string package;
  for (const std::string& line : split(cpuinfo, '\n')) {
    if (line.starts_with("processor") && leading_number(value_of(line, "processor")))
      ++counts.logical;
    if (const std::string_view id = value_of(line, "physical id"); !id.empty()) {
      package = id;
      counts.packages.insert(package);
    }
    if (const std::string_view id = value_of(line, "core id"); !id.empty())
      counts.cores.emplace(package, id);
  }
  return counts;
}

std::string cpu_folder(int cpu) {
  return fmt::format("/sys/devices/system/cpu/cpu{}", cpu);
}

// Distinct sets of siblings: right also where core numbers repeat between the dies of a package.
std::size_t count_sibling_sets(const Host& host, const std::vector<int>& cpus) {
  std::set<std::string> sets;
  for (const int cpu : cpus) {
    if (std::string list = read_trimmed(host, cpu_folder(cpu) + "/topology/thread_siblings_list");
        !list.empty())
      sets.insert(std::move(list));
  }
  return sets.size();
}

// `48K`, `2048K`, `32M`.
Bytes parse_cache_size(std::string_view text) {
  const std::uint64_t number = leading_number(text).value_or(0);
  if (text.ends_with('K')) return {number << 10U};
  if (text.ends_with('M')) return {number << 20U};
  if (text.ends_with('G')) return {number << 30U};
  return {number};
}

std::vector<Cache> read_caches(const Host& host) {
  constexpr int kMostCaches = 16;
  std::vector<Cache> caches;
  for (int index = 0; index < kMostCaches; ++index) {
    const std::string folder = fmt::format("{}/cache/index{}", cpu_folder(0), index);
    const std::string level = read_trimmed(host, folder + "/level");
    if (level.empty()) break;
    const Bytes size = parse_cache_size(read_trimmed(host, folder + "/size"));
    if (read_trimmed(host, folder + "/type") == "Instruction" || size.value == 0) continue;
    const std::size_t sharers =
        parse_cpu_list(read_trimmed(host, folder + "/shared_cpu_list")).size();
    caches.push_back({.level = static_cast<int>(leading_number(level).value_or(0)),
                      .size = size,
                      .shared_by = std::max(1, static_cast<int>(sharers))});
  }
  std::stable_sort(caches.begin(), caches.end(),
                   [](const Cache& a, const Cache& b) { return a.level < b.level; });
  return caches;
}

void read_counts(const Host& host, std::string_view cpuinfo, HostFacts& facts) {
  const CpuCounts counts = count_cpus(cpuinfo);
  const std::vector<int> online =
      parse_cpu_list(read_trimmed(host, "/sys/devices/system/cpu/online"));
  const int schedulable = static_cast<int>(host.affinity().size());
  facts.logical_cpus = std::max({static_cast<int>(online.size()), counts.logical, schedulable, 1});
  facts.sockets = static_cast<int>(counts.packages.size());
  facts.physical_cores = static_cast<int>(count_sibling_sets(host, online));
  if (facts.physical_cores == 0) facts.physical_cores = static_cast<int>(counts.cores.size());
  facts.numa_nodes = static_cast<int>(
      parse_cpu_list(read_trimmed(host, "/sys/devices/system/node/online")).size());
  facts.caches = read_caches(host);
}

// What the files did not say is asked of the processor, and what it does not say either is taken to
// be the simplest machine.
void fill_gaps(const Host& host, HostFacts& facts) {
  const bool has_gap = facts.sockets == 0 || facts.physical_cores == 0 || facts.numa_nodes == 0 ||
                       facts.caches.empty();
  if (!has_gap) return;
  Topology topology = host.topology();
  if (facts.sockets == 0) facts.sockets = std::max(1, topology.sockets);
  if (facts.numa_nodes == 0) facts.numa_nodes = std::max(1, topology.numa_nodes);
  if (facts.physical_cores == 0) {
    facts.physical_cores =
        topology.physical_cores > 0 ? topology.physical_cores : facts.logical_cpus;
  }
  if (facts.caches.empty()) facts.caches = std::move(topology.caches);
}

}  // namespace

void read_processor(const Host& host, HostFacts& facts) {
  const std::string cpuinfo = host.read("/proc/cpuinfo").value_or("");
  facts.cpu_vendor = valid_utf8(value_of(cpuinfo, "vendor_id"));
  facts.cpu_model = valid_utf8(value_of(cpuinfo, "model name"));
  const std::string_view family = value_of(cpuinfo, "cpu family");
  if (!family.empty()) {
    facts.cpu_signature = valid_utf8(
        fmt::format("{}-{}-{}", family, value_of(cpuinfo, "model"), value_of(cpuinfo, "stepping")));
  }
  facts.microcode = valid_utf8(value_of(cpuinfo, "microcode"));
  facts.isa = isa_of(cpuinfo);
  read_counts(host, cpuinfo, facts);
  fill_gaps(host, facts);
}

}  // namespace headroom
