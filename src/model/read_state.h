// SPDX-License-Identifier: Apache-2.0
// What the parts of the reader share while one model is read.
#pragma once

#include <filesystem>

#include "model/external_data.h"
#include "model/findings.h"
#include "model/wire.h"

namespace headroom {

struct ReadState {
  wire::Input input{};
  ExternalData external;
  Findings findings{};
};

}  // namespace headroom
