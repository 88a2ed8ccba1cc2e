// SPDX-License-Identifier: Apache-2.0
// Real child processes that behave well or badly. Time limits are those of the cases; nothing is
// asserted about how long anything takes.
#include <headroom/base/error.h>
#include <headroom/worker.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>

namespace headroom {
namespace {

using namespace std::chrono_literals;

/// What test_worker does, for the lifetime of the object.
class Behaviour {
 public:
  explicit Behaviour(const char* how) { setenv("HEADROOM_TEST_WORKER", how, 1); }
  ~Behaviour() { unsetenv("HEADROOM_TEST_WORKER"); }
  Behaviour(const Behaviour&) = delete;
  Behaviour& operator=(const Behaviour&) = delete;
};

Case quick_case(std::map<std::string, std::string> settings = {}) {
  return {.role = Role::Measure,
          .model = "/none.onnx",
          .engine = "scripted",
          .settings = std::move(settings),
          .stop = {.min_samples = 10, .max_samples = 20, .max_time = 1s},
          .warmup = {.min_runs = 1, .max_time = 1ms},
          .limits = {.time = 60s}};
}

Record launch(const Case& plan_case) {
  const StopFlag stop{false};
  return ChildLauncher(TEST_WORKER).launch(plan_case, stop);
}

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator entries("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

bool has_children() {
  return waitpid(-1, nullptr, WNOHANG) >= 0;
}

TEST(ChildLauncher, BringsBackWhatTheWorkerMeasured) {
  const Record record = launch(quick_case());
  EXPECT_EQ(record.outcome.status, Status::Ok) << record.outcome.reason;
  EXPECT_EQ(record.engine.name, "scripted");
  EXPECT_EQ(record.samples.size(), 20U);
  EXPECT_EQ(record.launches.at(0).stopped_by, "samples");
  EXPECT_EQ(record.plan_case.model, "/none.onnx");
  EXPECT_TRUE(record.launches.at(0).peak_memory_bytes.has_value());
}

TEST(ChildLauncher, CarriesALargeCase) {
  Case plan = quick_case();
  for (int i = 0; i < 2000; ++i)
    plan.inputs.push_back({.name = "input_" + std::to_string(i),
                           .type = ElementType::Float32,
                           .shape = {1},
                           .reason = std::string(100, 'r')});
  const Record record = launch(plan);  // more than a pipe holds
  EXPECT_EQ(record.outcome.status, Status::Ok) << record.outcome.reason;
  EXPECT_EQ(record.plan_case.inputs.size(), 2000U);
}

TEST(ChildLauncher, MakesAnUnknownEngineAnOutcome) {
  Case plan = quick_case();
  plan.engine = "no_such_engine";
  const Record record = launch(plan);
  EXPECT_EQ(record.outcome.status, Status::Failed);
  EXPECT_EQ(record.outcome.error_kind, "usage");
}

TEST(ChildLauncher, SurvivesACrashWhileLoadingAndWhileRunning) {
  for (const char* when : {"load", "run:15"}) {
    const Record record = launch(quick_case({{"crash", when}}));
    EXPECT_EQ(record.outcome.status, Status::Failed) << when;
    EXPECT_NE(record.outcome.reason.find("SIGSEGV"), std::string::npos) << record.outcome.reason;
    ASSERT_EQ(record.launches.size(), 1U) << when;
  }
}

TEST(ChildLauncher, QuotesTheLastWordsOfAnAbort) {
  const Behaviour behaviour("abort");
  const Record record = launch(quick_case());
  EXPECT_NE(record.outcome.reason.find("SIGABRT"), std::string::npos) << record.outcome.reason;
  EXPECT_NE(record.outcome.reason.find("free(): invalid pointer"), std::string::npos);
}

TEST(ChildLauncher, EndsAHangAtTheTimeLimit) {
  Case plan = quick_case({{"hang", "run:1"}});
  plan.limits.time = 200ms;
  const Record record = launch(plan);
  EXPECT_EQ(record.outcome.status, Status::Timeout);
  EXPECT_EQ(record.outcome.error_kind, "limit");
}

TEST(ChildLauncher, KeepsSamplesThatTheTimeLimitCutShort) {
  Case plan = quick_case({{"run", "1ms"}});
  plan.stop = {.min_samples = 10, .max_samples = 1'000'000, .max_time = 1h};
  plan.limits.time = 1s;
  const Record record = launch(plan);
  EXPECT_EQ(record.outcome.status, Status::Timeout);
  EXPECT_GT(record.samples.size(), 0U);
}

TEST(ChildLauncher, KillsAWorkerThatDoesNotListen) {
  const Behaviour behaviour("deaf");
  Case plan = quick_case();
  plan.limits.time = 100ms;
  EXPECT_EQ(launch(plan).outcome.status, Status::Timeout);
  EXPECT_FALSE(has_children());
}

TEST(ChildLauncher, TellsAKillFromOutside) {
  const Behaviour behaviour("killed");
  const Record record = launch(quick_case());
  EXPECT_EQ(record.outcome.status, Status::Failed);
  EXPECT_EQ(record.outcome.error_kind, "limit");
  EXPECT_NE(record.outcome.reason.find("SIGKILL"), std::string::npos);
}

TEST(ChildLauncher, TellsThatARecordIsGarbage) {
  for (const char* how : {"garbage", "cut"}) {
    const Behaviour behaviour(how);
    const Record record = launch(quick_case());
    EXPECT_EQ(record.outcome.status, Status::Failed) << how;
    EXPECT_NE(record.outcome.reason.find("is not a record"), std::string::npos)
        << record.outcome.reason;
  }
}

TEST(ChildLauncher, TellsThatThereIsNoRecord) {
  const Behaviour behaviour("silent");
  const Record record = launch(quick_case());
  EXPECT_EQ(record.outcome.status, Status::Failed);
  EXPECT_EQ(record.outcome.reason, "the worker ended with status 3: gave no record");
}

TEST(ChildLauncher, NotesACrashAfterTheRecord) {
  const Behaviour behaviour("crash_after");
  const Record record = launch(quick_case());
  EXPECT_EQ(record.outcome.status, Status::Ok) << record.outcome.reason;
  EXPECT_EQ(record.samples.size(), 20U);
  EXPECT_EQ(record.notes.size(), 1U);
}

TEST(ChildLauncher, EndsAWorkerBeyondItsMemory) {
  const Behaviour behaviour("grow");
  Case plan = quick_case();
  plan.limits.memory = Bytes{std::uint64_t{128} << 20};
  const Record record = launch(plan);
  EXPECT_EQ(record.outcome.status, Status::Failed);
  EXPECT_EQ(record.outcome.error_kind, "limit");
  EXPECT_NE(record.outcome.reason.find("the limit is 128 MiB"), std::string::npos)
      << record.outcome.reason;
}

TEST(ChildLauncher, SurvivesAFloodOfWords) {
  const Behaviour behaviour("flood");
  const Record record = launch(quick_case());
  EXPECT_EQ(record.outcome.status, Status::Ok) << record.outcome.reason;
}

TEST(ChildLauncher, KeepsWhatTheEnginePrintsOutOfTheRecord) {
  const Behaviour behaviour("print");
  EXPECT_EQ(launch(quick_case()).outcome.status, Status::Ok);
}

TEST(ChildLauncher, DoesNotWaitForAnOrphanThatHoldsThePipes) {
  const Behaviour behaviour("orphan");
  const Record record = launch(quick_case());
  EXPECT_EQ(record.outcome.status, Status::Ok) << record.outcome.reason;
}

TEST(ChildLauncher, BringsBackWhatWasMeasuredBeforeAnInterrupt) {
  Case plan = quick_case({{"run", "1ms"}});
  plan.stop = {.min_samples = 10, .max_samples = 1'000'000, .max_time = 1h};
  StopFlag stop{false};
  const std::jthread person([&] {
    std::this_thread::sleep_for(500ms);
    stop = true;
  });
  const Record record = ChildLauncher(TEST_WORKER).launch(plan, stop);
  EXPECT_EQ(record.outcome.status, Status::Partial) << record.outcome.reason;
  EXPECT_EQ(record.outcome.error_kind, "interrupted");
}

TEST(ChildLauncher, ThrowsWhenTheProgramCannotBeStarted) {
  const StopFlag stop{false};
  try {
    ChildLauncher("/no/such/program").launch(quick_case(), stop);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Internal);
    EXPECT_STREQ(error.what(),
                 "cannot start '/no/such/program' as a worker: No such file or directory");
  }
  EXPECT_FALSE(has_children());
}

TEST(ChildLauncher, LeaksNoDescriptorAndNoProcess) {
  const Behaviour behaviour("silent");
  launch(quick_case());
  const std::size_t before = open_descriptors();
  for (int i = 0; i < 200; ++i) launch(quick_case());
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_FALSE(has_children());
}

TEST(OwnProgram, IsTheProgramThatRuns) {
  EXPECT_EQ(own_program().filename(), "tests_worker");
  EXPECT_TRUE(std::filesystem::exists(own_program()));
}

}  // namespace
}  // namespace headroom
