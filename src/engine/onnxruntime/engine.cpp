// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime as an engine.
#include <headroom/base/error.h>
#include <headroom/engine.h>

#include <fmt/format.h>

#include "engine/factories.h"
#include "engine/onnxruntime/session.h"

namespace headroom {
namespace {

using namespace onnxruntime;

// What the engine says of itself is dropped; failures come back as statuses, and a session has its
// own.
void ORT_API_CALL drop(void* /*unused*/, OrtLoggingLevel /*severity*/, const char* /*category*/,
                       const char* /*id*/, const char* /*place*/, const char* /*message*/) {}

Ort::Env make_env() {
  const OrtApiBase* base = OrtGetApiBase();
  const OrtApi* api = base->GetApi(ORT_API_VERSION);
  if (api == nullptr) {
    throw Error(
        ErrorKind::Unsupported,
        fmt::format("engine 'onnxruntime': the library that was found is version {}, and this "
                    "build needs 1.{} or later; set ONNXRUNTIME_ROOT to such a one",
                    base->GetVersionString(), ORT_API_VERSION));
  }
  Ort::InitApi(api);
  return translated(Stage::Other, "its start", [] {
    Ort::Env env(ORT_LOGGING_LEVEL_FATAL, "headroom", drop, nullptr);
    env.DisableTelemetryEvents();
    return env;
  });
}

class OrtEngine final : public Engine {
 public:
  std::string_view name() const override { return "onnxruntime"; }
  std::string version() const override { return OrtGetApiBase()->GetVersionString(); }
  std::string build() const override { return Ort::GetApi().GetBuildInfoString(); }

  std::unique_ptr<Session> load(const ModelSource& source, const SessionOptions& options,
                                const LoadObserver& observer) override {
    check_options(options);
    return create_session(env_, source, options, observer);
  }

 private:
  // The library keeps one environment for the process and counts its users, so a second engine
  // shares it.
  Ort::Env env_ = make_env();
};

}  // namespace

std::unique_ptr<Engine> make_onnxruntime_engine() {
  return std::make_unique<OrtEngine>();
}

}  // namespace headroom
