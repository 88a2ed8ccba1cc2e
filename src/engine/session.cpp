// SPDX-License-Identifier: Apache-2.0
// What sessions share: the roles' names, and values of every kind for an adapter of tensors.
#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/engine.h>

#include <utility>

#include <fmt/format.h>

namespace headroom {

std::string_view to_string(NodeRole role) noexcept {
  switch (role) {
    case NodeRole::Untraced:
      return "untraced";
    case NodeRole::Kept:
      return "kept";
    case NodeRole::Fused:
      return "fused";
    case NodeRole::Inserted:
      break;
  }
  return "inserted";
}

void Session::bind_values(std::vector<Datum> inputs) {
  std::vector<Tensor> tensors;
  tensors.reserve(inputs.size());
  for (Datum& input : inputs) {
    if (input.kind != DatumKind::Tensor) {
      throw Error(ErrorKind::Unsupported,
                  fmt::format("this engine takes tensors; input '{}' is given as {}",
                              printable(input.name), description_of(input)));
    }
    input.tensor.name = std::move(input.name);
    tensors.push_back(std::move(input.tensor));
  }
  bind(std::move(tensors));
}

std::vector<Datum> Session::copy_values() const {
  std::vector<Datum> values;
  visit_values([&](Datum value) { values.push_back(std::move(value)); });
  return values;
}

void Session::visit_values(const std::function<void(Datum)>& visit) const {
  for (Tensor& tensor : copy_outputs()) {
    const bool is_tensor = tensor.type != ElementType::Undefined;
    Datum value = datum_of(std::move(tensor));
    if (!is_tensor) value.kind = DatumKind::Other;
    visit(std::move(value));
  }
}

}  // namespace headroom
