// SPDX-License-Identifier: Apache-2.0
// The program `headroom`: parses the command line, runs one verb, maps errors to exit statuses.
#include <headroom/base/error.h>
#include <headroom/base/text.h>

#include <csignal>
#include <iostream>
#include <new>

#include <fmt/format.h>

#include "verbs.h"

namespace headroom::cli {
namespace {

StopFlag stop_requested{false};
volatile std::sig_atomic_t stop_signal = 0;
static_assert(StopFlag::is_always_lock_free, "a signal handler may only touch lock-free atomics");

extern "C" void on_interrupt(int signal) {
  stop_signal = signal;
  stop_requested.store(true);
}

// The first signal asks the verb to save and end; SA_RESETHAND lets the second one end at once.
void install_interrupt_handlers() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

// `did you mean` for the first argument that the chosen verb does not know.
std::string suggestion(const CLI::App& app, const std::vector<std::string>& command) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  std::vector<std::string> known;
  if (chosen.empty()) {
    for (const CLI::App* verb : app.get_subcommands(nullptr))
      if (!verb->get_group().empty()) known.push_back(verb->get_name());
    if (command.size() < 2) return {};
    const std::string near = nearest_name(command[1], known);
    return near.empty() ? fmt::format("; verbs: {}", join(known, ", "))
                        : fmt::format("; did you mean '{}'?", near);
  }
  for (const CLI::Option* option : chosen.front()->get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  for (const std::string& word : command) {
    if (!word.starts_with("--")) continue;
    const std::string name = word.substr(0, word.find('='));
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string near = nearest_name(name, known);
    return near.empty() ? fmt::format("; options: {}", join(known, ", "))
                        : fmt::format("; did you mean '{}'?", near);
  }
  return {};
}

int parse_and_run(int argc, char** argv) {
  CLI::App app{
      "Headroom tells how fast a neural network runs on this machine, and how fast it could run."};
  app.name("headroom");
  app.set_version_flag("--version", "headroom " HEADROOM_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  VerbContext context(stop_requested);
  context.command.assign(argv, argv + argc);
  add_inspect(app, context);
  add_run(app, context);
  add_history(app, context);
  add_show(app, context);
  add_doctor(app, context);
  add_calibrate(app, context);
  add_conformance(app, context);
  add_worker(app, context);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    if (argc < 2) {
      std::cerr << app.help();
      return exit_status(ErrorKind::Usage);
    }
    throw Error(ErrorKind::Usage, error.what() + suggestion(app, context.command));
  }
  return context.action();
}

int run_program(int argc, char** argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const Error& error) {
    std::cerr << "error: " << error.what() << '\n';
    return exit_status(error.kind());
  } catch (const std::bad_alloc&) {
    std::cerr
        << "error: no memory is left for what was asked; close other programs or use a smaller "
           "input\n";
    return exit_status(ErrorKind::Limit);
  } catch (const std::exception& error) {
    std::cerr << "error: a defect of headroom: " << error.what() << '\n';
    return exit_status(ErrorKind::Internal);
  }
}

}  // namespace
}  // namespace headroom::cli

int main(int argc, char** argv) {
  headroom::cli::install_interrupt_handlers();
  const int status = headroom::cli::run_program(argc, argv);
  if (headroom::cli::stop_signal != 0) {
    std::signal(headroom::cli::stop_signal, SIG_DFL);
    std::raise(headroom::cli::stop_signal);
  }
  return status;
}
