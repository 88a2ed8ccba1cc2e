// SPDX-License-Identifier: Apache-2.0
// Which node makes an engine fail, from its words or by halving the graph.
#include <headroom/base/error.h>
#include <headroom/base/text.h>
#include <headroom/experiment.h>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "experiment/probe.h"

namespace headroom {
namespace {

/// Where a run has none of its own: what `run` sets by itself.
constexpr Nanoseconds kUsualLimit{600'000'000'000};
/// A part hangs when it takes so many times what the first node took, start of the process
/// included, and this share of the run's limit: with it all launches fit the time of the search.
constexpr int kManyTimes = 5;
constexpr int kShareOfLimit = 10;
/// What the first node may take: this share of the run's limit, and for short ones what the start
/// of a process takes on a busy machine.
constexpr int kShareOfFirst = 4;
constexpr Nanoseconds kStartOfProcess{2'000'000'000};

enum class Answer : std::uint8_t {
  Same,     ///< It failed in the same way.
  Other,    ///< It ended, or failed in another way.
  Stopped,  ///< It was not run to its end: an interrupt, or the bounds of the search.
};

bool is_hang(const Outcome& outcome) {
  return outcome.status == Status::Timeout;
}

bool is_same_kind(const Outcome& a, const Outcome& b) {
  return a.status == b.status && a.error_kind == b.error_kind && a.ended_by == b.ended_by;
}

/// What two failures of one kind must have in common: the node that is blamed, else all words.
/// Those of a crash or a hang are not the engine's.
std::string words_of(const Outcome& outcome, const std::string& model) {
  if (is_hang(outcome) || !outcome.ended_by.empty()) return {};
  const std::string blamed = experiment::blamed_node(outcome.reason);
  return blamed.empty() ? reason_without_path(outcome.reason, model) : blamed;
}

std::string text_of(const NodeLabel& node) {
  return fmt::format("'{}' ({})", printable(node.name), printable(node.op));
}

class NodeSearch {
 public:
  NodeSearch(const Record& failed, const FailureParts& parts, Launcher& launcher,
             const Clock& clock, const StopFlag& stop, const ProgressSink& progress)
      : whole_(failed.plan_case),
        wanted_(engine_failure(failed).value_or(failed.outcome)),
        words_(words_of(wanted_, whole_.model)),
        parts_(parts),
        launcher_(launcher),
        clock_(clock),
        stop_(stop),
        progress_(progress),
        given_(whole_.limits.time.value_or(kUsualLimit)),
        limit_(given_),
        begin_(clock.now()) {}

  std::string note() {
    if (const auto blamed = blamed_index()) return note_on(*blamed, "is blamed by the engine");
    first_passing_ = 0;
    first_failing_ = parts_.nodes.size();
    if (first_failing_ == 0) return "which node fails is not known: the model has none";
    if (is_hang(wanted_)) {
      const Answer first = measure_first();
      if (first == Answer::Stopped) return unfinished();
      if (first == Answer::Same) return note_on(0, "is the first one, and hangs");
    }
    const Answer again = fail_again();
    if (again == Answer::Stopped) return unfinished();
    if (again == Answer::Other) return not_repeated();
    const bool is_found = halve();
    if (is_hang(wanted_) && passing_time_ > limit_of_launch() / 2) return only_slow();
    if (!is_found) return unfinished();
    return note_on(first_failing_ - 1, "is the one with which the first nodes begin to fail");
  }

 private:
  std::optional<std::size_t> blamed_index() const {
    const std::string blamed = experiment::blamed_node(wanted_.reason);
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < parts_.nodes.size() && !blamed.empty(); ++i) {
      if (text_of(parts_.nodes[i]) != blamed) continue;
      if (found) return std::nullopt;
      found = i;
    }
    return found;
  }

  TimePoint deadline() const { return begin_ + 2 * given_; }

  /// How long one launch may take: a timed one also samples.
  Nanoseconds limit_of_launch() const {
    const bool samples = is_hang(wanted_) && role_ == Role::Measure;
    return limit_ + (samples ? whole_.warmup.max_time + whole_.stop.max_time : Nanoseconds{0});
  }

  Answer ask(Case part, std::string detail) {
    const Nanoseconds left = deadline() - clock_.now();
    if (stop_.load() || launches_ >= kMostSearchLaunches || left <= Nanoseconds{0})
      return Answer::Stopped;
    const Nanoseconds limit = std::min(limit_of_launch(), left);
    if (progress_) progress_({.stage = "failing node", .detail = std::move(detail)});
    part.role = role_;
    part.limits.time = limit;
    ++launches_;
    const TimePoint before = clock_.now();
    last_ = launcher_.launch(part, stop_).outcome;
    last_time_ = clock_.now() - before;
    // What the time of the search cut short did not hang.
    const bool is_cut = last_.status == Status::Timeout && limit < limit_of_launch();
    if (stop_.load() || is_cut) return Answer::Stopped;
    return is_same_kind(last_, wanted_) && words_of(last_, part.model) == words_ ? Answer::Same
                                                                                 : Answer::Other;
  }

  /// Finds how long a part may take that does not hang.
  Answer measure_first() {
    limit_ = std::max(given_ / kShareOfFirst, std::min(given_, kStartOfProcess));
    const Answer answer = ask_first(1);
    if (answer == Answer::Other) {
      first_passing_ = 1;
      passing_time_ = last_time_;
      limit_ = std::min(given_, std::max(last_time_ * kManyTimes, given_ / kShareOfLimit));
    }
    return answer;
  }

  /// Runs the whole model again, once or, where that is not enough, as it was timed.
  Answer fail_again() {
    for (const Role role : std::array{Role::Probe, Role::Measure}) {
      role_ = role;
      const Answer answer = ask(whole_, "the whole model again");
      if (answer == Answer::Stopped) return answer;
      // The words may have been those of a launch of another role.
      if (answer == Answer::Same || is_same_kind(last_, wanted_)) {
        words_ = words_of(last_, whole_.model);
        return Answer::Same;
      }
    }
    return Answer::Other;
  }

  Answer ask_first(std::size_t count) {
    try {
      return ask(parts_.first(count),
                 fmt::format("the first {} of {} nodes", count, parts_.nodes.size()));
    } catch (const Error& error) {
      problem_ = error.what();
      return Answer::Stopped;
    }
  }

  /// Keeps two counts of first nodes, one that passes and one that fails, until they are
  /// neighbours.
  bool halve() {
    while (first_failing_ - first_passing_ > 1) {
      const std::size_t middle = first_passing_ + (first_failing_ - first_passing_) / 2;
      const Answer answer = ask_first(middle);
      if (answer == Answer::Stopped) return false;
      (answer == Answer::Same ? first_failing_ : first_passing_) = middle;
      if (answer == Answer::Other) passing_time_ = last_time_;
    }
    return true;
  }

  /// A part of one node's, run once; what keeps it from that goes into problem_.
  template <class Make>
  Answer ask_part(const Make& make, std::size_t node, std::string detail, std::string& repeat) {
    try {
      PartCase part = make(node);
      repeat = std::move(part.repeat);
      return ask(std::move(part.plan_case), std::move(detail));
    } catch (const Error& error) {
      problem_ = error.what();
      return Answer::Other;
    }
  }

  std::string how() const {
    return is_hang(wanted_)
               ? fmt::format(" (it does not end within {})", format_time(limit_of_launch()))
               : std::string();
  }

  std::string note_on(std::size_t index, std::string_view why) {
    const std::string node = text_of(parts_.nodes[index]);
    std::string repeat;
    const Answer alone = ask_part(parts_.alone, index, "the node alone", repeat);
    if (alone == Answer::Same) return fmt::format("node {} fails alone{}: {}", node, how(), repeat);
    const Answer needed = alone == Answer::Stopped ? alone
                                                   : ask_part(parts_.needed, index,
                                                              "the node and what it needs", repeat);
    if (needed == Answer::Same) {
      return fmt::format("node {} does not fail alone, but with the nodes that it needs{}: {}",
                         node, how(), repeat);
    }
    if (needed == Answer::Stopped)
      return fmt::format("node {} {}; {} before it was run alone", node, why, stopped());
    return fmt::format("node {} {}; it failed neither alone nor with the nodes that it needs{}",
                       node, why, problem());
  }

  std::string problem() const {
    return problem_.empty() ? std::string() : fmt::format(" ({})", printable(problem_));
  }

  std::string stopped() const {
    if (stop_.load()) return "the search was interrupted";
    return fmt::format("the search stopped after {} launches in {}{}", launches_,
                       format_time(clock_.now() - begin_), problem());
  }

  std::string unfinished() const {
    const auto& nodes = parts_.nodes;
    return fmt::format(
        "which node fails is not known: {}; of {} nodes in order it is not before {}"
        " and not behind {}",
        stopped(), nodes.size(), text_of(nodes[first_passing_]),
        text_of(nodes[first_failing_ - 1]));
  }

  std::string only_slow() const {
    return fmt::format(
        "no node seems to hang: of {} nodes in order the first {} take {}, the first {} more than "
        "{}; the model is slow rather than stuck, allow more (--timeout)",
        parts_.nodes.size(), first_passing_, format_time(passing_time_), first_failing_,
        format_time(limit_of_launch()));
  }

  std::string not_repeated() const {
    return fmt::format(
        "which node fails is not known: the whole model did not fail again in the same way ({})",
        last_.reason.empty() ? to_string(last_.status) : printable(last_.reason));
  }

  const Case& whole_;
  const Outcome wanted_;
  std::string words_;
  const FailureParts& parts_;
  Launcher& launcher_;
  const Clock& clock_;
  const StopFlag& stop_;
  const ProgressSink& progress_;
  const Nanoseconds given_;  ///< The limit of the run.
  Nanoseconds limit_;        ///< Of one launch here.
  const TimePoint begin_;
  Role role_ = Role::Probe;
  int launches_ = 0;
  Outcome last_{};
  Nanoseconds last_time_{};
  Nanoseconds passing_time_{};     ///< Of the first_passing_ nodes.
  std::size_t first_passing_ = 0;  ///< So many first nodes do not fail in the same way.
  std::size_t first_failing_ = 0;  ///< So many do.
  std::string problem_{};
};

}  // namespace

std::optional<Outcome> engine_failure(const Record& record) {
  const auto is_engines = [](const Outcome& outcome) {
    return is_hang(outcome) || (outcome.status == Status::Failed &&
                                error_kind_from(outcome.error_kind) == ErrorKind::Engine);
  };
  for (const Launch& launch : record.launches) {
    if (is_engines(launch.outcome)) return launch.outcome;
  }
  if (is_engines(record.outcome)) return record.outcome;
  return std::nullopt;
}

std::string find_failing_node(const Record& failed, const FailureParts& parts, Launcher& launcher,
                              const Clock& clock, const StopFlag& stop,
                              const ProgressSink& progress) {
  return NodeSearch(failed, parts, launcher, clock, stop, progress).note();
}

}  // namespace headroom
