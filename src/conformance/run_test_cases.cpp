// SPDX-License-Identifier: Apache-2.0
// Several workers at a time: nothing here is timed, so they may share the machine.
#include <headroom/conformance.h>

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace headroom {
namespace {

/// What the threads share. Each takes the next case until there are no more, or one of them fails.
class Pool {
 public:
  Pool(const std::vector<TestCase>& cases, Launcher& launcher, const StopFlag& stop,
       const CaseObserver& observer)
      : cases_(cases), launcher_(launcher), stop_(stop), observer_(observer) {
    results_.resize(cases.size());
  }

  std::vector<CaseResult> run(int jobs) {
    {
      std::vector<std::jthread> threads;
      threads.reserve(static_cast<std::size_t>(jobs));
      for (int i = 0; i < jobs; ++i) threads.emplace_back([this] { work(); });
    }
    if (failure_) std::rethrow_exception(failure_);
    std::vector<CaseResult> finished;
    for (std::optional<CaseResult>& result : results_)
      if (result) finished.push_back(std::move(*result));
    return finished;
  }

 private:
  void work() {
    try {
      while (!stop_.load() && !has_failed_.load()) {
        const std::size_t index = next_.fetch_add(1);
        if (index >= cases_.size()) return;
        finish(index, result_of(cases_[index]));
      }
    } catch (...) {  // carried to the caller's thread
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      has_failed_.store(true);
    }
  }

  std::optional<CaseResult> result_of(const TestCase& test_case) {
    if (!test_case.problem.empty()) {
      return CaseResult{.name = test_case.name,
                        .op = test_case.op,
                        .status = CaseStatus::Failed,
                        .reason = test_case.problem};
    }
    return judge(test_case, launcher_.launch(test_case.plan_case, stop_));
  }

  void finish(std::size_t index, std::optional<CaseResult> result) {
    if (!result) return;
    const std::lock_guard lock(mutex_);
    ++done_;
    if (observer_) observer_(*result, done_);
    results_[index] = std::move(result);
  }

  const std::vector<TestCase>& cases_;
  Launcher& launcher_;
  const StopFlag& stop_;
  const CaseObserver& observer_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> has_failed_{false};
  std::mutex mutex_{};
  std::vector<std::optional<CaseResult>> results_{};
  std::size_t done_ = 0;
  std::exception_ptr failure_{};
};

}  // namespace

std::vector<CaseResult> run_test_cases(const std::vector<TestCase>& cases, Launcher& launcher,
                                       int jobs, const StopFlag& stop,
                                       const CaseObserver& observer) {
  return Pool(cases, launcher, stop, observer).run(jobs);
}

}  // namespace headroom
