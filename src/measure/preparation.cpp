// SPDX-License-Identifier: Apache-2.0
// From a case to a session that can run.
#include "measure/preparation.h"

#include <headroom/data.h>

namespace headroom::measure {

std::vector<Tensor> make_inputs(const Case& plan_case) {
  std::vector<Tensor> inputs;
  inputs.reserve(plan_case.inputs.size());
  for (const InputSpec& spec : plan_case.inputs) inputs.push_back(make_input(spec, plan_case.seed));
  return inputs;
}

SessionOptions options_of(const Case& plan_case) {
  return {.threads = plan_case.threads,
          .precision = plan_case.precision,
          .settings = plan_case.settings};
}

std::vector<Tensor> copies_of(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> copies;
  copies.reserve(tensors.size());
  for (const Tensor& tensor : tensors) copies.push_back(copy_of(tensor));
  return copies;
}

std::unique_ptr<Session> load_and_bind(Engine& engine, const Case& plan_case,
                                       const SessionOptions& options, std::vector<Tensor> inputs) {
  std::unique_ptr<Session> session = engine.load({.path = plan_case.model}, options, {});
  session->bind(std::move(inputs));
  return session;
}

}  // namespace headroom::measure
