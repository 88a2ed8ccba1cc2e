// SPDX-License-Identifier: Apache-2.0
// From the way a worker ended to the record of its case.
#pragma once

#include <headroom/record.h>

#include "worker/attend.h"

namespace headroom::worker {

/// The worker's own record where it gave one, with the outcome that its end demands; else a record
/// that says why there is none. Pure.
Record record_of(const Case& plan_case, const Ending& ending);

/// A record of `plan_case` that holds nothing but its outcome, also in the part of its role.
Record record_without_result(const Case& plan_case, const Outcome& outcome);

}  // namespace headroom::worker
