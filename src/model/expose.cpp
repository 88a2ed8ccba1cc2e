// SPDX-License-Identifier: Apache-2.0
// Intermediate values as further outputs of a model. Field numbers are those of onnx.proto.
#include <headroom/model/model.h>

#include <protozero/pbf_writer.hpp>

namespace headroom {

std::vector<std::string> intermediate_values(const Graph& graph) {
  std::vector<bool> is_output(graph.values.size());
  for (const ValueId id : graph.outputs) is_output[id] = true;
  std::vector<std::string> names;
  for (std::size_t id = 0; id < graph.values.size(); ++id) {
    if (graph.values[id].origin == Origin::Node && !is_output[id])
      names.push_back(graph.values[id].name);
  }
  return names;
}

std::string exposing_bytes(const std::vector<std::string>& values) {
  std::string graph;
  protozero::pbf_writer graph_writer(graph);
  for (const std::string& name : values) {
    std::string output;
    protozero::pbf_writer(output).add_string(1, name);
    graph_writer.add_message(12, output);
  }
  std::string model;
  protozero::pbf_writer(model).add_message(7, graph);
  return model;
}

}  // namespace headroom
