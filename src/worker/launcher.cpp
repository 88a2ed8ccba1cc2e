// SPDX-License-Identifier: Apache-2.0
// Launches cases in child processes of this machine.
#include <headroom/worker.h>

#include "worker/attend.h"
#include "worker/child.h"
#include "worker/verdict.h"

namespace headroom {

ChildLauncher::ChildLauncher(std::filesystem::path program) : program_(std::move(program)) {}

Record ChildLauncher::launch(const Case& plan_case, const StopFlag& stop) {
  const SteadyClock clock;
  worker::Child child(program_, to_json(plan_case));
  const worker::Ending ending = worker::attend(child, plan_case.limits, stop, clock);
  return worker::record_of(plan_case, ending);
}

std::filesystem::path own_program() {
  constexpr const char* kLink = "/proc/self/exe";
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink(kLink, error);
  // Replaced or removed since it was started: the link still leads to what runs.
  return error || !std::filesystem::exists(program, error) ? kLink : program;
}

}  // namespace headroom
