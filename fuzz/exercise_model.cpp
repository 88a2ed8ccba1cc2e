// SPDX-License-Identifier: Apache-2.0
#include "exercise_model.h"

#include <headroom/base/error.h>
#include <headroom/cost.h>
#include <headroom/model/datum.h>
#include <headroom/model/model.h>

namespace headroom::fuzz {
namespace {

/// External data is looked for in a folder that does not exist, so that no input names a real file.
constexpr const char* kFolder = "/nonexistent/headroom";
constexpr std::size_t kMostTensorBytes = std::size_t{1} << 20;

void read_tensors(const Graph& graph) {
  for (const StoredTensor& tensor : graph.initializers) {
    if (tensor.external || tensor.message.size() > kMostTensorBytes) continue;
    try {
      read_tensor(tensor, kFolder);
    } catch (const Error&) {  // The next one may be readable.
    }
  }
  for (const Node& node : graph.nodes) {
    for (const Graph* body : node.bodies()) read_tensors(*body);
  }
}

}  // namespace

void exercise_model(std::span<const std::byte> bytes) {
  for (const TypeKind kind : {TypeKind::Tensor, TypeKind::Sequence, TypeKind::Optional}) {
    try {
      parse_datum(bytes, kFolder, kind);
    } catch (const Error&) {  // Most inputs are no such value.
    }
  }
  try {
    Model model = parse_model(bytes, kFolder);
    read_tensors(model.graph);
    inline_functions(model);
    infer_shapes(model, {});
    count_work(model);
  } catch (const Error&) {  // Most inputs are not models.
  }
}

}  // namespace headroom::fuzz
