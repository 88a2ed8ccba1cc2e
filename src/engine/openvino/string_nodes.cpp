// SPDX-License-Identifier: Apache-2.0
// A look at the executed graph.
#include "engine/openvino/string_nodes.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace headroom::openvino {
namespace {

// `Reference` is what evaluates Concat and Gather; Reshape hands its input on as it is.
constexpr std::array<std::string_view, 6> kFitOps = {"Input",   "Const",     "Output",
                                                     "Reshape", "Reference", "ShapeOf"};

bool has_strings(const ov::Node& node) {
  for (const auto& input : node.inputs())
    if (input.get_element_type() == ov::element::string) return true;
  for (const auto& output : node.outputs())
    if (output.get_element_type() == ov::element::string) return true;
  return false;
}

bool takes_or_gives_strings(const ov::CompiledModel& compiled) {
  const auto is_text = [](const auto& port) {
    return port.get_element_type() == ov::element::string;
  };
  return std::any_of(compiled.inputs().begin(), compiled.inputs().end(), is_text) ||
         std::any_of(compiled.outputs().begin(), compiled.outputs().end(), is_text);
}

}  // namespace

std::string op_unfit_for_strings(const ov::CompiledModel& compiled) {
  if (!takes_or_gives_strings(compiled)) return {};  // The executed graph of a large model is slow.
  for (const auto& node : compiled.get_runtime_model()->get_ordered_ops()) {
    const auto found = node->get_rt_info().find("layerType");
    if (found == node->get_rt_info().end() || !has_strings(*node)) continue;
    std::string op = found->second.as<std::string>();
    if (std::find(kFitOps.begin(), kFitOps.end(), op) == kFitOps.end()) return op;
  }
  return {};
}

}  // namespace headroom::openvino
