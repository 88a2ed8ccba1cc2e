// SPDX-License-Identifier: Apache-2.0
// One line on a terminal that says what long work is doing; nothing elsewhere.
#pragma once

#include <headroom/base/clock.h>
#include <headroom/experiment.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace headroom::cli {

/// Rewrites a line on stderr twice a second with stage, detail and elapsed time. It exists only
/// while stderr is a terminal; it sleeps between updates so that it does not disturb what is
/// measured.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const Progress& step);
  /// Ends the line for good; text may follow.
  void clear();

 private:
  void tick(std::stop_token token);
  void draw();

  const bool is_terminal_;
  SteadyClock clock_{};
  TimePoint start_{};
  TimePoint stage_start_{};
  Progress step_{};
  std::mutex mutex_{};
  std::condition_variable_any wake_{};
  std::jthread thread_{};
};

}  // namespace headroom::cli
