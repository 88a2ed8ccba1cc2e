// SPDX-License-Identifier: Apache-2.0
// The limits that control groups put on this process: version 1, version 2, and both at once.
// Limits of the process's own group and of every group above it count, since each binds.
#pragma once

#include <headroom/base/units.h>
#include <headroom/host.h>

#include <cstdint>
#include <optional>

namespace headroom {

struct CgroupLimits {
  std::optional<double> cpus{};    ///< The tightest quota over its period.
  std::optional<Bytes> memory{};   ///< The tightest limit.
  std::uint64_t throttled_ns = 0;  ///< Since the group was made, of the group with the most.
  std::uint64_t throttled_periods = 0;
};

/// Source: Linux kernel, Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/; proc(5),
/// mountinfo.
CgroupLimits read_cgroup_limits(const Host& host);

}  // namespace headroom
