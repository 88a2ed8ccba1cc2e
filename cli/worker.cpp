// SPDX-License-Identifier: Apache-2.0
// `headroom worker`: the hidden verb behind ChildLauncher.
#include <headroom/worker.h>

#include "verbs.h"

namespace headroom::cli {

void add_worker(CLI::App& app, VerbContext& context) {
  constexpr int kOutput = 3;  // The descriptor that ChildLauncher opens for the record.
  CLI::App* verb = app.add_subcommand("worker", "Run one case from standard input");
  verb->group("");  // Not shown by --help.
  verb->callback([&context] { context.action = [] { return worker_main(kOutput); }; });
}

}  // namespace headroom::cli
