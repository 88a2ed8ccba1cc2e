// SPDX-License-Identifier: Apache-2.0
// Makes parts of a model that failed into cases, so that the experiment can search in them.
#include "app/failing_node.h"

#include <headroom/app/observe.h>
#include <headroom/base/error.h>
#include <headroom/base/file.h>
#include <headroom/base/text.h>
#include <headroom/model/extract.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/load_inferred.h"

namespace headroom::app {
namespace {

/// Parts are written again and again; above this much external data for one of them, the disk would
/// be busy for longer than the search may take. Source: ours, a second or so on a common disk.
constexpr std::uint64_t kMostData = std::uint64_t{1} << 30;

using Names = std::set<std::string, std::less<>>;

/// Keeps of a map by input name what is in `names`.
template <class Map>
void keep_named(const Names& names, Map& map) {
  std::erase_if(map, [&](const auto& entry) { return !names.contains(entry.first); });
}

/// With the sizes of the run; where those contradict the model, which may be why it failed,
/// without.
Model with_sizes(const Case& failed) {
  try {
    return load_inferred(failed.model, fixed_by(failed));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Internal) throw;
    return load_inferred(failed.model, {});
  }
}

class Parts {
 public:
  Parts(const RunOptions& options, const Record& failed, const StopFlag& stop)
      : options_(options),
        failed_(failed.plan_case),
        stop_(stop),
        model_(load_for_parts(failed_.model)),
        addresses_(node_labels(model_.graph)),
        sizes_(with_sizes(failed_)) {}

  FailureParts for_search() {
    FailureParts parts{.first = [this](std::size_t count) { return first(count); },
                       .alone = [this](std::size_t node) { return alone(node); },
                       .needed = [this](std::size_t node) { return needed(node); }};
    for (std::uint32_t i = 0; i < model_.graph.nodes.size(); ++i)
      parts.nodes.push_back({addresses_[i], model_.graph.nodes[i].op});
    return parts;
  }

 private:
  std::filesystem::path write(const Part& part) const {
    std::filesystem::path path = folder_.path() / "part.onnx";
    write_part(model_, part, path,
               {.most_data = kMostData, .is_stopped = [this] { return stop_.load(); }});
    return path;
  }

  /// The part with the inputs that the whole model had.
  Case with_given_inputs(const Part& part) const {
    Case plan_case = failed_;
    plan_case.model = write(part).string();
    plan_case.reference.clear();
    const Names names = input_names(part);
    std::erase_if(plan_case.inputs,
                  [&](const InputSpec& input) { return !names.contains(input.name); });
    return plan_case;
  }

  Names input_names(const Part& part) const {
    Names names;
    for (const ValueId id : part.inputs) names.insert(model_.graph.values[id].name);
    return names;
  }

  Case first(std::size_t count) const {
    std::vector<std::uint32_t> nodes(count);
    std::iota(nodes.begin(), nodes.end(), 0U);
    return with_given_inputs(part_of(model_.graph, nodes));
  }

  PartCase alone(std::size_t node) const {
    const auto index = static_cast<std::uint32_t>(node);
    const Part part = part_of(model_.graph, std::span(&index, 1));
    Case plan_case = failed_;
    plan_case.model = write(part).string();
    plan_case.reference.clear();
    const InputPlan inputs = plan_inputs(load_inferred(plan_case.model, {}), input_options(part));
    plan_case.inputs = inputs.inputs;
    plan_case.inputs_from = inputs.source;
    const std::string choice = "--node " + shell_quote(addresses_[node]);
    return {plan_case, repeat(choice, "node.onnx", plan_case)};
  }

  PartCase needed(std::size_t node) const {
    std::vector<std::string> names;
    std::string choice;
    for (const ValueId id : model_.graph.nodes[node].outputs) {
      if (id == kNoValue) continue;
      names.push_back(model_.graph.values[id].name);
      choice += fmt::format("{}--to {}", choice.empty() ? "" : " ", shell_quote(names.back()));
    }
    const Case plan_case = with_given_inputs(part_between(model_.graph, {}, names));
    return {plan_case, repeat(choice, "part.onnx", plan_case)};
  }

  /// What the run was given, as far as it is of this part, and the shapes that inference knows.
  InputOptions input_options(const Part& part) const {
    InputOptions given = options_.inputs;
    given.shapes = {};
    for (const ValueId id : part.inputs) {
      const ValueType& type = sizes_.graph.values[id].type;
      const auto sizes = type.shape ? known_sizes(*type.shape) : std::nullopt;
      if (sizes) given.shapes.shapes[model_.graph.values[id].name] = *sizes;
    }
    const Names names = input_names(part);
    keep_named(names, given.files);
    keep_named(names, given.fills);
    return given;
  }

  std::string repeat(const std::string& choice, const std::string& output,
                     const Case& plan_case) const {
    Case named = plan_case;
    named.model = output;
    RunOptions options = options_;
    Names names;
    for (const InputSpec& input : named.inputs) names.insert(input.name);
    keep_named(names, options.inputs.fills);
    return fmt::format("headroom extract {} {} --output {} && {}", shell_quote(failed_.model),
                       choice, output, repeat_command(options, named, options.launches));
  }

  const RunOptions& options_;
  const Case& failed_;
  const StopFlag& stop_;
  const Model model_;  ///< As it stands in the file.
  const std::vector<std::string> addresses_;
  const Model sizes_;  ///< With the sizes of the run; it has the same values, and others behind.
  const PrivateFolder folder_{"parts of the model"};
};

}  // namespace

std::string note_on_failing_node(const RunOptions& options, const Record& failed,
                                 const RunContext& context) {
  if (context.stop || !engine_failure(failed)) return {};
  try {
    Parts parts(options, failed, context.stop);
    return find_failing_node(failed, parts.for_search(), context.launcher, context.clock,
                             context.stop, context.progress);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Internal) throw;
    return fmt::format("which node fails is not known: {}", error.what());
  }
}

}  // namespace headroom::app
