// SPDX-License-Identifier: Apache-2.0
// What several runs of one model show beside each other. Pure: values in, text out.
#pragma once

#include <headroom/record.h>
#include <headroom/report/text_style.h>

#include <iosfwd>
#include <span>
#include <string>

namespace headroom {

struct SweepTextOptions {
  TextStyle style{};
  bool is_stored = true;  ///< The records can be asked for by their ids.
  /// Records of role Shapes: the memory of one session that met all shapes.
  std::span<const Record> memory{};
};

/// A row for each record with what differs between them (engine, threads, shapes), its median,
/// throughput, CPU time, memory, gate and outcome; then how far the outputs are from their
/// reference. The records must be summarized and of one model.
void write_sweep_text(std::ostream& out, std::span<const Record> records,
                      const SweepTextOptions& options = {});

/// `{"schema", "records": […], "shape_memory": [{engine, threads, loaded_bytes, shapes[{shapes{},
/// after_bytes}]}]}`; a session that failed has an `absent` instead of its bytes.
std::string sweep_json(std::span<const Record> records, std::span<const Record> memory,
                       int indent = -1);

}  // namespace headroom
