// SPDX-License-Identifier: Apache-2.0
// One session, several shapes.
#include "measure/shapes.h"

#include <headroom/base/error.h>

#include <utility>

#include "measure/preparation.h"

namespace headroom::measure {
namespace {

/// An arena has grown to what a shape needs after one run, and to its pattern after two.
constexpr int kRunsOfShape = 3;

std::uint64_t resident(const Host& host) {
  const auto memory = own_memory(host);
  if (!memory) {
    throw Error(ErrorKind::Unsupported,
                "the memory of a process cannot be seen here: /proc is absent");
  }
  return memory->resident.value;
}

}  // namespace

ShapeMemory run_shapes(const Case& plan_case, Engine& engine, const Host& host,
                       const StopFlag& stop) {
  const std::unique_ptr<Session> session =
      engine.load({.path = plan_case.model}, options_of(plan_case), {});
  ShapeMemory memory{.loaded_bytes = resident(host)};
  for (std::vector<InputSpec>& inputs : inputs_in_turn(plan_case)) {
    if (stop.load()) throw Error(ErrorKind::Interrupted, "interrupted between two shapes");
    session->bind(make_inputs({.seed = plan_case.seed, .inputs = std::move(inputs)}));
    for (int i = 0; i < kRunsOfShape; ++i) session->run();
    memory.after_bytes.push_back(resident(host));
  }
  return memory;
}

}  // namespace headroom::measure
