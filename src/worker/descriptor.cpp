// SPDX-License-Identifier: Apache-2.0
// System calls on descriptors, each repeated when a signal interrupts it.
#include "worker/descriptor.h"

#include <headroom/base/error.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace headroom::worker {
namespace {

constexpr int kLowestNumber = 10;

[[noreturn]] void fail(std::string_view what) {
  throw Error(
      ErrorKind::Internal,
      fmt::format("{} for a worker process: {}; look at the limits of this process (ulimit -a)",
                  what, std::strerror(errno)));
}

Descriptor out_of_the_way(int number) {
  const Descriptor low(number);
  const int high = fcntl(number, F_DUPFD_CLOEXEC, kLowestNumber);
  if (high < 0) fail("cannot number a descriptor");
  return Descriptor(high);
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close();
    number_ = std::exchange(other.number_, -1);
  }
  return *this;
}

void Descriptor::close() noexcept {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("cannot make a pipe");
  Descriptor write_end(ends[1]);  // closed also if the first renumbering throws
  Pipe pipe;
  pipe.read_end = out_of_the_way(ends[0]);
  pipe.write_end = out_of_the_way(write_end.release());
  return pipe;
}

Descriptor make_memory_file(std::string_view content) {
  const int number = memfd_create("headroom-case", MFD_CLOEXEC);
  if (number < 0) fail("cannot make a file in memory");
  Descriptor file = out_of_the_way(number);
  write_all(file.number(), content);
  if (lseek(file.number(), 0, SEEK_SET) != 0) fail("cannot rewind a file in memory");
  return file;
}

void make_nonblocking(const Descriptor& descriptor) {
  const int flags = fcntl(descriptor.number(), F_GETFL);
  if (flags < 0 || fcntl(descriptor.number(), F_SETFL, flags | O_NONBLOCK) != 0)
    fail("cannot set up a pipe");
}

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 65536> part{};
  while (true) {
    const ssize_t got = ::read(descriptor, part.data(), part.size());
    if (got > 0) text.append(part.data(), static_cast<std::size_t>(got));
    if (got == 0) return text;
    if (got < 0 && errno != EINTR) fail("cannot read the case");
  }
}

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno != EINTR) fail("cannot write");
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace headroom::worker
