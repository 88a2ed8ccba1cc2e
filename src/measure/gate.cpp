// SPDX-License-Identifier: Apache-2.0
// The tested session is gone before the reference is loaded, so that memory holds one model at a
// time.
#include "measure/gate.h"

#include <headroom/base/error.h>
#include <headroom/base/random.h>
#include <headroom/base/text.h>
#include <headroom/data.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "measure/compare.h"
#include "measure/perturb.h"
#include "measure/preparation.h"
#include "measure/tolerance.h"

namespace headroom::measure {
namespace {

// Without a floating-point input there is nothing to nudge; then an output is taken to move by this
// part of its magnitude, which holds 8-bit arithmetic inside a model of token ids.
constexpr double kUnprobedNoise = 0.005;
constexpr int kNudges = 2;

/// What the tested session shows, for each output.
struct Tested {
  std::vector<Tensor> outputs{};
  std::vector<Tensor> repeated{};  ///< The same run once more.
  std::vector<double> noise{};
  bool is_sensitive = false;
  bool is_probed = false;   ///< A changed input was accepted.
  std::string refusal{};    ///< What the engine said to a changed input.
  std::string precision{};  ///< That took effect, as far as the engine tells.
};

struct Reference {
  std::string name{};
  std::vector<Tensor> outputs{};
  std::vector<Tensor> repeated{};         ///< Empty for stored outputs.
  std::vector<std::string> unreadable{};  ///< Of stored outputs: why one cannot be read.
  std::string failure{};                  ///< Why there is none.
};

bool is_tensor(const Tensor& tensor) {
  return tensor.type != ElementType::Undefined;
}

void check_interrupt(const StopFlag& stop) {
  if (stop.load()) throw Error(ErrorKind::Interrupted, "interrupted in the correctness gate");
}

std::vector<Tensor> run_once(Session& session, const StopFlag& stop) {
  check_interrupt(stop);
  session.run();
  return session.copy_outputs();
}

// The outputs for changed inputs; nothing if nothing can change, or if the engine refuses them.
std::optional<std::vector<Tensor>> try_changed(const Case& plan_case, Session& session,
                                               std::span<const Tensor> inputs, Change change,
                                               std::uint64_t seed, const StopFlag& stop,
                                               Tested& tested) {
  auto changed = changed_inputs(plan_case, inputs, change, seed);
  if (!changed) return std::nullopt;
  try {
    session.bind(std::move(*changed));
    return run_once(session, stop);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Interrupted) throw;
    tested.refusal = error.what();
    return std::nullopt;
  }
}

// `bf16 (observed)` is bf16; what was asked where the engine says nothing.
std::string precision_in_force(const Case& plan_case, const Session& session) {
  const std::map<std::string, std::string> facts = session.effective();
  const auto found = facts.find("precision");
  return found == facts.end() ? plan_case.precision
                              : found->second.substr(0, found->second.find(' '));
}

void probe_noise(const Case& plan_case, Session& session, std::span<const Tensor> inputs,
                 const StopFlag& stop, Tested& tested) {
  tested.noise.assign(tested.outputs.size(), 0);
  bool has_nudged = false;
  for (int i = 0; i < kNudges; ++i) {
    const std::uint64_t seed =
        derive_seed(plan_case.seed + static_cast<std::uint64_t>(i), "gate nudge");
    const auto moved = try_changed(plan_case, session, inputs, Change::Nudge, seed, stop, tested);
    if (!moved) break;
    has_nudged = true;
    for (std::size_t k = 0; k < std::min(moved->size(), tested.noise.size()); ++k) {
      tested.noise[k] =
          std::max(tested.noise[k], largest_difference((*moved)[k], tested.outputs[k]));
    }
  }
  for (std::size_t k = 0; k < tested.noise.size(); ++k) {
    if (!is_tensor(tested.outputs[k])) continue;
    const double scale = scale_of(tested.outputs[k]);
    if (!has_nudged) tested.noise[k] = kUnprobedNoise * scale;
    tested.noise[k] = std::max(tested.noise[k], precision_noise(tested.precision, scale));
  }
}

// Whether an output that keeps its value from run to run is further away than the tolerance.
bool has_changed(const Tested& tested, const std::vector<Tensor>& changed) {
  for (std::size_t k = 0; k < std::min(changed.size(), tested.outputs.size()); ++k) {
    if (!is_tensor(tested.outputs[k])) continue;
    const auto differs = [&](const Tensor& other) {
      return !compare_output(other, tested.outputs[k], tested.noise[k]).is_equal;
    };
    if (differs(changed[k]) && !differs(tested.repeated[k])) return true;
  }
  return false;
}

void probe_sensitivity(const Case& plan_case, Session& session, std::span<const Tensor> inputs,
                       const StopFlag& stop, Tested& tested) {
  constexpr std::array kAttempts = {Change::Others, Change::Others, Change::Low, Change::High};
  for (std::size_t i = 0; i < kAttempts.size() && !tested.is_sensitive; ++i) {
    const std::uint64_t seed = derive_seed(plan_case.seed + i, "gate sensitivity");
    const auto changed = try_changed(plan_case, session, inputs, kAttempts[i], seed, stop, tested);
    if (!changed) continue;
    tested.is_probed = true;
    tested.is_sensitive = has_changed(tested, *changed);
  }
}

Tested run_tested(const Case& plan_case, Engine& engine, const StopFlag& stop) {
  const std::vector<Tensor> inputs = make_inputs(plan_case);
  const auto session = load_and_bind(engine, plan_case, options_of(plan_case), copies_of(inputs));
  Tested tested;
  tested.precision = precision_in_force(plan_case, *session);
  tested.outputs = run_once(*session, stop);
  tested.repeated = run_once(*session, stop);
  probe_noise(plan_case, *session, inputs, stop, tested);
  probe_sensitivity(plan_case, *session, inputs, stop, tested);
  return tested;
}

Reference stored_reference(const Case& plan_case) {
  Reference reference{.name = "stored outputs"};
  for (const std::string& path : plan_case.reference) {
    reference.unreadable.emplace_back();
    try {
      reference.outputs.push_back(read_tensor_from(path));
    } catch (const Error& error) {  // a stored sequence, a broken file: of no matter to the others
      reference.outputs.emplace_back();
      reference.unreadable.back() = error.what();
    }
  }
  return reference;
}

Reference unoptimised_reference(const Case& plan_case, Engine& engine, const StopFlag& stop) {
  Reference reference{.name = fmt::format("{} without graph optimisation", engine.name())};
  SessionOptions options = options_of(plan_case);
  options.is_optimized = false;
  const auto session = load_and_bind(engine, plan_case, options, make_inputs(plan_case));
  reference.outputs = run_once(*session, stop);
  reference.repeated = run_once(*session, stop);
  return reference;
}

// `outputs` in the order of the names of `wanted`; as they are where one of those is missing.
std::vector<Tensor> in_order_of(const std::vector<Tensor>& wanted, std::vector<Tensor> outputs) {
  std::vector<Tensor> ordered;
  for (const Tensor& tensor : wanted) {
    const auto found = std::find_if(outputs.begin(), outputs.end(), [&](const Tensor& output) {
      return output.name == tensor.name;
    });
    if (found == outputs.end()) return outputs;
    ordered.push_back(copy_of(*found));
  }
  return ordered;
}

// Its own settings are its defaults: those of the case belong to the tested engine.
Reference other_reference(const Case& plan_case, const Tested& tested, Engine& other,
                          const StopFlag& stop) {
  Reference reference{.name = fmt::format("{} in f32", other.name())};
  const auto session =
      load_and_bind(other, plan_case, {.threads = plan_case.threads}, make_inputs(plan_case));
  reference.outputs = in_order_of(tested.outputs, run_once(*session, stop));
  reference.repeated = in_order_of(tested.outputs, run_once(*session, stop));
  return reference;
}

/// What `make` gives, or why it gives none.
template <class Make>
Reference attempt(Make&& make) {
  try {
    return make();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Interrupted) throw;
    return {.failure = error.what()};
  }
}

