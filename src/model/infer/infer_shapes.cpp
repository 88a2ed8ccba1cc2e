// SPDX-License-Identifier: Apache-2.0
// The public entry to shape and type inference.
#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/model/model.h>

#include <fmt/format.h>

#include "model/infer/options.h"
#include "model/infer/walk.h"

namespace headroom {
namespace {

void check_inputs(const Graph& graph) {
  for (const ValueId id : graph.inputs) {
    const Value& value = graph.values[id];
    if (value.type.shape && !infer::known_product(*value.type.shape)) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("input '{}': the element count of {} does not fit 63 bits",
                              printable(value.name), printable(to_string(*value.type.shape))));
    }
  }
}

}  // namespace

void infer_shapes(Model& model, const ShapeOptions& options) {
  infer::Scope scope{model.graph};
  infer::Walk walk(model, infer::fix_inputs(model.graph, options), options.observed);
  walk.start_graph(scope);
  check_inputs(model.graph);
  infer::fix_values(model.graph, options);
  walk.infer_graph(scope, infer::Strictness::Strict);
  walk.finish();
}

}  // namespace headroom
