// SPDX-License-Identifier: Apache-2.0
// How the time of an experiment is shared out among its launches.
#pragma once

#include <headroom/plan.h>
#include <headroom/record.h>

#include <span>

namespace headroom::experiment {

/// What the launches of one experiment may use.
struct Budget {
  Nanoseconds time{};
  int launches = 1;
};

/// Warm-up and sampling limits of one launch.
struct Share {
  Nanoseconds warmup{};
  Nanoseconds sampling{};
};

/// The share of the next launch after `done`, whose loads and warm-ups tell what the next ones will
/// cost: an equal part of the time that is left, less the load. Never less than a quarter of an
/// equal part of the whole, so that a slow load does not leave a launch without samples.
Share share_of_next(const Budget& budget, std::span<const Record> done);

}  // namespace headroom::experiment
