// SPDX-License-Identifier: Apache-2.0
#include "engine/file_regions.h"

#include <headroom/base/error.h>
#include <headroom/model/model.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/trace.h"

namespace headroom {
namespace {

constexpr std::size_t kLargestCompared = 1024;

// Equal text for equal small tensors; none for others.
std::optional<std::string> text_of(const StoredTensor& stored) {
  if (stored.external || stored.message.size() > kLargestCompared) return std::nullopt;
  try {
    const Tensor tensor = read_tensor(stored, {});
    const auto bytes = tensor.data.bytes();
    return fmt::format("{} {} {}", to_string(tensor.type), tensor.shape,
                       std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  } catch (const Error&) {  // Strings, or data that do not fill the tensor.
    return std::nullopt;
  }
}

template <class T>
std::optional<std::string> text_of(const T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, float> ||
                       std::is_same_v<T, std::vector<std::int64_t>> ||
                       std::is_same_v<T, std::vector<float>>) {
    return fmt::format("{}", value);
  } else {
    return std::nullopt;
  }
}

// Equal text for nodes that do the same with their inputs; none where an attribute is not compared.
std::optional<std::string> work_of(const Node& node) {
  std::string text = node.domain + '\n' + node.op;
  for (const Attribute& attribute : node.attributes) {
    const std::optional<std::string> held =
        std::visit([](const auto& value) { return text_of(value); }, attribute.value);
    if (!held) return std::nullopt;
    text += '\n' + attribute.name + '\n' + *held;
  }
  return text;
}

/// Numbers values so that equal ones have equal numbers. Source: value numbering, as in Aho et al.,
/// Compilers, 6.1.2.
class Numbering {
 public:
  explicit Numbering(const Graph& graph) : graph_(graph), numbers_(graph.values.size()) {}

  std::vector<std::uint32_t> take() {
    for (ValueId id = 0; id < graph_.values.size(); ++id) {
      const Value& value = graph_.values[id];
      std::optional<std::string> text;
      if (value.origin == Origin::Initializer && !value.is_overridable)
        text = text_of(graph_.initializers[value.index]);
      if (value.origin != Origin::Node) numbers_[id] = number_of(text);
    }
    for (const Node& node : graph_.nodes) {
      std::optional<std::string> text = node.inputs.empty() && node.op != "Constant"
                                            ? std::nullopt  // Random numbers.
                                            : work_of(node);
      if (text) {
        for (const ValueId input : node.inputs)
          *text += fmt::format("\n{}", input == kNoValue ? 0 : numbers_[input]);
      }
      for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        if (node.outputs[i] == kNoValue) continue;
        numbers_[node.outputs[i]] =
            number_of(text ? std::optional(fmt::format("{}\n#{}", *text, i)) : std::nullopt);
      }
    }
    return std::move(numbers_);
  }

 private:
  std::uint32_t number_of(const std::optional<std::string>& text) {
    if (!text) return ++last_;
    const auto [found, is_new] = known_.try_emplace(*text, last_ + 1);
    if (is_new) ++last_;
    return found->second;
  }

  const Graph& graph_;
  std::vector<std::uint32_t> numbers_;
  std::unordered_map<std::string, std::uint32_t> known_{};
  std::uint32_t last_ = 0;  // 0 stands for a value that is omitted.
};

}  // namespace

FileRegions::FileRegions(const Graph& file)
    : file_(file),
      is_constant_node_(nodes_of_constants(file)),
      is_met_(file.values.size()),
      users_(file.values.size()),
      classes_(Numbering(file).take()),
      met_of_class_(file.values.size() + 1, kNoValue) {
  for (std::size_t i = 0; i < file.nodes.size(); ++i)
    for_each_read(file.nodes[i], [&](ValueId id) { users_[id].push_back(i); });
}

bool FileRegions::is_constant(ValueId id) const {
  const Value& value = file_.values[id];
  if (value.origin == Origin::Node) return is_constant_node_[value.index];
  return value.origin == Origin::Initializer || value.origin == Origin::SparseInitializer;
}

Region FileRegions::before(ValueId value, const std::set<ValueId>& constants) const {
  Region region;
  std::vector<ValueId> open = {value};
  while (!open.empty()) {
    const ValueId id = open.back();
    open.pop_back();
    const ValueId met = is_met_[id] ? id : met_of_class_[classes_[id]];
    if (id != value && met != kNoValue) {
      region.entries.insert(met);
      continue;
    }
    if (file_.values[id].origin != Origin::Node) continue;
    const std::size_t index = file_.values[id].index;
    bool reads_constants = false;
    for_each_read(file_.nodes[index],
                  [&](ValueId input) { reads_constants |= constants.contains(input); });
    if (is_constant_node_[index] && !reads_constants) continue;
    if (!region.nodes.insert(index).second) continue;
    if (region.nodes.size() > kLargest) return {};
    for_each_read(file_.nodes[index], [&](ValueId input) { open.push_back(input); });
  }
  return region;
}

void FileRegions::meet(ValueId value) {
  is_met_[value] = true;
  if (met_of_class_[classes_[value]] == kNoValue) met_of_class_[classes_[value]] = value;
}

}  // namespace headroom
