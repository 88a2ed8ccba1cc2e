// SPDX-License-Identifier: Apache-2.0
// What `headroom history` shows: records, the newest first, one line each.
#pragma once

#include <headroom/report/text_style.h>
#include <headroom/store.h>

#include <iosfwd>
#include <string>
#include <vector>

namespace headroom {

struct HistoryReport {
  std::vector<RecordSummary> records{};
  std::string store{};        ///< Where they are.
  std::string fingerprint{};  ///< Of this machine.
  std::string sought{};       ///< What they were filtered by, for an empty list; empty: nothing.
};

/// Records of other platforms are marked: their times do not compare with this machine's.
void write_history_text(std::ostream& out, const HistoryReport& report,
                        const TextStyle& style = {});

std::string history_json(const HistoryReport& report);

}  // namespace headroom
