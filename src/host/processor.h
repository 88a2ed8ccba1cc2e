// SPDX-License-Identifier: Apache-2.0
// What /proc/cpuinfo and /sys say about the processor.
#pragma once

#include <headroom/host.h>

namespace headroom {

/// Fills vendor, model, signature, microcode, ISA, counts and caches of `facts`.
void read_processor(const Host& host, HostFacts& facts);

}  // namespace headroom
