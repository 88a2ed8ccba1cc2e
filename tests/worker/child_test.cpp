// SPDX-License-Identifier: Apache-2.0
// What a child has and has not of its parent.
#include "worker/child.h"

#include <csignal>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace headroom::worker {
namespace {

std::string words_of(Child& child) {
  pollfd ending{.fd = child.ending().number(), .events = POLLIN, .revents = 0};
  poll(&ending, 1, 60'000);
  std::string text(4096, '\0');
  const ssize_t got = read(child.words().number(), text.data(), text.size());
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

/// What loses its parent becomes a child of this process, so that its end can be waited for.
class Adoption {
 public:
  Adoption() { prctl(PR_SET_CHILD_SUBREAPER, 1); }
  ~Adoption() { prctl(PR_SET_CHILD_SUBREAPER, 0); }
  Adoption(const Adoption&) = delete;
  Adoption& operator=(const Adoption&) = delete;
};

int signal_that_ended(pid_t process) {
  int status = 0;
  if (waitpid(process, &status, 0) != process) return -1;
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(Child, HasFourDescriptorsWhateverItsParentLeftOpen) {
  const int left_open = open("/dev/null", O_RDONLY);  // without FD_CLOEXEC
  setenv("HEADROOM_TEST_WORKER", "list", 1);
  Child child(TEST_WORKER, "{}");
  unsetenv("HEADROOM_TEST_WORKER");
  EXPECT_EQ(words_of(child), "open: 0 1 2 3\n");
  EXPECT_EQ(WEXITSTATUS(child.reap()), 3);
  close(left_open);
}

TEST(Child, DiesWithItsParent) {
  // A process between us and the worker starts it, tells its number and is killed.
  const Adoption adoption;
  Pipe numbers = make_pipe();
  setenv("HEADROOM_TEST_WORKER", "deaf", 1);
  const pid_t between = fork();
  if (between == 0) {
    const Child child(TEST_WORKER, "{}");
    const std::string listing = "/proc/self/task/" + std::to_string(getpid()) + "/children";
    const int file = open(listing.c_str(), O_RDONLY);
    std::string text(64, '\0');
    const ssize_t got = read(file, text.data(), text.size());
    if (got > 0)
      write_all(numbers.write_end.number(), text.substr(0, static_cast<std::size_t>(got)));
    while (true) pause();
  }
  unsetenv("HEADROOM_TEST_WORKER");
  numbers.write_end.close();
  std::string text(64, '\0');
  ASSERT_GT(read(numbers.read_end.number(), text.data(), text.size()), 0);
  const auto worker = static_cast<pid_t>(std::stol(text));
  kill(between, SIGKILL);
  waitpid(between, nullptr, 0);
  EXPECT_EQ(signal_that_ended(worker), SIGKILL);
}

TEST(Child, TakesItsOwnChildrenWithIt) {
  const Adoption adoption;
  setenv("HEADROOM_TEST_WORKER", "orphan_words", 1);
  Child child(TEST_WORKER, "{}");
  unsetenv("HEADROOM_TEST_WORKER");
  const auto orphan = static_cast<pid_t>(std::stol(words_of(child)));
  EXPECT_EQ(WEXITSTATUS(child.reap()), 3);
  EXPECT_EQ(signal_that_ended(orphan), SIGKILL);
}

TEST(Child, IsKilledWhenItsOwnerGoes) {
  setenv("HEADROOM_TEST_WORKER", "deaf", 1);
  { const Child child(TEST_WORKER, "{}"); }
  unsetenv("HEADROOM_TEST_WORKER");
  EXPECT_LT(waitpid(-1, nullptr, WNOHANG), 0);  // no child is left, nor a zombie
}

}  // namespace
}  // namespace headroom::worker
