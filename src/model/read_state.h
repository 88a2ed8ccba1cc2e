// SPDX-License-Identifier: Apache-2.0
// What the parts of the reader share while one model is read.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "model/external_data.h"
#include "model/findings.h"
#include "model/wire.h"

namespace headroom {

struct ReadState {
  wire::Input input{};
  ExternalData external;
  Findings findings{};
  std::set<std::string, std::less<>> missing_files{};  ///< External data that was reported.
  std::set<std::string_view>
      domains{};  ///< Of the nodes of the model or function that is being read.
};

}  // namespace headroom
