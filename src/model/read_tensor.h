// SPDX-License-Identifier: Apache-2.0
// A TensorProto that stands in a message of another kind.
#pragma once

#include <headroom/model/tensor.h>

#include "model/read_state.h"

namespace headroom {

/// Reads and checks as read_tensor_file does; `folder` is where external data is looked for.
Tensor read_tensor_message(ReadState& state, const wire::Place& place, wire::ByteSpan bytes,
                           const std::filesystem::path& folder);

}  // namespace headroom
