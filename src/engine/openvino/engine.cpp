// SPDX-License-Identifier: Apache-2.0
// OpenVINO as an engine.
#include <headroom/engine.h>

#include <memory>

#include <openvino/openvino.hpp>

#include "engine/adapter.h"
#include "engine/openvino/module.h"
#include "engine/openvino/session.h"
#include "engine/openvino/session_options.h"
#include "engine/openvino/status.h"

namespace headroom {
namespace {

using namespace openvino;

class OpenvinoEngine final : public Engine {
 public:
  OpenvinoEngine() : core_(translated(Stage::Other, "its start", [] { return ov::Core(); })) {}

  std::string_view name() const override { return "openvino"; }
  // `2026.4.1-22982-e213a147257-releases/2026/4`: the version stands before the first hyphen.
  std::string version() const override {
    const std::string text = build();
    return text.substr(0, text.find('-'));
  }
  std::string build() const override { return ov::get_openvino_version().buildNumber; }

  std::unique_ptr<Session> load(const ModelSource& source, const SessionOptions& options,
                                const LoadObserver& observer) override {
    refuse_exposed(name(), source);
    check_options(options);
    return create_session(core_, source, options, observer);
  }

 private:
  ov::Core core_;
};

}  // namespace
}  // namespace headroom

extern "C" __attribute__((visibility("default"))) headroom::Engine* headroom_new_openvino_engine() {
  return std::make_unique<headroom::OpenvinoEngine>().release();
}
