// SPDX-License-Identifier: Apache-2.0
// Diagnostics as they are collected: a hostile file must not make more of them than a person reads.
#pragma once

#include <headroom/model/model.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/wire.h"

namespace headroom {

class Findings {
 public:
  /// The place becomes text, `model` for the outermost one.
  void add(Severity severity, std::string_view code, const wire::Place& place, std::string message);
  /// The diagnostics in the order of discovery; for each code, those above the limit are one line.
  std::vector<Diagnostic> take();

 private:
  std::vector<Diagnostic> diagnostics_;
  std::map<std::string, std::size_t, std::less<>> counts_;
};

}  // namespace headroom
