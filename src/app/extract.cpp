// SPDX-License-Identifier: Apache-2.0
// Puts the modules together for `headroom extract`.
#include <headroom/app/extract.h>
#include <headroom/base/error.h>

namespace headroom::app {
namespace {

Part chosen(const ExtractOptions& options, const Model& model) {
  const bool is_by_value = !options.from.empty() || !options.to.empty();
  if (options.nodes.empty() && !is_by_value) {
    throw Error(ErrorKind::Usage,
                "nothing is chosen; name nodes with --node, or values with --from and --to");
  }
  if (!options.nodes.empty() && is_by_value)
    throw Error(ErrorKind::Usage, "--node cannot be combined with --from and --to");
  return is_by_value ? part_between(model.graph, options.from, options.to)
                     : part_of(model.graph, nodes_named(model, options.nodes));
}

}  // namespace

ExtractReport extract(const ExtractOptions& options, const StopFlag& stop) {
  const Model model = load_for_parts(options.model);
  WrittenPart written = write_part(model, chosen(options, model), options.output,
                                   {.is_stopped = [&] { return stop.load(); }});
  return {.source = options.model,
          .source_nodes = model.graph.nodes.size(),
          .model = load_model(options.output),
          .written = std::move(written)};
}

}  // namespace headroom::app
