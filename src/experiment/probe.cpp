// SPDX-License-Identifier: Apache-2.0
#include "experiment/probe.h"

#include <headroom/base/error.h>
#include <headroom/base/text.h>

#include <algorithm>

#include <fmt/format.h>

namespace headroom::experiment {
namespace {

// Whether other inputs could change what happened: the engine or a limit stopped it while running,
// not the file, the options or the build.
bool could_be_mended(const Outcome& outcome) {
  if (outcome.status == Status::Timeout) return true;
  if (outcome.status != Status::Failed) return false;
  const ErrorKind kind = error_kind_from(outcome.error_kind);
  return kind == ErrorKind::Engine || kind == ErrorKind::Limit;
}

// `1x3x48x320`, `scalar`.
std::string shape_of(const InputSpec& input) {
  if (input.shape.empty()) return "scalar";
  std::vector<std::string> sizes;
  for (const std::int64_t size : input.shape) sizes.push_back(std::to_string(size));
  return join(sizes, "x");
}

std::string text_of(const InputSpec& input) {
  std::string text = fmt::format("{}={}", printable(input.name), shape_of(input));
  if (input.fill == FillKind::Integers) {
    text += input.low == input.high ? fmt::format(" (value {})", input.low)
                                    : fmt::format(" (values {} to {})", input.low, input.high);
  }
  return text;
}

bool is_same(const InputSpec& a, const InputSpec& b) {
  return a.name == b.name && a.shape == b.shape && a.fill == b.fill && a.low == b.low &&
         a.high == b.high;
}

// The engine's words, short enough for a line.
std::string excerpt(std::string_view message) {
  constexpr std::size_t kLongest = 240;
  std::string text = printable(message.substr(0, message.find('\n')));
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

std::string advice(const Case& plan_case) {
  std::vector<std::string> options;
  for (const InputSpec& input : plan_case.inputs) {
    if (input.fill != FillKind::File)
      options.push_back(fmt::format("--shape {}", shell_quote(input.name + "=" + shape_of(input))));
  }
  const std::string name = plan_case.inputs.empty() ? "NAME" : plan_case.inputs.front().name;
  return fmt::format(
      "say the shapes that belong to the model (tried first: {}), or give a tensor "
      "with --input {}",
      join(options, " "), shell_quote(name + "=FILE.npy"));
}

bool is_limit(const Outcome& outcome) {
  return error_kind_from(outcome.error_kind) == ErrorKind::Limit;
}

/// What came of the candidates that were tried.
struct Refusals {
  Outcome first{};  ///< Of the planned case.
  std::size_t tried = 0;
  bool are_limits = false;  ///< Each was stopped by a limit, none refused.

  void add(Outcome outcome) {
    are_limits = is_limit(outcome) && (tried == 0 || are_limits);
    if (tried++ == 0) first = std::move(outcome);
  }
};

Outcome refused(const RunPlan& plan, const Refusals& refusals) {
  const Outcome& first = refusals.first;
  const std::string node = blamed_node(first.reason);
  const std::string who = refusals.are_limits ? "a limit stopped every run of"
                          : node.empty()      ? "the engine refused"
                                              : fmt::format("node {} refused", node);
  const std::size_t tried = refusals.tried;
  const std::size_t all = plan.alternatives.size() + 1;
  const std::string extent = tried < all
                                 ? fmt::format("{} of {} customary choices were tried in {}", tried,
                                               all, format_time(plan.probe_time))
                                 : fmt::format("{} customary choices were tried", tried);
  return {.status = refusals.are_limits ? first.status : Status::Failed,
          .reason = fmt::format("{} the generated inputs, and {}: \"{}\"; {}", who, extent,
                                excerpt(first.reason), advice(plan.plan_case)),
          .error_kind =
              std::string(to_string(refusals.are_limits ? ErrorKind::Limit : ErrorKind::Engine)),
          .ended_by = first.ended_by};
}

Case probe_case(const Case& plan_case, Nanoseconds left) {
  Case probe = plan_case;
  probe.role = Role::Probe;
  probe.limits.time = probe.limits.time ? std::min(*probe.limits.time, left) : left;
  return probe;
}

// The planned case, then its alternatives.
const Case& candidate_at(const RunPlan& plan, std::size_t index) {
  return index == 0 ? plan.plan_case : plan.alternatives[index - 1];
}

void announce(const ProgressSink& progress, const Case& candidate, std::size_t number,
              std::size_t all) {
  if (!progress) return;
  progress({.stage = fmt::format("inputs {} of {}", number, all),
            .detail = describe_difference(candidate, {})});
}

std::string substitution_note(const Case& planned, const Case& accepted, const Outcome& first) {
  return fmt::format("input shapes {} were refused by the engine (\"{}\"); {} was accepted",
                     describe_difference(planned, accepted), excerpt(first.reason),
                     describe_difference(accepted, planned));
}

}  // namespace

std::string blamed_node(std::string_view message) {
  constexpr std::string_view kRunning = "while running ";
  constexpr std::string_view kNode = " node. Name:'";
  const std::size_t running = message.find(kRunning);
  if (running == std::string_view::npos) return {};
  const std::string_view rest = message.substr(running + kRunning.size());
  const std::size_t node = rest.find(kNode);
  if (node == std::string_view::npos) return {};
  const std::string_view name = rest.substr(node + kNode.size());
  return fmt::format("'{}' ({})", printable(name.substr(0, name.find('\''))),
                     printable(rest.substr(0, node)));
}

std::string describe_difference(const Case& plan_case, const Case& other) {
  std::vector<std::string> texts;
  for (const InputSpec& input : plan_case.inputs) {
    const bool stands_in_both =
        std::any_of(other.inputs.begin(), other.inputs.end(),
                    [&](const InputSpec& theirs) { return is_same(input, theirs); });
    if (!stands_in_both) texts.push_back(text_of(input));
  }
  return join(texts, ", ");
}

Accepted find_accepted(const RunPlan& plan, Launcher& launcher, const Clock& clock,
                       const StopFlag& stop, const ProgressSink& progress) {
  if (plan.alternatives.empty()) return {.plan_case = plan.plan_case};
  const TimePoint deadline = clock.now() + plan.probe_time;
  const std::size_t all = plan.alternatives.size() + 1;
  Refusals refusals;
  for (std::size_t i = 0; i < all; ++i) {
    const Case& candidate = candidate_at(plan, i);
    const Nanoseconds left = deadline - clock.now();
    if (left <= Nanoseconds{0})
      return {.plan_case = plan.plan_case, .outcome = refused(plan, refusals)};
    announce(progress, candidate, i + 1, all);
    Outcome outcome = launcher.launch(probe_case(candidate, left), stop).outcome;
    if (outcome.status == Status::Ok) {
      if (i == 0) return {.plan_case = candidate};
      return {.plan_case = candidate,
              .note = substitution_note(plan.plan_case, candidate, refusals.first)};
    }
    if (stop.load() || !could_be_mended(outcome))
      return {.plan_case = plan.plan_case, .outcome = std::move(outcome)};
    refusals.add(std::move(outcome));
  }
  return {.plan_case = plan.plan_case, .outcome = refused(plan, refusals)};
}

}  // namespace headroom::experiment
