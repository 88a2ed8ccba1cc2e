// SPDX-License-Identifier: Apache-2.0
// After a run that the engine did not survive: which node it is.
#pragma once

#include <headroom/app/run.h>

#include <string>

namespace headroom::app {

/// A note for the record; empty where the engine did not fail. Parts of the model are written into
/// a private folder, which is gone afterwards. What cannot be searched is said in the note.
std::string note_on_failing_node(const RunOptions& options, const Record& failed,
                                 const RunContext& context);

}  // namespace headroom::app
