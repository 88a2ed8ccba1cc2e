// SPDX-License-Identifier: Apache-2.0
// `headroom run`: one model on one engine, measured in processes of its own, as a Record.
#pragma once

#include <headroom/data.h>
#include <headroom/experiment.h>
#include <headroom/record.h>
#include <headroom/store.h>
#include <headroom/worker.h>

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headroom::app {

/// Time limit of each process where the user gives none: above any load that was seen, below
/// patience.
inline constexpr Nanoseconds kDefaultTimeout{600'000'000'000};

struct RunOptions {
  std::filesystem::path model{};
  std::string engine = "onnxruntime";
  std::optional<int> threads{};  ///< Absent: the CPUs that this process may use.
  std::string precision = "f32";
  InputOptions inputs{};
  std::uint64_t seed = 0;
  Nanoseconds time{10'000'000'000};  ///< Budget of the timed launches.
  int launches = 5;
  std::map<std::string, std::string> settings{};  ///< `--set`.
  Limits limits{.time = kDefaultTimeout};         ///< Of each process.
  std::string store{};                 ///< `--store`, part of the line that repeats the run.
  std::vector<std::string> command{};  ///< As typed, for the record.
  std::string version{};               ///< Of Headroom.
};

/// What surrounds a run.
struct RunContext {
  Launcher& launcher;
  const Host& host;
  const Clock& clock;
  Store* store;  ///< Null for `--store none`.
  const StopFlag& stop;
  ProgressSink progress{};
};

struct RunResult {
  Record record{};
  std::vector<std::string> warnings{};  ///< For stderr.
};

/// A run that is ready to be measured.
struct PreparedRun {
  RunOptions options{};
  EngineFacts engine{};  ///< For the record of a case whose every process died.
  HostFacts host{};
  ModelFacts model{};
  RunPlan plan{};
  std::vector<std::string> notes{};  ///< What was chosen and why.
};

/// Checks the options, reads their model and plans its inputs; nothing is measured. Several runs
/// are of one model, which is read once. Errors: Usage, NotFound, BadInput, Unsupported.
std::vector<PreparedRun> prepare_runs(std::span<const RunOptions> runs, const Host& host);

/// Measures, completes the record and appends it to the store. When the store cannot take it, the
/// record is written to a file in the folder for temporary files, which the Error names. Errors:
/// Limit or NotFound when the result could not be stored. What happens to the measurement itself is
/// the record's outcome.
RunResult run(PreparedRun prepared, const RunContext& context);

/// prepare_runs, then run.
RunResult run(const RunOptions& options, const RunContext& context);

/// Exit status for an outcome: 0 ok and noisy, 1 mistrusted, 4, 5, 6 and 3 by the kind of the
/// error.
int exit_status(const Outcome& outcome) noexcept;

/// The command line that repeats a run of `plan` with all choices written out.
std::string repeat_command(const RunOptions& options, const Case& plan, int launches);

}  // namespace headroom::app
