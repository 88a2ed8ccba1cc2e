// SPDX-License-Identifier: Apache-2.0
#include <headroom/app/observe.h>
#include <headroom/data.h>

#include <utility>

namespace headroom::app {
namespace {

ObservedType type_of(const ObservedValue& value) {
  ObservedType seen{.type = {.kind = value.kind, .element = value.type}};
  if (value.kind == TypeKind::Tensor) {
    seen.type.shape.emplace();
    for (const std::int64_t size : value.shape) seen.type.shape->push_back(Dim{.size = size});
  }
  if (value.integers) {
    seen.elements.emplace();
    seen.elements->elements.assign(value.integers->begin(), value.integers->end());
  }
  return seen;
}

}  // namespace

ShapeOptions fixed_by(const Case& plan_case) {
  ShapeOptions options;
  for (const InputSpec& input : plan_case.inputs) {
    options.shapes[input.name] = input.shape;
    if (element_count(input.shape) > kMaxKnownElements) continue;
    if (auto elements = known_elements(make_input(input, plan_case.seed)))
      options.values.emplace(input.name, std::move(*elements));
  }
  return options;
}

ShapeOptions seen_in(const Record& observed) {
  ShapeOptions options = fixed_by(observed.plan_case);
  for (const ObservedValue& value : observed.observation.values)
    options.observed.emplace(value.name, type_of(value));
  return options;
}

}  // namespace headroom::app
