// SPDX-License-Identifier: Apache-2.0
// File descriptors that close themselves, and reading and writing that survive signals.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace headroom::worker {

/// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) noexcept : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  /// -1 when it owns nothing, which poll ignores.
  int number() const noexcept { return number_; }
  /// Gives the descriptor away unclosed.
  int release() noexcept { return std::exchange(number_, -1); }
  void close() noexcept;

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read_end{};
  Descriptor write_end{};
};

/// Both ends close on exec and are numbered 10 or more, so that a child can arrange 0 to 4 without
/// overwriting one of them. Errors: Internal when the process has no descriptors left.
Pipe make_pipe();

/// A file in memory that holds `content` and is read from its start: unlike a pipe it takes any
/// amount without a reader. Numbered as the ends of make_pipe. Errors: Internal.
Descriptor make_memory_file(std::string_view content);

/// Errors: Internal.
void make_nonblocking(const Descriptor& descriptor);

/// Reads to the end. Errors: Internal.
std::string read_all(int descriptor);
/// Errors: Internal.
void write_all(int descriptor, std::string_view text);

}  // namespace headroom::worker
