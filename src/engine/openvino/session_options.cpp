// SPDX-License-Identifier: Apache-2.0
// Translation of options, and what became of them.
#include "engine/openvino/session_options.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/openvino/setting_table.h"

namespace headroom::openvino {
namespace {

// All three are types of arithmetic; what a processor lacks, the engine replaces, and tells so.
constexpr std::array<std::string_view, 3> kPrecisions = {"f32", "bf16", "f16"};

// What a compiled model tells that is no option.
constexpr std::array<std::string_view, 5> kNoOptions = {"SUPPORTED_PROPERTIES", "NETWORK_NAME",
                                                        "OPTIMAL_NUMBER_OF_INFER_REQUESTS",
                                                        "LOG_LEVEL", "PERF_COUNT"};

template <class List>
bool contains(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string our_name(const std::string& property) {
  if (property == ov::inference_num_threads.name()) return "threads";
  if (property == ov::hint::inference_precision.name()) return "precision";
  return property;
}

}  // namespace

void check_options(const SessionOptions& options) {
  check_settings("openvino", setting_rules(), options.settings);
  if (options.threads < 1) {
    throw Error(
        ErrorKind::Usage,
        fmt::format("engine 'openvino': {} threads asked, at least 1 needed", options.threads));
  }
  if (!contains(kPrecisions, options.precision)) {
    throw Error(ErrorKind::Unsupported,
                fmt::format("engine 'openvino' cannot be asked for precision '{}'; ask for one of: "
                            "f32, bf16, f16",
                            printable(options.precision)));
  }
  if (!options.is_optimized) {
    throw Error(ErrorKind::Unsupported,
                "engine 'openvino' has no option that turns its graph optimisations off, so it "
                "cannot be its own reference; give stored outputs, or build with another engine");
  }
}

ov::AnyMap make_properties(const SessionOptions& options) {
  ov::AnyMap properties = {{ov::inference_num_threads.name(), options.threads},
                           {ov::hint::inference_precision.name(), options.precision},
                           {ov::num_streams.name(), 1}};
  if (options.precision == "f32") {
    // By itself the engine keeps the keys and values of an attention in 8 bits, and multiplies by
    // compressed weights in 8 bits: neither is f32.
    properties[ov::hint::kv_cache_precision.name()] = "f32";
    properties[ov::hint::dynamic_quantization_group_size.name()] = 0;
  }
  if (options.profile_folder) properties[ov::enable_profiling.name()] = true;
  for (const auto& [key, value] : options.settings) properties[key] = value;
  return properties;
}

std::map<std::string, std::string> effective_options(const SessionOptions& options,
                                                     const ov::CompiledModel& compiled) {
  std::map<std::string, std::string> facts;
  for (const auto& [key, value] : options.settings) facts[key] = value + " (asked)";
  facts["threads"] = fmt::format("{} (asked)", options.threads);
  facts["precision"] = options.precision + " (asked)";
  for (const ov::PropertyName& property : compiled.get_property(ov::supported_properties)) {
    if (contains(kNoOptions, property)) continue;
    const auto value = compiled.get_property(property).as<std::string>();
    if (!value.empty()) facts[our_name(property)] = value + " (observed)";
  }
  if (options.settings.contains(ov::cache_dir.name())) {
    facts["loaded_from_cache"] =
        compiled.get_property(ov::loaded_from_cache) ? "1 (observed)" : "0 (observed)";
  }
  return facts;
}

}  // namespace headroom::openvino
