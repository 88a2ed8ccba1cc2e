// SPDX-License-Identifier: Apache-2.0
// The program `headroom`: parses the command line, runs one verb, maps errors to exit statuses.
#include <headroom/base/error.h>
#include <headroom/base/text.h>

#include <csignal>
#include <iostream>
#include <new>
#include <string_view>

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

// `did you mean` with the nearest of `known`, else all of them under their heading.
std::string nearest_or_all(const std::string& word, const std::vector<std::string>& known,
                           std::string_view heading) {
  const std::string near = nearest_name(word, known);
  return near.empty() ? fmt::format("; {}: {}", heading, join(known, ", "))
                      : fmt::format("; did you mean '{}'?", near);
}

std::vector<std::string> verbs_of(const CLI::App& app) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands(nullptr))
    if (!verb->get_group().empty()) verbs.push_back(verb->get_name());
  return verbs;
}

std::vector<std::string> options_of(const CLI::App& verb) {
  std::vector<std::string> options;
  for (const CLI::Option* option : verb.get_options())
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  return options;
}

// What to try instead of the first argument that the program or the chosen verb does not know.
std::string suggestion(const CLI::App& app, const std::vector<std::string>& command) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  if (chosen.empty())
    return command.size() < 2 ? std::string{} : nearest_or_all(command[1], verbs_of(app), "verbs");
  const std::vector<std::string> options = options_of(*chosen.front());
  for (const std::string& word : command) {
    const std::string name = word.substr(0, word.find('='));
    if (word.starts_with("--") && std::find(options.begin(), options.end(), name) == options.end())
      return nearest_or_all(name, options, "options");
  }
  return {};
}

constexpr std::string_view kExitStatuses =
    "Exit status:\n"
    "  0  done, and what was asked for holds\n"
    "  1  done, and it does not hold: wrong outputs, not conformant, not to be trusted\n"
    "  2  wrong use\n"
    "  3  an input is missing, not readable or not valid\n"
    "  4  not supported by this engine or this build\n"
    "  5  the engine failed\n"
    "  6  stopped by a limit: time, memory, disk; what was measured is kept\n"
    "  70 a defect of headroom itself: please report it\n"
    "An interrupt saves what was measured, then the program ends by the signal; a second one ends "
    "it at once.\n"
    "`headroom VERB --help` has an example of each verb.";

int parse_and_run(int argc, char** argv) {
  CLI::App app{
      "Headroom tells how fast a neural network runs on this machine, and how fast it could run."};
  app.name("headroom");
  app.set_version_flag("--version", "headroom " HEADROOM_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  app.footer(std::string(kExitStatuses));
  VerbContext context(stop_requested);
  context.command.assign(argv, argv + argc);
  add_inspect(app, context);
  add_extract(app, context);
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
