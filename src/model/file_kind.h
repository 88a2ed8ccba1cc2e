// SPDX-License-Identifier: Apache-2.0
// What a file that is not an ONNX model may be instead.
#pragma once

#include <string_view>

#include "model/wire.h"

namespace headroom {

/// `it is a git-lfs pointer; fetch the file with git lfs pull`; empty where nothing can be said.
std::string_view what_it_looks_like(wire::ByteSpan bytes) noexcept;

}  // namespace headroom
