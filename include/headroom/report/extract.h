// SPDX-License-Identifier: Apache-2.0
// What `headroom extract` shows: the model that it wrote, as text and as JSON. Pure: values in,
// text out.
#pragma once

#include <headroom/model/extract.h>
#include <headroom/report/text_style.h>

#include <filesystem>
#include <iosfwd>
#include <string>

namespace headroom {

struct ExtractReport {
  std::filesystem::path source{};
  std::size_t source_nodes = 0;
  Model model;  ///< What was written, read back.
  WrittenPart written{};
};

void write_extract_text(std::ostream& out, const ExtractReport& report, const TextStyle& style);

/// `{schema, source, output, nodes[{name, op, domain}], inputs[], outputs[], incomplete[],
/// initializers[{name, type, shape, bytes}], functions[], bytes, data{path, bytes}}`; a node
/// without a name is `OP of VALUE`, as inspect has it; without a data file `data` is `{absent:
/// reason}`.
std::string extract_json(const ExtractReport& report);

}  // namespace headroom