Reference find_reference(const Case& plan_case, const Tested& tested, Engine& engine, Engine* other,
                         const StopFlag& stop) {
  if (!plan_case.reference.empty()) return attempt([&] { return stored_reference(plan_case); });
  std::string failure;
  if (other != nullptr) {
    Reference reference = attempt([&] { return other_reference(plan_case, tested, *other, stop); });
    if (reference.failure.empty()) return reference;
    failure = reference.failure + "; ";
  }
  Reference reference = attempt([&] { return unoptimised_reference(plan_case, engine, stop); });
  if (!reference.failure.empty()) reference.failure.insert(0, failure);
  return reference;
}

OutputCheck not_compared(const Tensor& output, std::string_view why) {
  return {.name = output.name,
          .type = is_tensor(output) ? std::string(to_string(output.type)) : "not a tensor",
          .shape = is_tensor(output) ? shape_text(output.shape) : "",
          .reason = fmt::format("not compared: {}", why)};
}

struct Judged {
  OutputCheck check{};
  bool is_compared = true;
};

Judged judge(const Tested& tested, const Reference& reference, std::size_t k) {
  const Tensor& output = tested.outputs[k];
  if (!is_tensor(output)) return {not_compared(output, "it is not a tensor"), false};
  if (k >= reference.outputs.size())
    return {not_compared(output, "there is no stored output for it"), false};
  if (k < reference.unreadable.size() && !reference.unreadable[k].empty())
    return {not_compared(output, reference.unreadable[k]), false};
  const OutputCheck repeat = compare_output(tested.repeated[k], output, tested.noise[k]);
  const bool is_random =
      k < reference.repeated.size() && !is_identical(reference.repeated[k], reference.outputs[k]);
  if (!repeat.is_equal && is_random)
    return {not_compared(output, "it differs from run to run with the same inputs"), false};
  OutputCheck check = compare_output(output, reference.outputs[k], tested.noise[k]);
  if (!repeat.is_equal) {
    check.is_equal = false;
    check.reason = "it differs from run to run with the same inputs: " + repeat.reason;
  } else if (!is_identical(tested.repeated[k], output)) {
    const std::string remark = fmt::format("its last bits differ from run to run (by up to {:.3g})",
                                           largest_difference(tested.repeated[k], output));
    check.reason = check.reason.empty() ? remark : check.reason + "; " + remark;
  }
  return {std::move(check), true};
}

