// SPDX-License-Identifier: Apache-2.0
// From what a run was fed with, and what it gave, to what inference takes.
#pragma once

#include <headroom/model/model.h>
#include <headroom/record.h>

namespace headroom::app {

/// What is fed: shapes, and the values of small inputs, which decide shapes, branches and trip
/// counts. Errors: those of make_input.
ShapeOptions fixed_by(const Case& plan_case);

/// What is fed and what was seen of it.
ShapeOptions seen_in(const Record& observed);

}  // namespace headroom::app
