// SPDX-License-Identifier: Apache-2.0
// Field numbers are those of onnx.proto.
#include "model/extract/data_copy.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/model/tensor.h>

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>
#include <variant>

#include <protozero/pbf_writer.hpp>

#include "model/tensor_proto.h"

namespace headroom::extract {
namespace {

using wire::ByteSpan;
using wire::Fields;

/// What ONNX recommends, so that a mapping can begin at each tensor: the page size of most systems.
/// Source: onnx.proto, TensorProto.external_data, `offset`.
constexpr std::uint64_t kAlignment = 4096;

/// What is copied between two questions whether to stop: well below a second on a slow disk.
constexpr std::uint64_t kStep = std::uint64_t{64} << 20;

constexpr std::uint32_t kExternalData = 13;

/// A field of a message in which tensors may lie.
struct TensorField {
  Message message;
  std::uint32_t number;
  Message inner;
};
constexpr std::array kTensorFields = {
    TensorField{Message::Node, 5, Message::Attribute},
    TensorField{Message::Attribute, 5, Message::Tensor},
    TensorField{Message::Attribute, 6, Message::Graph},
    TensorField{Message::Attribute, 10, Message::Tensor},
    TensorField{Message::Attribute, 11, Message::Graph},
    TensorField{Message::Attribute, 22, Message::SparseTensor},
    TensorField{Message::Attribute, 23, Message::SparseTensor},
    TensorField{Message::Graph, 1, Message::Node},
    TensorField{Message::Graph, 5, Message::Tensor},
    TensorField{Message::Graph, 15, Message::SparseTensor},
    TensorField{Message::Function, 7, Message::Node},
    TensorField{Message::Function, 11, Message::Attribute},
    TensorField{Message::SparseTensor, 1, Message::Tensor},
    TensorField{Message::SparseTensor, 2, Message::Tensor},
};

const TensorField* tensor_field(Message message, std::uint32_t number) {
  const auto* const found = std::find_if(
      kTensorFields.begin(), kTensorFields.end(),
      [&](const TensorField& field) { return field.message == message && field.number == number; });
  return found == kTensorFields.end() ? nullptr : found;
}

void add_entry(protozero::pbf_writer& tensor, const char* key, const std::string& value) {
  std::string entry;
  protozero::pbf_writer writer(entry);
  writer.add_string(1, key);
  writer.add_string(2, value);
  tensor.add_message(kExternalData, entry);
}

/// Collects tensors with external data.
class Collector {
 public:
  void add(const Graph& graph) {
    add(graph.initializers);
    add(graph.sparse_initializers);
    add(graph.nodes);
  }
  void add(const Function& function) {
    add(function.default_attributes);
    add(function.body);
  }
  void add(const Node& node) { add(node.attributes); }
  void add(const Attribute& attribute) {
    std::visit([&](const auto& value) { add(value); }, attribute.value);
  }
  void add(const StoredTensor& tensor) {
    if (tensor.external) found_.push_back(&tensor);
  }
  void add(const StoredSparseTensor& tensor) {
    add(tensor.values);
    add(tensor.indices);
  }
  template <class T>
  void add(const std::vector<T>& list) {
    if constexpr (!std::is_arithmetic_v<T>)
      for (const T& entry : list) add(entry);
  }
  template <class T>
  void add(const T& /*holds no tensor*/) {}

  std::vector<const StoredTensor*> take() { return std::move(found_); }

 private:
  std::vector<const StoredTensor*> found_{};
};

template <class... Parts>
std::vector<const StoredTensor*> collected(const Parts&... parts) {
  Collector collector;
  (collector.add(parts), ...);
  return collector.take();
}

}  // namespace

DataCopy::DataCopy(const std::filesystem::path& model, std::string location)
    : state_{{printable(model.string()), nullptr}, ExternalData(model.parent_path())},
      place_{&state_.input},
      location_(std::move(location)) {}

std::string DataCopy::moved(Message message, ByteSpan bytes) {
  if (message == Message::Tensor) return moved_tensor(bytes);
  std::string result;
  protozero::pbf_writer writer(result);
  Fields fields(place_, "the message to copy", bytes);
  while (fields.next()) {
    const TensorField* const field = tensor_field(message, fields.number());
    if (field != nullptr) {
      writer.add_message(field->number, moved(field->inner, fields.bytes()));
    } else {
      result.append(wire::text_of(fields.whole()));
    }
  }
  return result;
}

std::string DataCopy::moved_tensor(ByteSpan bytes) {
  const StoredTensor tensor = read_stored_tensor(state_, place_, bytes);
  if (!tensor.external) return std::string(wire::text_of(bytes));
  const StoredTensor::External& external = *tensor.external;
  const std::uint64_t length = packed_size(tensor.type, element_count(tensor.dims))->value;
  const std::uint64_t offset = place_of(
      {state_.external.existing_path(place_.inside("tensor", tensor.name), external.location),
       external.offset, length});
  std::string result;
  Fields fields(place_, "TensorProto", bytes);
  while (fields.next()) {
    if (fields.number() != kExternalData) result.append(wire::text_of(fields.whole()));
  }
  protozero::pbf_writer writer(result);
  add_entry(writer, "location", location_);
  add_entry(writer, "offset", std::to_string(offset));
  add_entry(writer, "length", std::to_string(length));
  return result;
}

std::uint64_t DataCopy::place_of(Range range) {
  const std::uint64_t next = (size_ + kAlignment - 1) / kAlignment * kAlignment;
  const auto [place, is_new] = places_.try_emplace(range, next);
  if (is_new) {
    size_ = next + std::get<2>(range);
    ranges_.emplace_back(std::move(range), next);
  }
  return place->second;
}

void DataCopy::write(AtomicFile& file, const std::function<bool()>& is_stopped) const {
  std::uint64_t at = 0;
  for (const auto& [range, place] : ranges_) {
    file.write(std::string(static_cast<std::size_t>(place - at), '\0'));
    auto [path, offset, length] = range;
    at = place + length;
    while (length > 0) {
      if (is_stopped && is_stopped())
        throw Error(ErrorKind::Interrupted, "interrupted; nothing was written");
      const std::uint64_t step = std::min(length, kStep);
      file.append(path, offset, step);
      offset += step;
      length -= step;
    }
  }
}

std::vector<const StoredTensor*> external_tensors(const Node& node) {
  return collected(node);
}

std::vector<const StoredTensor*> external_tensors(const Model& model) {
  return collected(model.graph, model.functions);
}

std::vector<const StoredTensor*> external_tensors(const Function& function) {
  return collected(function);
}

std::vector<const StoredTensor*> external_tensors(const StoredSparseTensor& tensor) {
  return collected(tensor);
}

}  // namespace headroom::extract
