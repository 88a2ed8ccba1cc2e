// SPDX-License-Identifier: Apache-2.0
// The worker's side: a case in, a record out, whatever happens in between.
#include <headroom/base/error.h>
#include <headroom/worker.h>

#include <csignal>

#include <unistd.h>

#include "worker/descriptor.h"
#include "worker/verdict.h"

namespace headroom {
namespace {

// A signal handler can reach nothing but a global.
constinit StopFlag stop_requested{false};
static_assert(StopFlag::is_always_lock_free);

extern "C" void request_stop(int /*signal*/) {
  stop_requested.store(true);
}

void install_handlers() {
  struct sigaction action {};
  action.sa_handler = request_stop;
  action.sa_flags = SA_RESTART;  // an engine's own system calls go on
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
  action.sa_handler = SIG_IGN;  // a parent that is gone is an error of write, not our death
  sigaction(SIGPIPE, &action, nullptr);
}

Outcome outcome_of(ErrorKind kind, std::string reason) {
  const bool is_unsupported = kind == ErrorKind::Unsupported;
  return {.status = is_unsupported ? Status::Unsupported : Status::Failed,
          .reason = std::move(reason),
          .error_kind = std::string(to_string(kind))};
}

Record run_case(const Case& plan_case) {
  try {
    const auto engine = make_engine(plan_case.engine);
    const SteadyClock clock;
    const LinuxHost host;
    return measure_case(plan_case,
                        {.engine = *engine, .clock = clock, .host = host, .stop = stop_requested});
  } catch (const Error& error) {
    return worker::record_without_result(plan_case, outcome_of(error.kind(), error.what()));
  } catch (const std::exception& error) {
    return worker::record_without_result(plan_case, outcome_of(ErrorKind::Internal, error.what()));
  }
}

Record run_input() {
  Case plan_case;
  try {
    plan_case = case_from_json(worker::read_all(STDIN_FILENO));
  } catch (const Error& error) {
    return worker::record_without_result(plan_case, outcome_of(error.kind(), error.what()));
  }
  return run_case(plan_case);
}

// A record that cannot be written as JSON is a defect of ours, and still an outcome.
std::string text_of(const Record& record) {
  try {
    return to_json(record);
  } catch (const Error& error) {
    return to_json(
        worker::record_without_result(record.plan_case, outcome_of(error.kind(), error.what())));
  }
}

}  // namespace

int worker_main(int output) {
  install_handlers();
  const worker::Descriptor owned(output);
  try {
    worker::write_all(output, text_of(run_input()));
    return 0;
  } catch (const Error& error) {
    return exit_status(error.kind());
  }
}

}  // namespace headroom
