// SPDX-License-Identifier: Apache-2.0
// Which threads of this process have a CPU.
#include <headroom/host.h>

#include <algorithm>

#include <fmt/format.h>

#include "host/fields.h"

namespace headroom {
namespace {

constexpr Nanoseconds kTick{10'000'000};
constexpr Nanoseconds kLeast{200'000'000};
constexpr double kBusyShare = 0.1;

// Columns 14, 15 and 39 of the file: utime, stime, processor. The name before them may hold blanks.
std::optional<ThreadUse> parse(int id, std::string_view stat) {
  constexpr std::size_t kFirst = 3;  // the column behind the name
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  const std::vector<std::string_view> columns = words(stat.substr(name_end + 1));
  if (columns.size() <= 39 - kFirst) return std::nullopt;
  const auto number = [&](std::size_t column) {
    return leading_number(columns[column - kFirst]).value_or(0);
  };
  return ThreadUse{.id = id, .ticks = number(14) + number(15), .cpu = static_cast<int>(number(39))};
}

}  // namespace

std::vector<ThreadUse> thread_use(const Host& host) {
  std::vector<ThreadUse> threads;
  for (const int id : host.own_threads()) {
    const auto stat = host.read(fmt::format("/proc/self/task/{}/stat", id));
    if (const auto use = stat ? parse(id, *stat) : std::nullopt) threads.push_back(*use);
  }
  return threads;
}

std::optional<BusyThreads> busy_threads(const std::vector<ThreadUse>& before,
                                        const std::vector<ThreadUse>& after, Nanoseconds elapsed) {
  if (elapsed < kLeast || after.empty()) return std::nullopt;
  const double least = kBusyShare * static_cast<double>(elapsed / kTick);
  BusyThreads busy;
  for (const ThreadUse& thread : after) {
    const auto start = std::find_if(before.begin(), before.end(),
                                    [&](const ThreadUse& one) { return one.id == thread.id; });
    const std::uint64_t ticks_before = start == before.end() ? 0 : start->ticks;
    if (static_cast<double>(thread.ticks) - static_cast<double>(ticks_before) < least) continue;
    ++busy.threads;
    busy.cpus.push_back(thread.cpu);
  }
  std::sort(busy.cpus.begin(), busy.cpus.end());
  busy.cpus.erase(std::unique(busy.cpus.begin(), busy.cpus.end()), busy.cpus.end());
  return busy;
}

}  // namespace headroom
