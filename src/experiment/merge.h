// SPDX-License-Identifier: Apache-2.0
// The parts of an experiment put together into one record.
#pragma once

#include <headroom/record.h>

#include <span>

namespace headroom::experiment {

/// Adds the launches and their samples, on one time line where every launch knows its start; the
/// engine's facts; whether the machine was quiet; the outcome of `planned` launches together.
void merge_launches(std::span<const Record> launched, int planned, Record& record);

/// The outcome of the launches together: the first one's failure when none gave samples, Partial
/// when some failed or an interrupt came, else Ok.
Outcome outcome_of_launches(std::span<const Record> launched, int planned);

}  // namespace headroom::experiment
