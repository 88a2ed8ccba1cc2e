// SPDX-License-Identifier: Apache-2.0
// The one process seam: a Case as JSON into a child process, a Record as JSON out of it, with
// limits and survival of crashes.
#pragma once

#include <headroom/measure.h>
#include <headroom/plan.h>
#include <headroom/record.h>

#include <filesystem>
#include <functional>

namespace headroom {

/// How a worker is started. A child process here; `srun` or an agent elsewhere.
class Launcher {
 public:
  virtual ~Launcher() = default;
  /// Runs the case to its end. A crash, a hang beyond the case's limit, a kill or memory beyond its
  /// limit is an outcome in the record that comes back, with the signal's name and the last words
  /// on stderr. When `stop` becomes true the worker is asked to end and its partial record is
  /// returned. Several threads may call it at once. Errors: Internal if no process can be started.
  virtual Record launch(const Case& plan_case, const StopFlag& stop) = 0;
};

/// Starts `program worker` with the case on its standard input. The child leads a process group of
/// its own (an interrupt from the terminal does not reach it) and dies with its parent.
class ChildLauncher final : public Launcher {
 public:
  explicit ChildLauncher(std::filesystem::path program);
  Record launch(const Case& plan_case, const StopFlag& stop) override;

 private:
  std::filesystem::path program_;
};

/// The program that runs now.
std::filesystem::path own_program();

/// The body of `headroom worker`: reads a Case from file descriptor 0, runs it, writes the Record
/// to `output`. Returns the exit status. SIGTERM ends the measurement early.
int worker_main(int output);

}  // namespace headroom
