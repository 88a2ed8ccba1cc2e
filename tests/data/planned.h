// SPDX-License-Identifier: Apache-2.0
// A plan for a model literal.
#pragma once

#include <headroom/data.h>

#include "support/model_builder.h"

namespace headroom::test {

/// The model as plan_inputs expects it: shapes inferred without options.
inline Model inferred(const ModelBuilder& builder) {
  Model model = builder.parse();
  infer_shapes(model, {});
  return model;
}

inline InputPlan planned(const ModelBuilder& builder, const InputOptions& options = {}) {
  return plan_inputs(inferred(builder), options);
}

/// The plan of the only input.
inline InputSpec planned_input(const ModelBuilder& builder, const InputOptions& options = {}) {
  return planned(builder, options).inputs.at(0);
}

}  // namespace headroom::test
