// SPDX-License-Identifier: Apache-2.0
// Draws the progress line.
#include "progress.h"

#include <headroom/base/text.h>

#include <algorithm>
#include <iostream>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace headroom::cli {
namespace {

constexpr std::size_t kFallbackColumns = 80;

std::size_t stderr_columns() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kFallbackColumns;
}

}  // namespace

ProgressLine::ProgressLine()
    : is_terminal_(::isatty(STDERR_FILENO) == 1), start_(clock_.now()), stage_start_(start_) {
  if (is_terminal_) thread_ = std::jthread([this](const std::stop_token& token) { tick(token); });
}

ProgressLine::~ProgressLine() {
  clear();
}

void ProgressLine::show(const Progress& step) {
  if (!is_terminal_) return;
  const std::lock_guard lock(mutex_);
  if (step.stage != step_.stage) stage_start_ = clock_.now();
  step_ = step;
  draw();
}

void ProgressLine::clear() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  thread_.join();
  std::cerr << "\r\x1b[K" << std::flush;
}

void ProgressLine::tick(std::stop_token token) {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, token, std::chrono::milliseconds{500}, [&] {
    return token.stop_requested();
  }) && !token.stop_requested()) {
    draw();
  }
}

void ProgressLine::draw() {
  if (step_.stage.empty()) return;
  const auto seconds = [&](TimePoint since) {
    return std::chrono::duration<double>(clock_.now() - since).count();
  };
  std::string line = fmt::format("[{:.0f} s] {} ({:.0f} s)", seconds(start_),
                                 printable(step_.stage), seconds(stage_start_));
  if (!step_.detail.empty()) line += ": " + printable(step_.detail);
  line.resize(std::min(line.size(), stderr_columns() - 1));
  std::cerr << '\r' << line << "\x1b[K" << std::flush;
}

}  // namespace headroom::cli
