// SPDX-License-Identifier: Apache-2.0
// What the adapters of engines share: the words of a refusal, and the check of inputs by name.
#pragma once

#include <headroom/base/error.h>
#include <headroom/engine.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// What an adapter asks of its engine.
enum class Stage : std::uint8_t {
  Read,    ///< The file is read, parsed and checked, or converted to the engine's own form.
  Create,  ///< The graph is optimised, kernels are found, weights are prepared.
  Bind,
  Run,
  Other,
};

/// Whether one of `phrases` stands in `message`.
bool says_any(std::string_view message, std::span<const std::string_view> phrases);

/// Runs of white space as one space, none at the ends.
std::string on_one_line(std::string_view text);

/// An Error that names the engine, what was being done to `what`, and the engine's own words,
/// which must be printable and on one line.
Error refusal(std::string_view engine, ErrorKind kind, Stage stage, std::string_view what,
              std::string_view words);

std::vector<Datum> values_of(std::vector<Tensor> tensors);
std::vector<std::string> names_of(const std::vector<Datum>& values);
std::vector<std::string> names_of(const std::vector<Port>& ports);

/// For an engine that gives out nothing but the model's outputs. Errors: Unsupported where more is
/// asked.
void refuse_exposed(std::string_view engine, const ModelSource& source);

/// Every name of `given` is in `required` or `optional`, every one of `required` is given once.
/// `place` names the model. Errors: Usage with the nearest name, or with the number of values.
void check_input_names(std::string_view place, std::span<const std::string> given,
                       std::span<const std::string> required,
                       std::span<const std::string> optional = {});

}  // namespace headroom
