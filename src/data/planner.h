// SPDX-License-Identifier: Apache-2.0
// Plans of inputs: the facts gathered once, one plan for each set of guesses.
#pragma once

#include <headroom/data.h>

#include <string>
#include <vector>

#include "data/choose_shape.h"
#include "data/choose_values.h"
#include "data/facts.h"

namespace headroom {

/// A plan and what in it was guessed.
struct Draft {
  InputPlan plan{};
  std::vector<DimRole> roles{};  ///< Of guessed dimensions, each once, in the order of the inputs.
  /// Of guessed single elements, by input.
  std::map<std::string, std::vector<std::int64_t>> other_values{};
};

class Planner {
 public:
  /// Errors: as plan_inputs.
  Planner(const Model& model, const InputOptions& options);

  Draft draft(const Guesses& guesses) const;

 private:
  void gather(const Model& model, const ShapeOptions& shapes);
  void check_names() const;
  void take_files(const Model& model);
  InputSpec make_spec(const InputFacts& input, const ChosenShape& shape, std::int64_t sequence,
                      const Guesses& guesses, Draft& draft) const;

  const InputOptions& options_;
  std::vector<InputFacts> inputs_{};
  std::string source_ = "generated";
  std::vector<std::string> reference_{};
  std::vector<std::string> notes_{};
};

}  // namespace headroom
