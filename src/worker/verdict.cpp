// SPDX-License-Identifier: Apache-2.0
// Every way to end has its outcome, and none of them loses what was measured.
#include "worker/verdict.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>

#include <csignal>
#include <cstring>
#include <optional>

#include <fmt/format.h>
#include <sys/wait.h>

namespace headroom::worker {
namespace {

// Words of a worker that are worth a place in a reason.
constexpr std::size_t kQuoted = 400;

struct Received {
  std::optional<Record> record{};
  std::string defect{};  ///< Why what came is no record.
};

Received receive(const std::string& text) {
  if (text.empty()) return {};
  try {
    return {.record = record_from_json(text)};
  } catch (const Error& error) {
    return {.defect = fmt::format("what it wrote ({} bytes) is not a record: {}", text.size(),
                                  error.what())};
  }
}

std::string signal_name(int number) {
  const char* name = sigabbrev_np(number);
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", number);
}

std::string with_last_words(std::string reason, const Ending& ending) {
  std::string_view words = ending.last_words;
  while (!words.empty() && (words.back() == '\n' || words.back() == ' ')) words.remove_suffix(1);
  if (words.empty()) return reason;
  if (words.size() > kQuoted) words.remove_prefix(words.size() - kQuoted);
  return reason + "; its last words: " + printable(words);
}

std::string how_it_ended(const Ending& ending) {
  if (WIFSIGNALED(ending.status)) {
    const int number = WTERMSIG(ending.status);
    return fmt::format("was ended by {} ({})", signal_name(number), strsignal(number));
  }
  return fmt::format("ended with status {}", WEXITSTATUS(ending.status));
}

// `SIGSEGV`, `status 3`.
std::string short_ending(int status) {
  return WIFSIGNALED(status) ? signal_name(WTERMSIG(status))
                             : fmt::format("status {}", WEXITSTATUS(status));
}

Outcome limited(Status status, std::string reason) {
  return {.status = status,
          .reason = std::move(reason),
          .error_kind = std::string(to_string(ErrorKind::Limit))};
}

Outcome failed(ErrorKind kind, std::string reason) {
  return {.status = Status::Failed,
          .reason = std::move(reason),
          .error_kind = std::string(to_string(kind))};
}

Outcome reason_of_loss(const Ending& ending, const std::string& defect) {
  const std::string what = defect.empty() ? "gave no record" : defect;
  if (!WIFSIGNALED(ending.status)) {
    return failed(
        ErrorKind::Internal,
        with_last_words(fmt::format("the worker {}: {}", how_it_ended(ending), what), ending));
  }
  const int number = WTERMSIG(ending.status);
  if (number == SIGKILL) {
    return failed(ErrorKind::Limit,
                  "the worker was killed from outside (SIGKILL): the kernel does that when memory "
                  "runs out; give the machine more memory, or a smaller batch or shape");
  }
  return failed(
      ErrorKind::Engine,
      with_last_words(fmt::format("the worker crashed: it {}", how_it_ended(ending)), ending));
}

// The worker ended by itself and left no record that can be read.
Outcome outcome_of_loss(const Ending& ending, const std::string& defect) {
  Outcome outcome = reason_of_loss(ending, defect);
  outcome.ended_by = short_ending(ending.status);
  return outcome;
}

Outcome outcome_of_time(const Limits& limits) {
  return limited(Status::Timeout,
                 fmt::format("stopped after {}, the limit of one process; allow more (--timeout)",
                             format_time(limits.time.value_or(Nanoseconds{0}))));
}

Outcome outcome_of_memory(const Limits& limits, const Ending& ending) {
  return limited(
      Status::Failed,
      fmt::format("stopped because it held {} of memory; the limit is {}; allow more "
                  "(--memory), or ask for a smaller batch or shape",
                  format_bytes(ending.memory), format_bytes(limits.memory.value_or(Bytes{}))));
}

Outcome outcome_of_interrupt(const Ending& ending) {
  const bool had_begun = !WIFSIGNALED(ending.status) || WTERMSIG(ending.status) != SIGTERM;
  return {.status = Status::Partial,
          .reason = had_begun ? "interrupted; the worker did not give its record in time, and what "
                                "it had measured is lost"
                              : "interrupted while the worker was starting",
          .error_kind = std::string(to_string(ErrorKind::Interrupted))};
}

// The outcome that the end imposes on whatever the worker says of itself; nothing if it has the
// word.
std::optional<Outcome> imposed(const Case& plan_case, const Ending& ending, bool has_record) {
  switch (ending.cause) {
    case Cause::TimeLimit:
      return outcome_of_time(plan_case.limits);
    case Cause::MemoryLimit:
      return outcome_of_memory(plan_case.limits, ending);
    case Cause::Flooding:
      return failed(ErrorKind::Internal, "the worker wrote more than 1 GiB and no record");
    case Cause::Interrupt:
      return has_record ? std::nullopt : std::optional(outcome_of_interrupt(ending));
    case Cause::Itself:
    case Cause::Lingering:
      return std::nullopt;
  }
  return std::nullopt;
}

void impose(const Outcome& outcome, Record& record) {
  record.outcome = outcome;
  if (!record.launches.empty()) record.launches.front().outcome = outcome;
  if (record.plan_case.role == Role::Profile) record.profile.outcome = outcome;
  if (record.plan_case.role == Role::Gate && record.gate.reason.empty())
    record.gate.reason = outcome.reason;
}

}  // namespace

Record record_without_result(const Case& plan_case, const Outcome& outcome) {
  Record record{.plan_case = plan_case};
  record.engine.name = plan_case.engine;
  if (plan_case.role == Role::Measure) record.launches.emplace_back();
  impose(outcome, record);
  return record;
}

Record record_of(const Case& plan_case, const Ending& ending) {
  Received received = receive(ending.record);
  const auto outcome = imposed(plan_case, ending, received.record.has_value());
  if (!received.record) {
    return record_without_result(plan_case,
                                 outcome ? *outcome : outcome_of_loss(ending, received.defect));
  }
  Record record = std::move(*received.record);
  if (outcome) impose(*outcome, record);
  const bool is_clean = WIFEXITED(ending.status) && WEXITSTATUS(ending.status) == 0;
  if (ending.cause == Cause::Lingering && WIFSIGNALED(ending.status)) {
    record.notes.push_back("the worker did not end after its record was complete and was killed");
  } else if (ending.cause == Cause::Itself && !is_clean) {
    record.notes.push_back(with_last_words(
        fmt::format("after its record was complete the worker {}", how_it_ended(ending)), ending));
  }
  return record;
}

}  // namespace headroom::worker
