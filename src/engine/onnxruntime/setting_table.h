// SPDX-License-Identifier: Apache-2.0
// The options of ONNX Runtime that Headroom passes on. The engine itself accepts any key and any
// value without a word, so what is not here is refused.
#pragma once

#include <span>

#include "engine/settings.h"

namespace headroom::onnxruntime {

/// Keys with a dot are the engine's session configuration; the others are options of its interface
/// under our names. Source: onnxruntime_session_options_config_keys.h, versions 1.21 to 1.32.
std::span<const SettingRule> setting_rules();

}  // namespace headroom::onnxruntime
