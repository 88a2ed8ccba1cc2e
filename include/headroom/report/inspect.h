// SPDX-License-Identifier: Apache-2.0
// What `headroom inspect` shows: the work in a model as text and as JSON. Pure: values in, text
// out.
#pragma once

#include <headroom/cost.h>
#include <headroom/model/model.h>
#include <headroom/record.h>
#include <headroom/report/text_style.h>

#include <iosfwd>
#include <span>
#include <string>

namespace headroom {

struct InspectTextOptions {
  TextStyle style{};
  bool shows_all_nodes = false;      ///< Else the ten heaviest.
  const Record* observed = nullptr;  ///< The run that told what inference left open, if there was.
  /// The weights that were looked at, if they were.
  std::span<const ObservedValue> weights{};
};

/// Model, work by operator, heaviest nodes, totals, what is not counted and how to fix it, what a
/// run showed, diagnostics. Names from the file are escaped.
void write_inspect_text(std::ostream& out, const Model& model, const Work& work,
                        const InspectTextOptions& options = {});

/// The contract «inspect (JSON)», one line for each node. A number that is not known is
/// `{"absent": reason}`, or missing from a node whose `status` and `reason` say why. `complete`
/// false marks totals as lower limits. Strings that are not UTF-8 get U+FFFD for each wrong byte.
/// `observed` adds `observation`: the engine and every value that it gave out; `weights` those.
std::string inspect_json(const Model& model, const Work& work, const Record* observed = nullptr,
                         std::span<const ObservedValue> weights = {});

}  // namespace headroom
