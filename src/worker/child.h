// SPDX-License-Identifier: Apache-2.0
// A worker process: how it is started, asked to end, killed and reaped.
#pragma once

#include <headroom/base/units.h>

#include <filesystem>
#include <optional>
#include <string_view>

#include <sys/types.h>

#include "worker/descriptor.h"

namespace headroom::worker {

/// A child that leads a process group of its own and gets SIGKILL when the thread that started it
/// ends. Destroyed while it runs, it is killed with its group and reaped.
class Child {
 public:
  /// Starts `program worker` with `input` on descriptor 0, a pipe for its words on 1 and 2 and a
  /// pipe for its record on 3; nothing else of ours stays open in it. Errors: Internal if the
  /// program cannot be started, with the system's reason.
  Child(const std::filesystem::path& program, std::string_view input);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  const Descriptor& record() const noexcept { return record_; }
  const Descriptor& words() const noexcept { return words_; }
  /// Becomes readable when the child has ended; -1 on kernels before 5.3.
  const Descriptor& ending() const noexcept { return ending_; }

  bool has_ended() const noexcept;
  /// Resident memory of the child; nothing if it has ended.
  std::optional<Bytes> resident() const;
  void ask_to_end() const noexcept;
  /// Kills the child and everything in its group.
  void kill_group() const noexcept;
  /// Waits for the child, kills what is left of its group and returns waitpid's status.
  int reap() noexcept;

 private:
  pid_t pid_ = -1;
  Descriptor record_{};
  Descriptor words_{};
  Descriptor ending_{};
};

}  // namespace headroom::worker
