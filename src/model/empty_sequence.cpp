// SPDX-License-Identifier: Apache-2.0
// A model of one node, SequenceEmpty. Field numbers are those of onnx.proto.
#include <headroom/model/datum.h>

#include <protozero/pbf_writer.hpp>

namespace headroom {
namespace {

using protozero::pbf_writer;

/// The first with SequenceEmpty.
constexpr std::int64_t kOpset = 11;
constexpr std::int64_t kIrVersion = 6;
constexpr std::int32_t kIntAttribute = 2;

std::string type_bytes(ElementType element) {
  std::string tensor;
  pbf_writer(tensor).add_enum(1, static_cast<std::int32_t>(element));
  std::string tensor_type;
  pbf_writer(tensor_type).add_message(1, tensor);
  std::string sequence;
  pbf_writer(sequence).add_message(1, tensor_type);
  std::string type;
  pbf_writer(type).add_message(4, sequence);
  return type;
}

std::string node_bytes(ElementType element) {
  std::string attribute;
  pbf_writer attribute_writer(attribute);
  attribute_writer.add_string(1, "dtype");
  attribute_writer.add_int64(3, static_cast<std::int64_t>(element));
  attribute_writer.add_enum(20, kIntAttribute);
  std::string node;
  pbf_writer writer(node);
  writer.add_string(2, "empty");
  writer.add_string(4, "SequenceEmpty");
  writer.add_message(5, attribute);
  return node;
}

std::string graph_bytes(ElementType element) {
  std::string output;
  pbf_writer output_writer(output);
  output_writer.add_string(1, "empty");
  output_writer.add_message(2, type_bytes(element));
  std::string graph;
  pbf_writer writer(graph);
  writer.add_message(1, node_bytes(element));
  writer.add_string(2, "empty sequence");
  writer.add_message(12, output);
  return graph;
}

}  // namespace

std::string empty_sequence_model(ElementType element) {
  std::string opset;
  pbf_writer(opset).add_int64(2, kOpset);
  std::string model;
  pbf_writer writer(model);
  writer.add_int64(1, kIrVersion);
  writer.add_message(7, graph_bytes(element));
  writer.add_message(8, opset);
  return model;
}

}  // namespace headroom