std::string blindness(const Case& plan_case, const Tested& tested) {
  if (plan_case.inputs.empty()) {
    return "the model has no inputs: its outputs are constants, and a wrong result that is "
           "constant "
           "too would be compared with itself";
  }
  if (!tested.is_probed && tested.refusal.empty()) {
    return "the inputs leave no choice of other values, so that it was not seen whether they "
           "matter";
  }
  return "no change of the inputs changes an output by more than the tolerance (tried: other "
         "values "
         "of the same kind, zeros or the lowest value, four times as large or the highest value): "
         "a "
         "wrong result could look right";
}

void conclude(const Case& plan_case, const Tested& tested, std::size_t compared,
              std::vector<std::string> failures, std::vector<std::string> remarks, Gate& gate) {
  if (!failures.empty()) {
    gate.status = GateStatus::Failed;
    gate.reason = join(failures, "; ");
  } else if (compared == 0) {
    gate.status = GateStatus::NotRun;
    remarks.insert(remarks.begin(), "no output could be compared");
    gate.reason = join(remarks, "; ");
  } else if (!tested.is_sensitive && (tested.is_probed || tested.refusal.empty())) {
    gate.status = GateStatus::Insensitive;
    gate.reason = blindness(plan_case, tested);
  } else {
    gate.status = GateStatus::Passed;
    if (!tested.is_sensitive) {
      remarks.push_back(
          "whether the inputs matter was not seen, since every change of them was "
          "refused: " +
          tested.refusal);
    }
    gate.reason = join(remarks, "; ");
  }
}

}  // namespace

Gate run_gate(const Case& plan_case, Engine& engine, const StopFlag& stop) {
  const std::string name = reference_engine(engine.name());
  const bool needs_other = !name.empty() && plan_case.reference.empty();
  const std::unique_ptr<Engine> other = needs_other ? make_engine(name) : nullptr;
  return run_gate(plan_case, engine, other.get(), stop);
}

Gate run_gate(const Case& plan_case, Engine& engine, Engine* other, const StopFlag& stop) {
  const Tested tested = run_tested(plan_case, engine, stop);
  const Reference reference = find_reference(plan_case, tested, engine, other, stop);
  Gate gate{.reference = reference.name};
  if (!reference.failure.empty()) {
    gate.reason = "there is no reference: " + reference.failure;
    return gate;
  }
  std::size_t compared = 0;
  std::vector<std::string> failures;
  std::vector<std::string> remarks;
  for (std::size_t k = 0; k < tested.outputs.size(); ++k) {
    Judged judged = judge(tested, reference, k);
    const std::string line =
        fmt::format("output '{}': {}", printable(judged.check.name), judged.check.reason);
    if (judged.is_compared) ++compared;
    if (judged.is_compared && !judged.check.is_equal) {
      failures.push_back(line);
    } else if (!judged.check.reason.empty()) {
      remarks.push_back(line);
    }
    gate.outputs.push_back(std::move(judged.check));
  }
  conclude(plan_case, tested, compared, std::move(failures), std::move(remarks), gate);
  return gate;
}

}  // namespace headroom::measure
