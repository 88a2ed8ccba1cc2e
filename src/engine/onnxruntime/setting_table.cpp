// SPDX-License-Identifier: Apache-2.0
// The table of ONNX Runtime's options: those that matter to a session on the CPU. Left out on
// purpose: keys of other providers, of the ORT file format, of saving models, and of memory that
// the caller lends.
#include "engine/onnxruntime/setting_table.h"

#include <array>

namespace headroom::onnxruntime {
namespace {

constexpr SettingRule flag(std::string_view key) {
  return {.key = key};
}

constexpr SettingRule number(std::string_view key, std::int64_t low, std::int64_t high) {
  return {.key = key, .kind = SettingKind::Number, .choices = {}, .low = low, .high = high};
}

constexpr SettingRule choice(std::string_view key, std::string_view choices) {
  return {.key = key, .kind = SettingKind::Choice, .choices = choices};
}

constexpr SettingRule text(std::string_view key, std::string_view form) {
  return {.key = key, .kind = SettingKind::Text, .choices = form};
}

constexpr std::array kRules = {
    // Options of the interface.
    choice("graph_optimization_level", "disable|basic|extended|layout|all"),
    choice("execution_mode", "sequential|parallel"),
    number("inter_op_threads", 1, 1024),
    flag("intra_op_spinning"),
    flag("enable_cpu_mem_arena"),
    flag("enable_mem_pattern"),
    // Threads.
    flag("session.intra_op.allow_spinning"),
    flag("session.inter_op.allow_spinning"),
    number("session.intra_op.spin_duration_us", 0, 60'000'000),  // From 1.32 on.
    number("session.inter_op.spin_duration_us", 0, 60'000'000),  // From 1.32 on.
    flag("session.force_spinning_stop"),
    number("session.dynamic_block_base", 0, 1'000'000),
    text("session.intra_op_thread_affinities", "processors of each further thread, such as 1;2,3"),
    // Memory and weights.
    flag("session.disable_prepacking"),
    flag("session.use_device_allocator_for_initializers"),
    // Arithmetic.
    flag("session.set_denormal_as_zero"),
    flag("session.x64quantprecision"),
    flag("session.qdqisint8allowed"),
    number("session.qdq_matmulnbits_accuracy_level", 0, 4),
    flag("mlas.enable_gemm_fastmath_arm64_bfloat16"),
    // Changes of the graph.
    flag("session.disable_quant_qdq"),
    flag("session.disable_double_qdq_remover"),
    flag("session.enable_quant_qdq_cleanup"),
    flag("session.disable_aot_function_inlining"),
    flag("optimization.enable_gelu_approximation"),
    flag("optimization.enable_cast_chain_elimination"),         // From 1.22 on.
    choice("session.graph_optimizations_loop_level", "0|1|2"),  // From 1.22 on.
    text("optimization.disable_specified_optimizers", "names of optimisers, separated by commas"),
    // Strictness.
    flag("session.strict_shape_type_inference"),
    flag("session.allow_released_opsets_only"),
};

}  // namespace

std::span<const SettingRule> setting_rules() {
  return kRules;
}

}  // namespace headroom::onnxruntime
