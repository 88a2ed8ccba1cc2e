// SPDX-License-Identifier: Apache-2.0
// A launcher that runs a script instead of processes and keeps the cases that it was given.
#pragma once

#include <headroom/worker.h>

#include <functional>
#include <utility>
#include <vector>

namespace headroom::test {

class FakeLauncher final : public Launcher {
 public:
  /// `script` makes the record of each launched case.
  using Script = std::function<Record(const Case& plan_case)>;
  explicit FakeLauncher(Script script) : script_(std::move(script)) {}

  Record launch(const Case& plan_case, const StopFlag& /*stop*/) override {
    cases_.push_back(plan_case);
    return script_(plan_case);
  }

  const std::vector<Case>& cases() const noexcept { return cases_; }
  std::vector<Case> cases_of(Role role) const {
    std::vector<Case> found;
    for (const Case& plan_case : cases_)
      if (plan_case.role == role) found.push_back(plan_case);
    return found;
  }

 private:
  Script script_;
  std::vector<Case> cases_;
};

}  // namespace headroom::test
