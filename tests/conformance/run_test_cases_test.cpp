// SPDX-License-Identifier: Apache-2.0
// Cases in real workers on the scripted engine, which gives its inputs back, or crashes, hangs and
// fails as told.
#include <headroom/base/error.h>
#include <headroom/conformance.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/test_folder.h"

namespace headroom {
namespace {

using namespace std::chrono_literals;
using test::TestFolder;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<TestCase> scripted_cases(const TestFolder& folder) {
  std::vector<TestCase> cases = find_test_cases(folder.path());
  for (TestCase& found : cases) {
    found.plan_case.engine = "scripted";
    found.plan_case.limits.time = 60s;
  }
  return cases;
}

TEST(RunTestCases, SurvivesWhateverAnEngineDoes) {
  TestFolder folder;
  for (const char* name : {"a_right", "b_wrong", "c_crash", "d_hang", "e_exit", "f_fail",
                           "g_unsupported", "h_unreadable", "i_right"})
    folder.add(name, 2, 2);
  folder.add("b_wrong", 2, 3);
  folder.write("h_unreadable/model.onnx", "no model");
  std::vector<TestCase> cases = scripted_cases(folder);
  cases[2].plan_case.settings = {{"crash", "run:1"}};
  cases[3].plan_case.settings = {{"hang", "load"}};
  cases[3].plan_case.limits.time = 1s;
  cases[4].plan_case.settings = {{"exit", "run:1"}};
  cases[5].plan_case.settings = {{"fail", "run:1"}};
  cases[6].plan_case.settings = {{"unsupported", "load"}};

  ChildLauncher launcher(TEST_WORKER);
  const StopFlag stop{false};
  std::vector<std::size_t> counted;
  const std::vector<CaseResult> results =
      run_test_cases(cases, launcher, 2, stop,
                     [&](const CaseResult&, std::size_t done) { counted.push_back(done); });
  std::vector<CaseStatus> statuses;
  for (const CaseResult& result : results) statuses.push_back(result.status);
  EXPECT_THAT(statuses,
              ElementsAre(CaseStatus::Passed, CaseStatus::Failed, CaseStatus::Crashed,
                          CaseStatus::Timeout, CaseStatus::Crashed, CaseStatus::Failed,
                          CaseStatus::Unsupported, CaseStatus::Failed, CaseStatus::Passed));
  EXPECT_THAT(counted, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9));
  EXPECT_EQ(results[1].reason,
            "output 'x': 1 of 1 elements differ by up to 1, most at [0]: found 2, expected 3");
  EXPECT_THAT(results[2].reason, HasSubstr("SIGSEGV"));
  EXPECT_THAT(results[4].reason, HasSubstr("status 3"));
  EXPECT_THAT(results[7].reason, HasSubstr("h_unreadable/model.onnx"));
}

/// Counts how many cases run at the same time; each waits until `together` do.
class MeetingLauncher final : public Launcher {
 public:
  explicit MeetingLauncher(std::size_t together) : together_(together) {}

  Record launch(const Case& plan_case, const StopFlag& /*stop*/) override {
    std::unique_lock lock(mutex_);
    ++running_;
    most_ = std::max(most_, running_);
    all_are_here_.notify_all();
    all_are_here_.wait(lock, [&] { return most_ >= together_; });
    --running_;
    return {.plan_case = plan_case};
  }
  std::size_t most() const { return most_; }

 private:
  std::size_t together_;
  std::mutex mutex_{};
  std::condition_variable all_are_here_{};
  std::size_t running_ = 0;
  std::size_t most_ = 0;
};

TEST(RunTestCases, RunsSoManyAtATimeAsAsked) {
  MeetingLauncher launcher(3);
  const StopFlag stop{false};
  const std::vector<TestCase> cases(7);
  EXPECT_EQ(run_test_cases(cases, launcher, 3, stop, {}).size(), 7U);
  EXPECT_EQ(launcher.most(), 3U);
}

/// Sets the stop flag in the case of this number and gives that case up.
class InterruptedLauncher final : public Launcher {
 public:
  InterruptedLauncher(StopFlag& stop, int at) : stop_(stop), at_(at) {}
  Record launch(const Case& plan_case, const StopFlag& /*stop*/) override {
    if (++launches_ != at_) return {.plan_case = plan_case};
    stop_ = true;
    return {.plan_case = plan_case, .outcome = {.status = Status::Partial}};
  }

 private:
  StopFlag& stop_;
  int at_;
  int launches_ = 0;
};

TEST(RunTestCases, KeepsWhatWasDoneBeforeAnInterrupt) {
  StopFlag stop{false};
  InterruptedLauncher launcher(stop, 3);
  EXPECT_EQ(run_test_cases(std::vector<TestCase>(9), launcher, 1, stop, {}).size(), 2U);
}

TEST(RunTestCases, PassesOnThatNoWorkerStarts) {
  ChildLauncher launcher("/no/such/program");
  const StopFlag stop{false};
  EXPECT_THROW(run_test_cases(std::vector<TestCase>(9), launcher, 2, stop, {}), Error);
}

}  // namespace
}  // namespace headroom
