// SPDX-License-Identifier: Apache-2.0
// A worker for tests: worker_main, or what HEADROOM_TEST_WORKER says it should do instead.
#include <headroom/worker.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

constexpr int kRecord = 3;

void say(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void wait_for_ever() {
  while (true) pause();
}

// A child of the child that keeps both pipes open and outlives it.
pid_t leave_orphan_behind() {
  const pid_t orphan = fork();
  if (orphan == 0) wait_for_ever();
  return orphan;
}

void flood() {
  const std::string line(1023, 'x');
  for (int i = 0; i < 8192; ++i) say(STDERR_FILENO, line + '\n');
  say(STDERR_FILENO, "that was all\n");
}

// Prints the numbers of all open descriptors to the standard error.
void list_descriptors() {
  std::string text = "open:";
  for (int number = 0; number < 64; ++number)
    if (fcntl(number, F_GETFD) >= 0) text += ' ' + std::to_string(number);
  say(STDERR_FILENO, text + '\n');
}

// 256 MiB of memory in use, then nothing.
void grow() {
  constexpr std::size_t kSize = std::size_t{256} << 20;
  void* memory = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::memset(memory, 1, kSize);
  wait_for_ever();
}

int misbehave(std::string_view how) {
  if (how == "garbage") say(kRecord, "{\"schema\": 1, \"id\": oops");
  if (how == "silent") return 3;
  if (how == "abort") {
    say(STDERR_FILENO, "free(): invalid pointer\n");
    std::abort();
  }
  if (how == "killed") raise(SIGKILL);
  if (how == "grow") grow();
  if (how == "deaf") {
    std::signal(SIGTERM, SIG_IGN);
    wait_for_ever();
  }
  if (how == "orphan_words") {
    say(STDERR_FILENO, std::to_string(leave_orphan_behind()));
    return 3;
  }
  if (how == "list") {
    list_descriptors();
    return 3;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || std::string_view(argv[1]) != "worker") return 2;
  const char* variable = std::getenv("HEADROOM_TEST_WORKER");
  const std::string_view how = variable != nullptr ? variable : "";
  if (how == "orphan") leave_orphan_behind();
  if (how == "flood") flood();
  if (how == "print") std::cout << "printed by the engine" << std::endl;
  if (how.empty() || how == "orphan" || how == "flood" || how == "print")
    return headroom::worker_main(kRecord);
  if (how == "crash_after") {
    headroom::worker_main(kRecord);
    std::signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
  }
  if (how == "cut") {  // half of a real record
    int ends[2];
    if (pipe(ends) != 0) return 2;
    headroom::worker_main(ends[1]);
    std::string text(500, '\0');
    const ssize_t got = read(ends[0], text.data(), text.size());
    say(kRecord, std::string_view(text).substr(0, static_cast<std::size_t>(got)));
    return 0;
  }
  return misbehave(how);
}
