// SPDX-License-Identifier: Apache-2.0
// Translation of options, and what became of them.
#include "engine/onnxruntime/session_options.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>

#include <array>

#include <fmt/format.h>

#include "engine/onnxruntime/setting_table.h"

namespace headroom::onnxruntime {
namespace {

struct Level {
  std::string_view name;
  GraphOptimizationLevel value;
  // An optimiser that runs at this level and not below (version 1.32, seen by comparing the log of
  // every level); it is logged whether or not it changes the graph.
  std::string_view mark;
};

// The header of 1.21 does not name level 3, which 1.32 has.
constexpr std::array kLevels = {
    Level{"disable", ORT_DISABLE_ALL, "Initializing session."},
    Level{"basic", ORT_ENABLE_BASIC, "GraphTransformer Level1_RuleBasedTransformer "},
    Level{"extended", ORT_ENABLE_EXTENDED, "GraphTransformer Level2_RuleBasedTransformer "},
    Level{"layout", static_cast<GraphOptimizationLevel>(3),
          "GraphTransformer ConvAddActivationFusion "},
    Level{"all", ORT_ENABLE_ALL, "GraphTransformer FuseFp16InitializerToFp32NodeTransformer "},
};

std::string_view setting_or(const SessionOptions& options, const std::string& key,
                            std::string_view otherwise) {
  const auto found = options.settings.find(key);
  return found == options.settings.end() ? otherwise : std::string_view{found->second};
}

std::string_view asked_level(const SessionOptions& options) {
  return options.is_optimized ? setting_or(options, "graph_optimization_level", "all") : "disable";
}

bool is_parallel(const SessionOptions& options) {
  return setting_or(options, "execution_mode", "sequential") == "parallel";
}

int inter_op_threads(const SessionOptions& options) {
  return std::stoi(std::string(setting_or(options, "inter_op_threads", "1")));
}

void set_level(Ort::SessionOptions& made, std::string_view name) {
  for (const Level& level : kLevels) {
    if (level.name == name) made.SetGraphOptimizationLevel(level.value);
  }
}

// Larger weights than this go to a file of their own, which is none.
constexpr const char* kLargestInline = "1024";
constexpr const char* kNoWeights = "weights";
constexpr const char* kOptimized = "optimized.onnx";

void leave_optimized_graph(Ort::SessionOptions& made, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::remove(folder / kNoWeights, error);
  std::filesystem::create_symlink("/dev/null", folder / kNoWeights, error);
  if (error) {
    throw Error(ErrorKind::Limit,
                fmt::format("engine 'onnxruntime' cannot leave its optimised graph in '{}': {}",
                            folder.string(), error.message()));
  }
  made.SetOptimizedModelFilePath((folder / kOptimized).c_str());
  made.AddConfigEntry("session.optimized_model_external_initializers_file_name", kNoWeights);
  made.AddConfigEntry("session.optimized_model_external_initializers_min_size_in_bytes",
                      kLargestInline);
}

}  // namespace

std::filesystem::path take_optimized_graph(const std::filesystem::path& profile_folder) {
  std::error_code ignored;  // Weights that lie on a device would be an error of the file.
  std::filesystem::remove(profile_folder / kNoWeights, ignored);
  return profile_folder / kOptimized;
}

void check_options(const SessionOptions& options) {
  check_settings("onnxruntime", setting_rules(), options.settings);
  if (options.threads < 1) {
    throw Error(
        ErrorKind::Usage,
        fmt::format("engine 'onnxruntime': {} threads asked, at least 1 needed", options.threads));
  }
  if (options.precision != "f32") {
    throw Error(
        ErrorKind::Unsupported,
        fmt::format("engine 'onnxruntime' computes on the CPU in the types that the model itself "
                    "has, so it cannot be asked for precision '{}'; ask for f32, or convert the "
                    "model",
                    printable(options.precision)));
  }
}

Ort::SessionOptions make_options(const SessionOptions& options) {
  Ort::SessionOptions made;
  made.SetIntraOpNumThreads(options.threads);
  made.SetInterOpNumThreads(inter_op_threads(options));
  made.SetExecutionMode(is_parallel(options) ? ORT_PARALLEL : ORT_SEQUENTIAL);
  set_level(made, asked_level(options));
  if (setting_or(options, "enable_cpu_mem_arena", "1") == "0") made.DisableCpuMemArena();
  if (setting_or(options, "enable_mem_pattern", "1") == "0") made.DisableMemPattern();
  const std::string_view spinning = setting_or(options, "intra_op_spinning", "");
  if (!spinning.empty()) {
    made.AddConfigEntry("session.intra_op.allow_spinning", std::string(spinning).c_str());
  }
  for (const auto& [key, value] : options.settings) {
    if (key.find('.') != std::string::npos) made.AddConfigEntry(key.c_str(), value.c_str());
  }
  if (options.profile_folder) {
    made.EnableProfiling((*options.profile_folder / "onnxruntime").c_str());
    leave_optimized_graph(made, *options.profile_folder);
  }
  return made;
}

std::string_view level_shown_by(std::string_view line) {
  for (const Level& level : kLevels) {
    if (line.starts_with(level.mark)) return level.name;
  }
  return {};
}

std::map<std::string, std::string> effective_options(const SessionOptions& options,
                                                     const Observations& observations) {
  const auto asked = [](std::string_view value) { return fmt::format("{} (asked)", value); };
  std::map<std::string, std::string> facts;
  for (const auto& [key, value] : options.settings) facts[key] = asked(value);
  facts["threads_started"] = fmt::format("{} (observed)", observations.threads_started);
  // The caller's thread works too. In parallel mode the threads between operators cannot be told
  // from those inside one.
  facts["threads"] = is_parallel(options) || inter_op_threads(options) > 1
                         ? asked(std::to_string(options.threads))
                         : fmt::format("{} (observed)", observations.threads_started + 1);
  facts["graph_optimization_level"] = observations.optimization_level.empty()
                                          ? asked(asked_level(options))
                                          : observations.optimization_level + " (observed)";
  facts["precision"] = asked(options.precision);
  facts["provider"] = asked("CPUExecutionProvider");
  facts["execution_mode"] = asked(is_parallel(options) ? "parallel" : "sequential");
  facts.emplace("intra_op_spinning", asked("the engine's default"));
  return facts;
}

}  // namespace headroom::onnxruntime
