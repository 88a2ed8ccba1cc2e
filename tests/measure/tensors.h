// SPDX-License-Identifier: Apache-2.0
// Tensors written down.
#pragma once

#include <headroom/engine.h>

#include <cstring>
#include <string>
#include <vector>

namespace headroom::test {

template <class Element>
Tensor tensor_of(ElementType type, std::vector<std::int64_t> shape,
                 const std::vector<Element>& elements, std::string name = "y") {
  Tensor tensor = make_tensor(std::move(name), type, std::move(shape));
  if (!elements.empty()) {
    std::memcpy(tensor.data.bytes().data(), elements.data(),
                std::min(tensor.data.bytes().size(), elements.size() * sizeof(Element)));
  }
  return tensor;
}

inline Tensor floats(const std::vector<float>& elements, std::string name = "y") {
  return tensor_of(ElementType::Float32, {static_cast<std::int64_t>(elements.size())}, elements,
                   std::move(name));
}

inline Tensor texts(std::vector<std::string> elements) {
  Tensor tensor =
      make_tensor("y", ElementType::String, {static_cast<std::int64_t>(elements.size())});
  tensor.strings = std::move(elements);
  return tensor;
}

inline float first_float(const Tensor& tensor) {
  float value = 0;
  std::memcpy(&value, tensor.data.bytes().data(), sizeof value);
  return value;
}

/// Tensors cannot be copied, so no initialiser list makes a vector of them.
template <class... Tensors>
std::vector<Tensor> list_of(Tensors... tensors) {
  std::vector<Tensor> list;
  (list.push_back(std::move(tensors)), ...);
  return list;
}

}  // namespace headroom::test
