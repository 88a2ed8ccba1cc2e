// SPDX-License-Identifier: Apache-2.0
// The options of OpenVINO that Headroom passes on, refused by name and value before the engine sees
// them, so that the message can name the nearest.
#pragma once

#include <span>

#include "engine/settings.h"

namespace headroom::openvino {

/// Source: the CPU plug-in's SUPPORTED_PROPERTIES of version 2026.4, and those of its core that
/// change what is compiled; without the ones that have an option of their own (threads, precision,
/// profiling) and without the log's.
std::span<const SettingRule> setting_rules();

}  // namespace headroom::openvino
