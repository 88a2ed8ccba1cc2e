// SPDX-License-Identifier: Apache-2.0
// The words of the enumerations in JSON, and back.
#pragma once

#include <headroom/record.h>

#include <string_view>

#include "base/json.h"

namespace headroom::record {

/// Each reads the text member `key`. Errors: BadInput naming the place and the words possible.
Status read_status(JsonReader& reader, std::string_view key);
GateStatus read_gate_status(JsonReader& reader, std::string_view key);
MetricKind read_metric_kind(JsonReader& reader, std::string_view key);

}  // namespace headroom::record
