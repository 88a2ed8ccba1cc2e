// SPDX-License-Identifier: Apache-2.0
// What a run showed of what was asked.
#pragma once

#include <headroom/record.h>

namespace headroom::app {

/// Compares what was asked with what launches and executed nodes show. engine.effective gets
/// `provider` and `node_precisions` as observed; warnings are `threads_idle` for threads that no
/// launch kept busy, `precision_differs` for nodes that computed in another float type than asked.
void compare_with_asked(Record& record);

}  // namespace headroom::app
