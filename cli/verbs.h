// SPDX-License-Identifier: Apache-2.0
// How a verb joins the command line: it adds a subcommand whose callback sets the action that main
// runs after parsing. Verbs translate arguments and print; they hold no decision.
#pragma once

#include <headroom/measure.h>

#include <any>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace headroom::cli {

/// What verbs share for one run of the program.
struct VerbContext {
  explicit VerbContext(const StopFlag& stop_flag) : stop(stop_flag) {}

  const StopFlag& stop;                ///< Set by the first interrupt.
  std::vector<std::string> command{};  ///< The arguments as typed, the program first.
  /// Set by the chosen verb's callback; its result is the exit status.
  std::function<int()> action{};

  /// Storage for a verb's options that lives as long as the program.
  template <class Options>
  Options& keep() {
    return *std::any_cast<Options>(&kept_.emplace_back(std::in_place_type<Options>));
  }

 private:
  std::deque<std::any> kept_{};
};

/// Options that several verbs have, with the same words everywhere.
struct CommonOptions {
  std::string json{};  ///< `--json FILE|-`, empty: none.
  bool is_quiet = false;
};
void add_common_options(CLI::App& verb, CommonOptions& options);
struct ShapeArguments {
  std::vector<std::string> shapes{};
  std::vector<std::string> dims{};
};
/// `remark` stands behind what the options mean.
void add_shape_options(CLI::App& verb, ShapeArguments& arguments, const std::string& remark = {});

/// Writes `json` and a newline to the file, or to stdout for `-`; nothing when `--json` was not
/// given. Errors: NotFound, Limit.
void write_json(const CommonOptions& options, const std::string& json);
/// Writes text to stdout unless `--quiet` or `--json -`. Errors: Limit if stdout is on a full disk.
void write_text(const CommonOptions& options, const std::string& text);
/// A line to stderr, prefixed `warning: `.
void write_warning(const std::string& text);

/// Columns of the terminal that stdout is; 0 for a pipe or file: unlimited. $COLUMNS wins.
int stdout_columns();
/// Whether text may be coloured: stdout is a terminal and NO_COLOR is not set.
bool stdout_has_color();

void add_inspect(CLI::App& app, VerbContext& context);
void add_extract(CLI::App& app, VerbContext& context);
void add_run(CLI::App& app, VerbContext& context);
void add_history(CLI::App& app, VerbContext& context);
void add_show(CLI::App& app, VerbContext& context);
void add_doctor(CLI::App& app, VerbContext& context);
void add_calibrate(CLI::App& app, VerbContext& context);
void add_conformance(CLI::App& app, VerbContext& context);
void add_worker(CLI::App& app, VerbContext& context);

}  // namespace headroom::cli
