// SPDX-License-Identifier: Apache-2.0
// From the end of a worker to a record, without a process. Wait statuses are built as the kernel
// does: the signal in the low 7 bits, the exit status in the next 8.
#include "worker/verdict.h"

#include <csignal>

#include <gtest/gtest.h>

namespace headroom::worker {
namespace {

constexpr int exited(int status) {
  return status << 8;
}
constexpr int signaled(int number) {
  return number;
}

Case plan_of(Role role = Role::Measure) {
  return {.role = role, .model = "/m.onnx", .engine = "scripted"};
}

Record good_record() {
  Record record{.plan_case = plan_of()};
  record.engine = {.name = "scripted", .version = "1"};
  record.launches.emplace_back();
  record.launches[0].first_run_ns = 5;
  return record;
}

TEST(RecordOf, IsTheWorkersOwnWhereItEndsWell) {
  const Record record =
      record_of(plan_of(), {.status = exited(0), .record = to_json(good_record())});
  EXPECT_EQ(record.outcome.status, Status::Ok);
  EXPECT_EQ(record.engine.version, "1");
  EXPECT_TRUE(record.notes.empty());
}

TEST(RecordOf, NamesTheSignalAndTheLastWordsOfACrash) {
  const Record record = record_of(
      plan_of(), {.status = signaled(SIGSEGV), .last_words = "tensor 'x'\nis\x01 gone\n"});
  EXPECT_EQ(record.outcome.status, Status::Failed);
  EXPECT_EQ(record.outcome.error_kind, "engine");
  EXPECT_NE(record.outcome.reason.find("SIGSEGV"), std::string::npos) << record.outcome.reason;
  EXPECT_NE(record.outcome.reason.find("is\\x01 gone"), std::string::npos) << record.outcome.reason;
  ASSERT_EQ(record.launches.size(), 1U);
  EXPECT_EQ(record.launches[0].outcome.status, Status::Failed);
  EXPECT_EQ(record.plan_case.model, "/m.onnx");
}

TEST(RecordOf, TakesAKillFromOutsideForLackOfMemory) {
  const Record record = record_of(plan_of(), {.status = signaled(SIGKILL)});
  EXPECT_EQ(record.outcome.status, Status::Failed);
  EXPECT_EQ(record.outcome.error_kind, "limit");
}

TEST(RecordOf, SaysThatThereIsNoRecord) {
  const Record record = record_of(plan_of(), {.status = exited(3), .last_words = "bye"});
  EXPECT_EQ(record.outcome.status, Status::Failed);
  EXPECT_EQ(record.outcome.error_kind, "internal");
  EXPECT_EQ(record.outcome.reason,
            "the worker ended with status 3: gave no record; its last words: bye");
}

TEST(RecordOf, SaysThatARecordIsCutOff) {
  const std::string text = to_json(good_record());
  const Record record =
      record_of(plan_of(), {.status = exited(0), .record = text.substr(0, text.size() / 2)});
  EXPECT_EQ(record.outcome.status, Status::Failed);
  EXPECT_NE(record.outcome.reason.find("is not a record"), std::string::npos)
      << record.outcome.reason;
}

TEST(RecordOf, NotesACrashAfterTheRecord) {
  const Record record =
      record_of(plan_of(), {.status = signaled(SIGSEGV), .record = to_json(good_record())});
  EXPECT_EQ(record.outcome.status, Status::Ok);
  ASSERT_EQ(record.notes.size(), 1U);
  EXPECT_NE(record.notes[0].find("SIGSEGV"), std::string::npos);
}

TEST(RecordOf, KeepsWhatWasMeasuredBeforeTheTimeLimit) {
  Case plan = plan_of();
  plan.limits.time = std::chrono::seconds{30};
  const Record record = record_of(
      plan, {.cause = Cause::TimeLimit, .status = exited(0), .record = to_json(good_record())});
  EXPECT_EQ(record.outcome.status, Status::Timeout);
  EXPECT_EQ(record.outcome.error_kind, "limit");
  EXPECT_NE(record.outcome.reason.find("30.0 s"), std::string::npos) << record.outcome.reason;
  EXPECT_EQ(record.launches.at(0).first_run_ns, 5);
  EXPECT_EQ(record.launches.at(0).outcome.status, Status::Timeout);
}

TEST(RecordOf, NamesTheMemoryThatWasFound) {
  Case plan = plan_of();
  plan.limits.memory = Bytes{1 << 20};
  const Record record = record_of(
      plan, {.cause = Cause::MemoryLimit, .status = signaled(SIGKILL), .memory = Bytes{3 << 20}});
  EXPECT_EQ(record.outcome.error_kind, "limit");
  EXPECT_EQ(record.outcome.reason,
            "stopped because it held 3.00 MiB of memory; the limit is 1.00 MiB; allow more "
            "(--memory), or ask for a smaller batch or shape");
}

TEST(RecordOf, LeavesTheWordToAnInterruptedWorker) {
  Record partial = good_record();
  partial.outcome = {.status = Status::Partial, .reason = "interrupted while sampling"};
  const Record record = record_of(
      plan_of(), {.cause = Cause::Interrupt, .status = exited(0), .record = to_json(partial)});
  EXPECT_EQ(record.outcome.reason, "interrupted while sampling");
}

TEST(RecordOf, TellsWhetherAnInterruptedWorkerHadBegun) {
  const Record before =
      record_of(plan_of(), {.cause = Cause::Interrupt, .status = signaled(SIGTERM)});
  EXPECT_EQ(before.outcome.status, Status::Partial);
  EXPECT_EQ(before.outcome.reason, "interrupted while the worker was starting");
  const Record in_a_run =
      record_of(plan_of(), {.cause = Cause::Interrupt, .status = signaled(SIGKILL)});
  EXPECT_EQ(in_a_run.outcome.status, Status::Partial);
  EXPECT_NE(in_a_run.outcome.reason.find("is lost"), std::string::npos);
}

TEST(RecordOf, PutsTheOutcomeWhereTheRoleIsReadFrom) {
  const Ending crash{.status = signaled(SIGSEGV)};
  const Record profile = record_of(plan_of(Role::Profile), crash);
  EXPECT_EQ(profile.profile.outcome.status, Status::Failed);
  EXPECT_TRUE(profile.launches.empty());
  const Record gate = record_of(plan_of(Role::Gate), crash);
  EXPECT_EQ(gate.gate.status, GateStatus::NotRun);
  EXPECT_EQ(gate.gate.reason, gate.outcome.reason);
}

TEST(RecordOf, TellsHowAProcessEnded) {
  const auto ended_by = [](const Ending& ending) {
    return record_of(plan_of(Role::Conform), ending).outcome.ended_by;
  };
  EXPECT_EQ(ended_by({.status = signaled(SIGSEGV)}), "SIGSEGV");
  EXPECT_EQ(ended_by({.status = signaled(SIGKILL)}), "SIGKILL");
  EXPECT_EQ(ended_by({.status = exited(3)}), "status 3");
  // Ends that we ask for are no crashes.
  EXPECT_EQ(ended_by({.cause = Cause::TimeLimit, .status = signaled(SIGKILL)}), "");
  EXPECT_EQ(ended_by({.cause = Cause::Interrupt, .status = signaled(SIGTERM)}), "");
}

}  // namespace
}  // namespace headroom::worker
