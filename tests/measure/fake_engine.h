// SPDX-License-Identifier: Apache-2.0
// An engine that lives on a ManualClock: every run takes the time, and does the things, that a test
// says. Unlike the scripted engine it waits for nothing.
#pragma once

#include <headroom/engine.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/manual_clock.h"

namespace headroom::test {

/// What a fake session does; a test fills in what it needs.
struct FakeBehaviour {
  /// Called in each run with its number from 1; throws to fail.
  std::function<void(std::uint64_t)> on_run = [](std::uint64_t) {};
  /// Outputs of the newest run from the bound inputs and the run's number.
  std::function<std::vector<Tensor>(const std::vector<Tensor>&, std::uint64_t, bool is_optimized)>
      outputs = [](const auto&, std::uint64_t, bool) { return std::vector<Tensor>{}; };
  std::function<void(const LoadObserver&)> on_load = [](const LoadObserver&) {};
  std::function<void(const std::vector<Tensor>&)> on_bind = [](const std::vector<Tensor>&) {};
  ExecutedGraph profile{};
};

class FakeSession final : public Session {
 public:
  FakeSession(const FakeBehaviour& behaviour, bool is_optimized)
      : behaviour_(behaviour), is_optimized_(is_optimized) {}

  const std::vector<Port>& inputs() const override { return ports_; }
  const std::vector<Port>& outputs() const override { return ports_; }
  void bind(std::vector<Tensor> inputs) override {
    behaviour_.on_bind(inputs);
    inputs_ = std::move(inputs);
  }
  void run() override { behaviour_.on_run(++runs_); }
  std::vector<Tensor> copy_outputs() const override {
    return behaviour_.outputs(inputs_, runs_, is_optimized_);
  }
  std::map<std::string, std::string> effective() const override {
    return {{"threads", "1 (observed)"}};
  }
  ExecutedGraph finish_profile(std::uint64_t /*skipped_runs*/) override {
    return behaviour_.profile;
  }

 private:
  const FakeBehaviour& behaviour_;
  bool is_optimized_;
  std::uint64_t runs_ = 0;
  std::vector<Port> ports_{};
  std::vector<Tensor> inputs_{};
};

class FakeEngine final : public Engine {
 public:
  std::string_view name() const override { return "fake"; }
  std::string version() const override { return "7"; }
  std::string build() const override { return "of a test"; }
  std::unique_ptr<Session> load(const ModelSource& source, const SessionOptions& options,
                                const LoadObserver& observer) override {
    sources.push_back(source);
    asked.push_back(options);
    behaviour.on_load(observer);
    return std::make_unique<FakeSession>(behaviour, options.is_optimized);
  }

  FakeBehaviour behaviour{};
  std::vector<ModelSource> sources{};
  std::vector<SessionOptions> asked{};
};

}  // namespace headroom::test
