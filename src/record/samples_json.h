// SPDX-License-Identifier: Apache-2.0
// The samples' columns, which can have millions of rows: written as text and read number by number,
// without a tree in between.
#pragma once

#include <headroom/record.h>

#include <string>
#include <string_view>

#include "base/json.h"

namespace headroom::record {

/// The object `{"launch":[…],"start_ns":[…],"end_ns":[…]}`, each column on one line. `launch` is
/// absent when all rows are of launch 0. Cost: about 20 bytes a row.
std::string samples_to_text(const Samples& samples);

/// A record's JSON with its samples taken out of the tree.
struct ParsedRecord {  // NOLINT(bugprone-exception-escape): moving a Json is noexcept
  Json json{};
  Samples samples{};
};

/// Errors: BadInput for text that is not JSON, an unknown column, a value that is not an integer,
/// columns of different lengths, an end before its start.
ParsedRecord parse_record(std::string_view text);

}  // namespace headroom::record
