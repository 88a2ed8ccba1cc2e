// SPDX-License-Identifier: Apache-2.0
// The table itself. Each value was given to version 2026.4, which took it.
#include "engine/openvino/setting_table.h"

#include <array>

namespace headroom::openvino {
namespace {

constexpr SettingRule number(std::string_view key, std::int64_t low, std::int64_t high) {
  return {.key = key, .kind = SettingKind::Number, .choices = {}, .low = low, .high = high};
}

constexpr SettingRule choice(std::string_view key, std::string_view choices) {
  return {.key = key, .kind = SettingKind::Choice, .choices = choices};
}

constexpr SettingRule yes_or_no(std::string_view key) {
  return choice(key, "YES|NO");
}

constexpr SettingRule text(std::string_view key, std::string_view form) {
  return {.key = key, .kind = SettingKind::Text, .choices = form};
}

constexpr std::string_view kCachePrecisions = "f32|f16|bf16|u8|u4";

constexpr std::array kRules = {
    // Hints.
    choice("PERFORMANCE_HINT", "LATENCY|THROUGHPUT"),
    number("PERFORMANCE_HINT_NUM_REQUESTS", 0, 1024),
    choice("EXECUTION_MODE_HINT", "PERFORMANCE|ACCURACY"),
    // Threads.
    number("NUM_STREAMS", 1, 1024),
    yes_or_no("ENABLE_CPU_PINNING"),
    yes_or_no("ENABLE_CPU_RESERVATION"),
    yes_or_no("ENABLE_HYPER_THREADING"),
    choice("SCHEDULING_CORE_TYPE", "ANY_CORE|PCORE_ONLY|ECORE_ONLY"),
    choice("MODEL_DISTRIBUTION_POLICY", "TENSOR_PARALLEL"),
    yes_or_no("ENABLE_TENSOR_PARALLEL"),
    choice("TBB_PARTITIONER", "STATIC|AUTO"),
    // Arithmetic.
    yes_or_no("CPU_DENORMALS_OPTIMIZATION"),
    number("DYNAMIC_QUANTIZATION_GROUP_SIZE", 0, 1'048'576),
    choice("KV_CACHE_PRECISION", kCachePrecisions),
    choice("KEY_CACHE_PRECISION", kCachePrecisions),
    choice("VALUE_CACHE_PRECISION", kCachePrecisions),
    number("KEY_CACHE_GROUP_SIZE", 0, 1'048'576),
    number("VALUE_CACHE_GROUP_SIZE", 0, 1'048'576),
    // Memory and weights.
    text("CPU_SPARSE_WEIGHTS_DECOMPRESSION_RATE", "a share from 0 to 1, such as 0.8"),
    text("CACHE_DIR", "a folder that keeps compiled models"),
    choice("CACHE_MODE", "OPTIMIZE_SIZE|OPTIMIZE_SPEED"),
};

}  // namespace

std::span<const SettingRule> setting_rules() {
  return kRules;
}

}  // namespace headroom::openvino
