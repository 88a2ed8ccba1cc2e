// SPDX-License-Identifier: Apache-2.0
// fork and exec: posix_spawn can set neither the parent's death signal nor close what others left
// open.
#include "worker/child.h"

#include <headroom/base/error.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace headroom::worker {
namespace {

// Where the child finds things.
constexpr int kRecord = 3;
constexpr int kFailure = 4;  // closes on exec
constexpr int kCannotStart = 127;

/// All that the child needs, made before the fork: after it only system calls are safe.
struct Plan {
  const char* program = nullptr;
  char* const* arguments = nullptr;
  pid_t parent = -1;
  int input = -1;
  int words = -1;
  int record = -1;
  int failure = -1;
};

void close_from(int first) noexcept {
  if (close_range(static_cast<unsigned>(first), ~0U, 0) == 0) return;
  const int limit = static_cast<int>(sysconf(_SC_OPEN_MAX));
  for (int number = first; number < limit; ++number) close(number);
}

[[noreturn]] void become_worker(const Plan& plan) noexcept {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != plan.parent) _exit(kCannotStart);  // it died before the signal was set up
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  dup2(plan.input, STDIN_FILENO);
  dup2(plan.words, STDOUT_FILENO);  // an engine that prints must not reach the user's terminal
  dup2(plan.words, STDERR_FILENO);
  dup2(plan.record, kRecord);
  dup2(plan.failure, kFailure);
  fcntl(kFailure, F_SETFD, FD_CLOEXEC);
  close_from(kFailure + 1);
  execv(plan.program, plan.arguments);
  const int reason = errno;
  if (write(kFailure, &reason, sizeof reason) < 0) _exit(kCannotStart - 1);
  _exit(kCannotStart);
}

// The errno of a failed exec; 0 once the program runs. Waits for either.
int failure_of_start(const Descriptor& failure) noexcept {
  int reason = 0;
  ssize_t got = 0;
  do {
    got = read(failure.number(), &reason, sizeof reason);
  } while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(sizeof reason) ? reason : 0;
}

// A system call, since the header of glibc 2.36 declares the function without C linkage.
int open_process(pid_t process) noexcept {
  return static_cast<int>(syscall(SYS_pidfd_open, process, 0));
}

[[noreturn]] void cannot_start(const std::filesystem::path& program, int reason) {
  throw Error(ErrorKind::Internal, fmt::format("cannot start '{}' as a worker: {}",
                                               program.string(), std::strerror(reason)));
}

}  // namespace

Child::Child(const std::filesystem::path& program, std::string_view input) {
  const Descriptor file = make_memory_file(input);
  Pipe words = make_pipe();
  Pipe record = make_pipe();
  Pipe failure = make_pipe();
  record_ = std::move(record.read_end);
  words_ = std::move(words.read_end);
  make_nonblocking(record_);
  make_nonblocking(words_);
  std::string path = program.string();
  std::string verb = "worker";
  std::array<char*, 3> arguments = {path.data(), verb.data(), nullptr};
  const Plan plan{.program = path.c_str(),
                  .arguments = arguments.data(),
                  .parent = getpid(),
                  .input = file.number(),
                  .words = words.write_end.number(),
                  .record = record.write_end.number(),
                  .failure = failure.write_end.number()};
  pid_ = fork();
  if (pid_ < 0) cannot_start(program, errno);
  if (pid_ == 0) become_worker(plan);
  setpgid(pid_, pid_);  // whichever of the two comes first
  failure.write_end.close();
  if (const int reason = failure_of_start(failure.read_end); reason != 0) {
    reap();
    cannot_start(program, reason);
  }
  ending_ = Descriptor(open_process(pid_));
}

Child::~Child() {
  if (pid_ <= 0) return;
  kill_group();
  reap();
}

bool Child::has_ended() const noexcept {
  siginfo_t info{};
  // Not reaped yet: as long as the entry exists, its number cannot become another group's.
  return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == pid_;
}

std::optional<Bytes> Child::resident() const {
  std::ifstream file(fmt::format("/proc/{}/statm", pid_));
  std::uint64_t total = 0;
  std::uint64_t pages = 0;
  if (!(file >> total >> pages)) return std::nullopt;
  return Bytes{pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))};
}

void Child::ask_to_end() const noexcept {
  kill(pid_, SIGTERM);
}

void Child::kill_group() const noexcept {
  kill(-pid_, SIGKILL);
}

int Child::reap() noexcept {
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  kill_group();  // children of its own that it left behind
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return status;
}

}  // namespace headroom::worker
