// SPDX-License-Identifier: Apache-2.0
// The adapter of OpenVINO is a shared module of its own, loaded when that engine is asked for, so
// that a process of another engine pays nothing for it (docs/decisions/0010).
#include <headroom/base/error.h>

#include <array>
#include <filesystem>
#include <system_error>

#include <dlfcn.h>
#include <fmt/format.h>

#include "engine/factories.h"
#include "engine/openvino/module.h"

namespace headroom {
namespace {

// Beside the program (a build folder), where an installation puts it, else where the dynamic linker
// looks: the run path of a program that links the installed library.
std::array<std::string, 3> candidates() {
  std::error_code ignored;
  const std::filesystem::path folder =
      std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  return {folder / HEADROOM_OPENVINO_MODULE,
          folder / HEADROOM_MODULES_FROM_PROGRAM / HEADROOM_OPENVINO_MODULE,
          HEADROOM_OPENVINO_MODULE};
}

// Never closed: OpenVINO's threads live until the process ends.
void* open_module() {
  std::string problem;
  for (const std::string& path : candidates()) {
    std::error_code ignored;
    if (path.find('/') != std::string::npos && !std::filesystem::exists(path, ignored)) continue;
    void* module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module != nullptr) return module;
    problem = dlerror();
    if (path.find('/') != std::string::npos) break;  // found, and what it needs is missing
  }
  throw Error(ErrorKind::Unsupported,
              fmt::format("engine 'openvino' cannot be loaded: {}; it was built, so its module or "
                          "OpenVINO's libraries have been moved; build again, or set "
                          "LD_LIBRARY_PATH to their folder",
                          problem));
}

}  // namespace

std::unique_ptr<Engine> make_openvino_engine() {
  void* symbol = dlsym(open_module(), kOpenvinoEntry);
  if (symbol == nullptr) {
    throw Error(ErrorKind::Unsupported,
                fmt::format("engine 'openvino': its module lacks '{}'; build again so that both "
                            "are of one version",
                            kOpenvinoEntry));
  }
  return std::unique_ptr<Engine>(reinterpret_cast<OpenvinoEntry*>(symbol)());
}

}  // namespace headroom
