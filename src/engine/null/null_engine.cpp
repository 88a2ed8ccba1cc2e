// SPDX-License-Identifier: Apache-2.0
// The engine that does nothing: whatever is measured on it is our own cost.
#include <headroom/base/error.h>
#include <headroom/engine.h>

#include <fmt/format.h>

#include "engine/adapter.h"
#include "engine/factories.h"
#include "engine/settings.h"

namespace headroom {
namespace {

class NullSession final : public Session {
 public:
  explicit NullSession(const SessionOptions& options)
      : threads_(options.threads), is_instrumented_(options.profile_folder.has_value()) {}

  const std::vector<Port>& inputs() const override { return no_ports_; }
  const std::vector<Port>& outputs() const override { return no_ports_; }
  void bind(std::vector<Tensor> inputs) override { inputs_ = std::move(inputs); }
  void run() override {}
  std::vector<Tensor> copy_outputs() const override { return {}; }

  std::map<std::string, std::string> effective() const override {
    return {{"threads", fmt::format("{} (asked)", threads_)}};
  }

  ExecutedGraph finish_profile(std::uint64_t /*skipped_runs*/) override {
    if (!is_instrumented_) {
      throw Error(ErrorKind::Unsupported,
                  "engine 'null': this session is not instrumented; load it with a profile folder");
    }
    return {};
  }

 private:
  std::vector<Port> no_ports_{};
  std::vector<Tensor> inputs_{};
  int threads_;
  bool is_instrumented_;
};

class NullEngine final : public Engine {
 public:
  std::string_view name() const override { return "null"; }
  std::string version() const override { return "1"; }
  std::string build() const override { return "part of headroom"; }

  std::unique_ptr<Session> load(const ModelSource& source, const SessionOptions& options,
                                const LoadObserver& observer) override {
    refuse_exposed(name(), source);
    check_settings(name(), {}, options.settings);
    auto session = std::make_unique<NullSession>(options);
    if (observer) observer(LoadPhase::Create);
    return session;
  }
};

}  // namespace

std::unique_ptr<Engine> make_null_engine() {
  return std::make_unique<NullEngine>();
}

}  // namespace headroom
