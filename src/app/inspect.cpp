// SPDX-License-Identifier: Apache-2.0
// Puts the modules together for `headroom inspect`.
#include <headroom/app/inspect.h>
#include <headroom/app/observe.h>
#include <headroom/base/error.h>
#include <headroom/engine.h>
#include <headroom/experiment.h>
#include <headroom/measure.h>

#include <utility>

#include "app/load_inferred.h"

namespace headroom::app {
namespace {

RunPlan plan_of(const InspectOptions& options, const ObserveOptions& observing) {
  const Model model = load_inferred(options.model, {});
  const auto case_of = [&](const InputPlan& inputs) -> Case {
    return {.model = std::filesystem::absolute(options.model).lexically_normal().string(),
            .engine = observing.engine,
            .seed = observing.seed,
            .inputs = inputs.inputs,
            .inputs_from = inputs.source,
            .limits = observing.limits};
  };
  RunPlan plan{.plan_case = case_of(plan_inputs(model, observing.given))};
  for (const InputPlan& other : alternative_inputs(model, observing.given))
    plan.alternatives.push_back(case_of(other));
  return plan;
}

ObservedValue looked_at(const StoredTensor& stored, const std::string& name,
                        const std::filesystem::path& folder) {
  const Tensor tensor = read_tensor(stored, folder);
  return {.name = name,
          .kind = TypeKind::Tensor,
          .type = tensor.type,
          .shape = tensor.shape,
          .census = census_of(tensor)};
}

void scan(const Graph& graph, const std::filesystem::path& folder,
          std::vector<ObservedValue>& weights) {
  for (const StoredTensor& stored : graph.initializers)
    weights.push_back(looked_at(stored, stored.name, folder));
  for (const Node& node : graph.nodes) {
    const auto* stored = node.op == "Constant" ? node.held<StoredTensor>("value") : nullptr;
    if (stored && !node.outputs.empty() && node.outputs.front() != kNoValue)
      weights.push_back(looked_at(*stored, graph.values[node.outputs.front()].name, folder));
    for (const Graph* body : node.bodies()) scan(*body, folder, weights);
  }
}

}  // namespace

Inspection inspect(const InspectOptions& options) {
  Inspection result{.model = load_inferred(options.model, options.shapes)};
  result.work = count_work(result.model);
  if (options.scans) scan(result.model.graph, result.model.path.parent_path(), result.weights);
  return result;
}

Inspection inspect_observed(const InspectOptions& options, const ObserveOptions& observing,
                            Launcher& launcher, const Clock& clock, const StopFlag& stop) {
  make_engine(observing.engine);  // refuses a name before anything is planned
  Record observed = run_observation(plan_of(options, observing), launcher, clock, stop, {});
  if (observed.outcome.status != Status::Ok)
    throw Error(error_kind_from(observed.outcome.error_kind), observed.outcome.reason);
  Inspection result =
      inspect({.model = options.model, .shapes = seen_in(observed), .scans = options.scans});
  result.observed = std::move(observed);
  return result;
}

}  // namespace headroom::app
