// SPDX-License-Identifier: Apache-2.0
// What one session is given, shape after shape.
#include <headroom/plan.h>

namespace headroom {

std::vector<std::vector<InputSpec>> inputs_in_turn(const Case& plan_case) {
  std::vector<std::vector<InputSpec>> all = plan_case.later_inputs;
  all.insert(all.begin(), plan_case.inputs);
  return all;
}

}  // namespace headroom
