// SPDX-License-Identifier: Apache-2.0
// Whole machines as maps of files, in the form that Linux writes them.
#pragma once

#include "support/fake_host.h"

namespace headroom::test {

/// A bare-metal desktop: AMD Ryzen 9 7950X, 2 threads on each of its first 4 cores (the rest
/// switched off), schedutil governor, boost on, on Debian 12.
FakeHost::Files amd_desktop();

/// A KVM guest: 2 CPUs of a Xeon with AVX-512 and AMX, an L3 of 260 MiB claimed, no cpufreq.
FakeHost::Files intel_guest();

/// A container with half a core of an 8-CPU machine under control groups version 2: the quota
/// stands on the group above the process's own.
FakeHost::Files half_core_container();

/// The same limits under control groups version 1, mounted below `/docker/c0ffee` without a name
/// space.
FakeHost::Files half_core_container_v1();

}  // namespace headroom::test
