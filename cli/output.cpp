// SPDX-License-Identifier: Apache-2.0
// Where the text and JSON of the verbs go, and the options that they share.
#include <headroom/base/error.h>
#include <headroom/base/file.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "verbs.h"

namespace headroom::cli {
namespace {

void write_stdout(const std::string& text) {
  errno = 0;
  std::cout << text << std::flush;
  if (!std::cout) {
    throw Error(errno == ENOSPC ? ErrorKind::Limit : ErrorKind::NotFound,
                fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  }
}

}  // namespace

void add_common_options(CLI::App& verb, CommonOptions& options) {
  verb.add_option("--json", options.json, "Write the whole result as JSON; - is standard output")
      ->type_name("FILE|-");
  verb.add_flag("--quiet", options.is_quiet, "Print no text, only errors");
}

void add_shape_options(CLI::App& verb, ShapeArguments& arguments, const std::string& remark) {
  verb.add_option("--shape", arguments.shapes, "Shape of an input, such as x=1x3x224x224" + remark)
      ->type_name("NAME=SIZES")
      ->allow_extra_args(false);
  verb.add_option("--dim", arguments.dims, "Size of a named dimension, such as batch=1" + remark)
      ->type_name("NAME=N")
      ->allow_extra_args(false);
}

void write_json(const CommonOptions& options, const std::string& json) {
  if (options.json.empty()) return;
  if (options.json == "-") return write_stdout(json + "\n");
  write_file_atomically(options.json, json + "\n");
}

void write_text(const CommonOptions& options, const std::string& text) {
  if (!options.is_quiet && options.json != "-") write_stdout(text);
}

void write_warning(const std::string& text) {
  std::cerr << "warning: " << text << '\n';
}

int stdout_columns() {
  if (const char* columns = std::getenv("COLUMNS")) {
    const int value = std::atoi(columns);
    if (value > 0) return value;
  }
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 0;
}

bool stdout_has_color() {
  const char* no_color = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) == 1 && (no_color == nullptr || *no_color == '\0');
}

}  // namespace headroom::cli
