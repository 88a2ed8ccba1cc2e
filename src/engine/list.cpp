// SPDX-License-Identifier: Apache-2.0
// The list of engines: the only place that knows what was built.
#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/engine.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/factories.h"

namespace headroom {
namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<Engine> (*make)();  // Null where the build lacks the engine.
  std::string_view absence;           // Why, and what to do about it.
  std::string_view reference = {};    // The engine that checks its outputs, if not itself.
};

constexpr std::array kEngines = {
#ifdef HEADROOM_WITH_ONNXRUNTIME
    Entry{"onnxruntime", make_onnxruntime_engine, ""},
#else
    Entry{"onnxruntime", nullptr,
          "ONNX Runtime was not found when this program was configured; run ./dev setup, or set "
          "ONNXRUNTIME_ROOT, and build again"},
#endif
#ifdef HEADROOM_WITH_OPENVINO
    Entry{"openvino", make_openvino_engine, "", "onnxruntime"},
#else
    Entry{"openvino", nullptr,
          "OpenVINO was not found when this program was configured; run ./dev setup, or set "
          "OpenVINO_DIR to the folder of its OpenVINOConfig.cmake, and build again"},
#endif
    Entry{"null", make_null_engine, ""},
    Entry{"scripted", make_scripted_engine, ""},
};

}  // namespace

std::vector<std::string> engine_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kEngines) {
    if (entry.make != nullptr) names.emplace_back(entry.name);
  }
  return names;
}

std::map<std::string, std::string> absent_engines() {
  std::map<std::string, std::string> absent;
  for (const Entry& entry : kEngines) {
    if (entry.make == nullptr) absent.emplace(entry.name, entry.absence);
  }
  return absent;
}

std::string reference_engine(std::string_view name) {
  for (const Entry& entry : kEngines) {
    if (entry.name != name || entry.reference.empty()) continue;
    const std::vector<std::string> built = engine_names();
    const bool is_built = std::find(built.begin(), built.end(), entry.reference) != built.end();
    return is_built ? std::string(entry.reference) : std::string();
  }
  return {};
}

std::unique_ptr<Engine> make_engine(std::string_view name) {
  for (const Entry& entry : kEngines) {
    if (entry.name != name) continue;
    if (entry.make != nullptr) return entry.make();
    throw Error(ErrorKind::Unsupported,
                fmt::format("engine '{}' is not in this build: {}", name, entry.absence));
  }
  const std::vector<std::string> names = engine_names();
  const std::string near = nearest_name(name, names);
  throw Error(ErrorKind::Usage,
              fmt::format("engine '{}' is unknown; {}choose one of: {}", printable(name),
                          near.empty() ? "" : "did you mean '" + near + "'? ", join(names, ", ")));
}

}  // namespace headroom
