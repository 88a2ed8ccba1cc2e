// SPDX-License-Identifier: Apache-2.0
// Puts the modules together for `headroom inspect`.
#include <headroom/app/inspect.h>

#include <utility>

namespace headroom::app {

Inspection inspect(const InspectOptions& options) {
  Model model = load_model(options.model);
  inline_functions(model);
  infer_shapes(model, options.shapes);
  Work work = count_work(model);
  return {.model = std::move(model), .work = std::move(work)};
}

}  // namespace headroom::app
