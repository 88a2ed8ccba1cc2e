// SPDX-License-Identifier: Apache-2.0
// `headroom extract`: some nodes of a model as a model of their own.
#pragma once

#include <headroom/measure.h>
#include <headroom/report/extract.h>

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::app {

struct ExtractOptions {
  std::filesystem::path model{};
  std::filesystem::path output{};
  std::vector<std::string> nodes{};  ///< `--node`; or else
  std::vector<std::string> from{};   ///< `--from`
  std::vector<std::string> to{};     ///< and `--to`.
};

/// Writes the part and reads it back. Errors: Usage for options that choose nothing, or in two
/// ways; those of load_for_parts, nodes_named, part_between and write_part.
ExtractReport extract(const ExtractOptions& options, const StopFlag& stop);

}  // namespace headroom::app
