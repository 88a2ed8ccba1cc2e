// SPDX-License-Identifier: Apache-2.0
// One run with the intermediate values given out.
#include "measure/observe.h"

#include <headroom/data.h>
#include <headroom/measure.h>

#include <utility>

#include "measure/preparation.h"

namespace headroom::measure {
namespace {

/// Conditions, counts, axes and shapes: what decides how a run goes on.
constexpr std::uint64_t kMostIntegers = 64;

std::optional<std::vector<std::int64_t>> integers_of(const Tensor& tensor) {
  if (element_count(tensor.shape) > kMostIntegers) return std::nullopt;
  const auto known = known_elements(tensor);
  if (!known || is_float(tensor.type)) return std::nullopt;
  std::vector<std::int64_t> integers;
  for (const auto& element : known->elements) {
    if (!element) return std::nullopt;
    integers.push_back(*element);
  }
  return integers;
}

TypeKind kind_of(const Datum& value) {
  switch (value.kind) {
    case DatumKind::Tensor:
      return TypeKind::Tensor;
    case DatumKind::Sequence:
      return TypeKind::Sequence;
    case DatumKind::None:
      return TypeKind::Optional;
    case DatumKind::Other:
      break;
  }
  return TypeKind::Unknown;
}

ObservedValue observed(const Datum& value) {
  ObservedValue result{.name = value.name, .kind = kind_of(value)};
  if (value.kind != DatumKind::Tensor) return result;
  result.type = value.tensor.type;
  result.shape = value.tensor.shape;
  result.census = census_of(value.tensor);
  result.integers = integers_of(value.tensor);
  return result;
}

}  // namespace

Observation observe(const Case& plan_case, Engine& engine) {
  SessionOptions options = options_of(plan_case);
  options.is_optimized = false;
  const std::unique_ptr<Session> session = engine.load(
      {.path = plan_case.model, .exposed = intermediate_values(load_model(plan_case.model).graph)},
      options, {});
  session->bind(make_inputs(plan_case));
  session->run();
  Observation observation;
  session->visit_values([&](const Datum& value) { observation.values.push_back(observed(value)); });
  return observation;
}

}  // namespace headroom::measure
