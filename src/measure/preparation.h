// SPDX-License-Identifier: Apache-2.0
// What every role needs before its first run: inputs, options, a session that is loaded and bound.
#pragma once

#include <headroom/engine.h>
#include <headroom/plan.h>

#include <memory>
#include <vector>

namespace headroom::measure {

/// The tensors of the case's inputs. Errors: those of make_input.
std::vector<Tensor> make_inputs(const Case& plan_case);

SessionOptions options_of(const Case& plan_case);

std::vector<Tensor> copies_of(const std::vector<Tensor>& tensors);

/// Loads the model as `options` say and binds `inputs`. Errors: those of Engine::load,
/// Session::bind.
std::unique_ptr<Session> load_and_bind(Engine& engine, const Case& plan_case,
                                       const SessionOptions& options, std::vector<Tensor> inputs);

}  // namespace headroom::measure
