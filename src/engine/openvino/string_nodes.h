// SPDX-License-Identifier: Apache-2.0
// Which executed nodes can be trusted with strings.
#pragma once

#include <string>

#include <openvino/openvino.hpp>

namespace headroom::openvino {

/// The operator of the first executed node that takes or gives strings and is not known to copy
/// them as strings; empty where there is none.
/// Source: the executed graphs of version 2026.4.1 for models of one operator. Its `Identity`,
/// `StridedSlice` and whatever has a body copy strings byte by byte: both copies free the same
/// memory, and the process dies when the request goes.
std::string op_unfit_for_strings(const ov::CompiledModel& compiled);

}  // namespace headroom::openvino
