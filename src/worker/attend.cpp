// SPDX-License-Identifier: Apache-2.0
// One poll loop over the record, the words and the end of a child.
#include "worker/attend.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <optional>

#include <poll.h>
#include <unistd.h>

namespace headroom::worker {
namespace {

using std::chrono::milliseconds;

constexpr Nanoseconds kTick = milliseconds{100};
constexpr Nanoseconds kMemoryTick = milliseconds{20};
constexpr Nanoseconds kTimeGrace = milliseconds{2'000};
// Longer than for a limit: a run may be under way, its samples are wanted, and whoever cannot wait
// interrupts a second time.
constexpr Nanoseconds kStopGrace = milliseconds{10'000};
constexpr Nanoseconds kLingerGrace = milliseconds{10'000};
constexpr std::size_t kLastWords = 4096;
// A million samples are 30 MB of text; beyond this it is no record.
constexpr std::size_t kLargestRecord = std::size_t{1} << 30;

class Attendance {
 public:
  Attendance(Child& child, const Limits& limits, const StopFlag& stop, const Clock& clock)
      : child_(child), limits_(limits), stop_(stop), clock_(clock), start_(clock.now()) {}

  Ending run() {
    while (!child_.has_ended()) {
      wait();
      receive();
      judge();
    }
    receive();
    ending_.status = child_.reap();
    if (ending_.cause == Cause::Lingering && !is_killed_) ending_.cause = Cause::Itself;
    return std::move(ending_);
  }

 private:
  void wait() {
    std::array<pollfd, 3> watched = {
        pollfd{.fd = has_record_ ? child_.record().number() : -1, .events = POLLIN, .revents = 0},
        pollfd{.fd = has_words_ ? child_.words().number() : -1, .events = POLLIN, .revents = 0},
        pollfd{.fd = child_.ending().number(), .events = POLLIN, .revents = 0}};
    const auto most = std::chrono::ceil<milliseconds>(time_to_next_event());
    // EINTR is as good as an event: the loop looks at everything anyway.
    poll(watched.data(), watched.size(), static_cast<int>(most.count()));
  }

  Nanoseconds time_to_next_event() const {
    const TimePoint now = clock_.now();
    Nanoseconds most = limits_.memory ? kMemoryTick : kTick;
    if (limits_.time && !kill_at_) most = std::min(most, start_ + *limits_.time - now);
    if (kill_at_) most = std::min(most, *kill_at_ - now);
    return std::max(most, Nanoseconds{0});
  }

  // Takes what is there. Returns whether more may come.
  template <class Take>
  static bool drain(const Descriptor& pipe, Take&& take) {
    std::array<char, 65536> part{};
    while (true) {
      const ssize_t got = read(pipe.number(), part.data(), part.size());
      if (got > 0) take(std::string_view(part.data(), static_cast<std::size_t>(got)));
      if (got == 0) return false;
      if (got < 0 && errno != EINTR) return errno == EAGAIN;
    }
  }

  void receive() {
    if (has_record_) {
      has_record_ = drain(child_.record(), [this](std::string_view part) {
        if (ending_.record.size() <= kLargestRecord) ending_.record += part;
      });
    }
    if (has_words_) {
      has_words_ = drain(child_.words(), [this](std::string_view part) {
        ending_.last_words += part;
        if (ending_.last_words.size() > kLastWords)
          ending_.last_words.erase(0, ending_.last_words.size() - kLastWords);
      });
    }
  }

  void judge() {
    const TimePoint now = clock_.now();
    if (kill_at_ && now >= *kill_at_) return kill();
    if (ending_.record.size() > kLargestRecord) return kill_for(Cause::Flooding);
    check_memory();
    if (kill_at_) return;
    if (stop_.load(std::memory_order_relaxed)) {
      ask_to_end(Cause::Interrupt, now + kStopGrace);
    } else if (limits_.time && now >= start_ + *limits_.time) {
      ask_to_end(Cause::TimeLimit, now + kTimeGrace);
    } else if (!has_record_) {
      ending_.cause = Cause::Lingering;
      kill_at_ = now + kLingerGrace;
    }
  }

  void check_memory() {
    if (!limits_.memory || ending_.cause == Cause::MemoryLimit) return;
    const std::optional<Bytes> resident = child_.resident();
    if (!resident || *resident <= *limits_.memory) return;
    ending_.memory = *resident;
    kill_for(Cause::MemoryLimit);
  }

  void ask_to_end(Cause cause, TimePoint kill_at) {
    ending_.cause = cause;
    kill_at_ = kill_at;
    child_.ask_to_end();
  }

  void kill_for(Cause cause) {
    ending_.cause = cause;
    kill_at_ = clock_.now();
    kill();
  }

  void kill() {
    is_killed_ = true;
    child_.kill_group();
  }

  Child& child_;
  const Limits& limits_;
  const StopFlag& stop_;
  const Clock& clock_;
  TimePoint start_;
  std::optional<TimePoint> kill_at_{};
  bool has_record_ = true;
  bool has_words_ = true;
  bool is_killed_ = false;
  Ending ending_{};
};

}  // namespace

Ending attend(Child& child, const Limits& limits, const StopFlag& stop, const Clock& clock) {
  return Attendance(child, limits, stop, clock).run();
}

}  // namespace headroom::worker
