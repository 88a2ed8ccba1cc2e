// SPDX-License-Identifier: Apache-2.0
// A model as the verbs count and plan with it.
#pragma once

#include <headroom/model/model.h>

#include <filesystem>

namespace headroom::app {

/// Read, functions inlined, shapes inferred. Errors: those of the three.
inline Model load_inferred(const std::filesystem::path& path, const ShapeOptions& options) {
  Model model = load_model(path);
  inline_functions(model);
  infer_shapes(model, options);
  return model;
}

}  // namespace headroom::app
